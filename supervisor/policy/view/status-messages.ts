// The texts of events and notifications about status words whose begin and end are reported.
import type { EventType } from '../../../shared/domain/status/events.js';
import { formatBattery, formatMs } from '../../../shared/domain/base/format.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { Facts } from '../../../shared/domain/triggers/trigger.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { EffectCollector } from '../base/effect-collector.js';
import type { UpsSettings } from '../base/inputs.js';
import type { Doubt } from '../power/power-source-doubt.js';
import type { ReportedWord, StatusReport } from '../power/status-reports.js';

/** `alarm`: its text, "" where the UPS gives none. */
export function reportStatusWord(
  report: StatusReport,
  alarm: string,
  policy: UpsSettings,
  effects: EffectCollector,
): void {
  const { groupId } = policy;
  switch (report.kind) {
    case 'began':
      reportText(begin(report.word, alarm), policy, effects);
      return;
    case 'ended':
      if (report.word !== 'RB') reportText(ends[report.word], policy, effects);
      return;
    case 'alarmChanged':
      effects.event(groupId, 'UPS_ALARM', `the alarm now says: ${alarm === '' ? 'nothing' : alarm}`);
      return;
    case 'unknown': {
      const more = report.isLast ? '; further unknown words of this UPS are not reported' : '';
      const detail = `ups.status has the word ${singleLine(report.word)}, which NUT does not define; the daemon shows it and does nothing else${more}`;
      effects.event(groupId, 'UNKNOWN_STATUS_WORD', detail);
      return;
    }
    default:
      unreachable(report);
  }
}

interface StatusText {
  readonly type: EventType;
  readonly detail: string;
  /** Follows the label of the UPS in a message; null: an event without a message. */
  readonly message: string | null;
}

function begin(word: ReportedWord, alarm: string): StatusText {
  switch (word) {
    case 'BYPASS':
      return {
        type: 'BYPASS_MODE_ACTIVE',
        detail: 'the load is not protected',
        message:
          'is in bypass. The load has no battery backup: an outage now cuts its power immediately. Check the UPS.',
      };
    case 'OVER':
      return {
        type: 'OVERLOAD_ACTIVE',
        detail: 'the load is more than the UPS can carry',
        message: 'is overloaded. It may switch its output off at any moment. Reduce the load.',
      };
    case 'RB':
      return {
        type: 'BATTERY_REPLACE',
        detail: 'the UPS asks for a new battery (RB)',
        message:
          'asks for a new battery. In the next outage the battery may last a much shorter time. Order a new one.',
      };
    case 'ALARM': {
      const says = alarm === '' ? 'the UPS gives no text (ups.alarm)' : alarm;
      const message = `raises an alarm: ${says}. Look at the UPS; the alarm alone shuts nothing down.`;
      return { type: 'UPS_ALARM', detail: says, message };
    }
    case 'OFF':
      return {
        type: 'UPS_OFF',
        detail: 'the output of the UPS is off',
        message:
          'has its output off. What it feeds has no power, unless another UPS feeds it too. Switch the output on at the UPS.',
      };
    case 'ECO':
      return {
        type: 'ECO_MODE_ACTIVE',
        detail: 'the UPS passes the mains through to save energy (ECO)',
        message: null,
      };
    case 'CAL':
      return {
        type: 'CALIBRATION_STARTED',
        detail:
          'the UPS discharges its battery to measure it; charge and runtime shut nothing down meanwhile',
        message: null,
      };
  }
}

const ends: Readonly<Record<Exclude<ReportedWord, 'RB'>, StatusText>> = {
  BYPASS: {
    type: 'BYPASS_MODE_INACTIVE',
    detail: 'the load is protected again',
    message: 'is no longer in bypass: its battery protects the load again. Nothing needs to be done.',
  },
  OVER: {
    type: 'OVERLOAD_RESOLVED',
    detail: 'the UPS can carry its load again',
    message: 'can carry its load again. Find out what raised the load before the next outage.',
  },
  ALARM: {
    type: 'UPS_ALARM_CLEARED',
    detail: 'the UPS raises no alarm any more',
    message: 'raises no alarm any more.',
  },
  OFF: { type: 'UPS_ON', detail: 'the output of the UPS is on again', message: 'has its output on again.' },
  ECO: { type: 'ECO_MODE_INACTIVE', detail: 'the UPS has left its energy-saving mode', message: null },
  CAL: {
    type: 'CALIBRATION_ENDED',
    detail: 'the UPS does not calibrate its battery any more',
    message: null,
  },
};

function reportText(
  { type, detail, message }: StatusText,
  { groupId, label }: UpsSettings,
  effects: EffectCollector,
): void {
  if (message === null) effects.event(groupId, type, detail);
  else effects.alert(groupId, type, detail, `${label} ${message}`);
}

export function reportContradictedFlag(
  { onBatteryMs, chargePercent, runtimeSeconds }: Facts,
  { groupId, label, triggers }: UpsSettings,
  effects: EffectCollector,
): void {
  const what = `LB ${formatMs(onBatteryMs)} after the transfer, with ${formatBattery(chargePercent, runtimeSeconds)}`;
  const until = `it counts ${formatMs(triggers.lowBatteryFlagDelayMs)} after the transfer, or as soon as charge or runtime have fallen by a tenth`;
  effects.alert(
    groupId,
    'LOW_BATTERY_CONTRADICTED',
    `${what}: ${until}`,
    `${label} shows ${what}. Charge and runtime contradict that: ${until}. If every outage begins like this, the UPS or its driver is wrong.`,
  );
}

export function reportDoubt(
  before: Doubt,
  after: Doubt,
  { groupId, label, trustsCharge }: UpsSettings,
  effects: EffectCollector,
): void {
  if (before.sinceMs === null && after.sinceMs !== null) {
    const acts = trustsCharge
      ? 'Charge and runtime now count as on battery (trust = "charge")'
      : 'The daemon shuts nothing down for that; trust = "charge" of this UPS would let charge and runtime count';
    const text = `${label} says line power (OL), but ${after.why}. ${acts}. Check the mains, the UPS and its NUT driver.`;
    effects.alert(groupId, 'POWER_SOURCE_CONTRADICTED', after.why, text);
  }
  if (before.sinceMs !== null && after.sinceMs === null)
    effects.event(
      groupId,
      'POWER_SOURCE_PLAUSIBLE',
      'charge and input voltage do not contradict the status any more',
    );
}

/** Why the source of power is unknown, for the row. */
export const unknownSourceText = 'the status has both OL and OB, and charge and runtime do not fall';

export function reportUnknownSource({ groupId, label }: UpsSettings, effects: EffectCollector): void {
  const acts =
    'Charge, runtime and LB count as on battery; the time, and a lost connection, count once OB stands alone or charge or runtime fall';
  const text = `${label} shows line power (OL) and battery (OB) at once since the first reading, so its source of power is unknown. ${acts}. Some devices always show both: check the UPS and its NUT driver.`;
  effects.alert(groupId, 'POWER_SOURCE_CONTRADICTED', unknownSourceText, text);
}

export function reportKnownSource({ groupId }: UpsSettings, effects: EffectCollector): void {
  effects.event(groupId, 'POWER_SOURCE_PLAUSIBLE', 'the status has OL without OB');
}
