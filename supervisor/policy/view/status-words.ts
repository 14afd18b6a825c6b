// The words of the events about status words, and about values that contradict them.
import { formatBattery, formatMs } from '../../../shared/domain/base/format.js';
import { contradictedDelayMs } from '../../../shared/domain/triggers/low-battery-flag.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { UpsSettings } from '../base/inputs.js';
import { factsOf } from '../state/ups-state.js';
import { words } from './event-words.js';

interface Contradiction {
  readonly onBatteryMs: number;
  readonly chargePercent: number | null;
  readonly runtimeSeconds: number | null;
}

/** Why the source of power is unknown, for the row. */
export const unknownSourceText = 'the status has both OL and OB, and charge and runtime do not fall';

export const statusWords = {
  BYPASS_MODE_ACTIVE: words(
    () => 'the load is not protected',
    ({ label }) =>
      `${label} is in bypass. The load has no battery backup: an outage now cuts its power immediately. Check the UPS.`,
  ),
  BYPASS_MODE_INACTIVE: words(
    () => 'the load is protected again',
    ({ label }) =>
      `${label} is no longer in bypass: its battery protects the load again. Nothing needs to be done.`,
  ),
  OVERLOAD_ACTIVE: words(
    () => 'the load is more than the UPS can carry',
    ({ label }) => `${label} is overloaded. It may switch its output off at any moment. Reduce the load.`,
  ),
  OVERLOAD_RESOLVED: words(
    () => 'the UPS can carry its load again',
    ({ label }) => `${label} can carry its load again. Find out what raised the load before the next outage.`,
  ),
  BATTERY_REPLACE: words(
    () => 'the UPS asks for a new battery (RB)',
    ({ label }) =>
      `${label} asks for a new battery. In the next outage the battery may last a much shorter time. Order a new one.`,
  ),
  UPS_ALARM: words<{ readonly alarm: string; readonly isChange: boolean }>(
    ({ alarm, isChange }) =>
      isChange ? `the alarm now says: ${alarm === '' ? 'nothing' : alarm}` : alarmText(alarm),
    ({ label, alarm, isChange }) =>
      isChange
        ? null
        : `${label} raises an alarm: ${sentence(alarmText(alarm))} Look at the UPS; the alarm alone shuts nothing down.`,
  ),
  UPS_ALARM_CLEARED: words(
    () => 'the UPS raises no alarm any more',
    ({ label }) => `${label} raises no alarm any more.`,
  ),
  UPS_OFF: words(
    () => 'the output of the UPS is off',
    ({ label }) =>
      `${label} has its output off. What it feeds has no power, unless another UPS feeds it too. Switch the output on at the UPS.`,
  ),
  UPS_ON: words(
    () => 'the output of the UPS is on again',
    ({ label }) => `${label} has its output on again.`,
  ),
  ECO_MODE_ACTIVE: words(() => 'the UPS passes the mains through to save energy (ECO)'),
  ECO_MODE_INACTIVE: words(() => 'the UPS has left its energy-saving mode'),
  CALIBRATION_STARTED: words(
    () => 'the UPS discharges its battery to measure it; charge and runtime shut nothing down meanwhile',
  ),
  CALIBRATION_ENDED: words(() => 'the UPS does not calibrate its battery any more'),
  UNKNOWN_STATUS_WORD: words<{ readonly word: string; readonly isLast: boolean }>(({ word, isLast }) => {
    const more = isLast ? '; further unknown words of this UPS are not reported' : '';
    return `ups.status has the word ${singleLine(word)}, which NUT does not define; the daemon shows it and does nothing else${more}`;
  }),
  LOW_BATTERY_CONTRADICTED: words<Contradiction>(
    (facts) => `${flagText(facts)}: ${waitText(facts)}`,
    (facts) =>
      `${facts.label} shows ${flagText(facts)}. Charge and runtime contradict that: ${waitText(facts)}. If every outage begins like this, the UPS or its driver is wrong.`,
    ({ seen, after }) => (seen.transfer === after.transfer ? null : factsOf(seen)),
  ),
  /** `why`: what contradicts OL; null: OL and OB are shown at once. */
  POWER_SOURCE_CONTRADICTED: words<{ readonly why: string | null }>(
    ({ why }) => why ?? unknownSourceText,
    ({ label, why, trustsCharge }) => {
      if (why === null)
        return `${label} shows line power (OL) and battery (OB) at once since the first reading, so its source of power is unknown. Charge, runtime and LB count as on battery; the time, and a lost connection, count once OB stands alone or charge or runtime fall. Some devices always show both: check the UPS and its NUT driver.`;
      const acts = trustsCharge
        ? 'Charge and runtime now count as on battery (trust = "charge")'
        : 'The daemon shuts nothing down for that; trust = "charge" of this UPS would let charge and runtime count';
      return `${label} says line power (OL), but ${why}. ${acts}. Check the mains, the UPS and its NUT driver.`;
    },
  ),
  /** `isAlone`: OL, after both. */
  POWER_SOURCE_PLAUSIBLE: words<{ readonly isAlone: boolean }>(({ isAlone }) =>
    isAlone
      ? 'the status has OL without OB'
      : 'charge and input voltage do not contradict the status any more',
  ),
};

const alarmText = (alarm: string): string => (alarm === '' ? 'the UPS gives no text (ups.alarm)' : alarm);

/** Most drivers end an alarm with a mark: `Replace battery!` */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const flagText = ({ onBatteryMs, chargePercent, runtimeSeconds }: Contradiction): string =>
  `LB ${formatMs(onBatteryMs)} after the transfer, with ${formatBattery(chargePercent, runtimeSeconds)}`;

const waitText = ({ triggers }: UpsSettings): string =>
  `it counts ${formatMs(contradictedDelayMs(triggers))} after the transfer, or as soon as charge or runtime have fallen by a tenth`;
