// The words of the events about mains voltage, its phases, AVR, and about the battery on line power.
import { formatMs, formatNumber } from '../../../shared/domain/base/format.js';
import type { MainsVoltage, PhaseVoltage } from '../../../shared/domain/ups/mains-voltage.js';
import type { Side } from '../power/voltage.js';
import { words } from './event-words.js';

/** `phase`: null where there is one only. */
export interface VoltageAt {
  readonly volts: number;
  readonly phase: string | null;
}

/** Recorded when the voltage leaves its band; reported, with a message, when it stays out or is far. */
interface Excursion {
  readonly at: VoltageAt;
  readonly isReported: boolean;
  readonly isFar: boolean;
}

const outside = (how: 'low' | 'high') =>
  words<Excursion>(
    ({ at, isReported }) => (isReported ? null : `input voltage ${voltageText(at)}`),
    ({ label, at, isReported, isFar }) =>
      isReported
        ? `The input voltage of ${label} is ${isFar ? 'far ' : ''}too ${how}: ${voltageText(at)}. The UPS may go on battery; if this lasts, ask the electrician or the utility.`
        : null,
  );

export const qualityWords = {
  BROWNOUT_DETECTED: outside('low'),
  OVER_VOLTAGE_DETECTED: outside('high'),
  VOLTAGE_FLAP_SUPPRESSED: words<{ readonly side: Side; readonly at: VoltageAt; readonly lastedMs: number }>(
    ({ side, at, lastedMs }) =>
      `too ${side === 'LOW' ? 'low' : 'high'} for ${formatMs(lastedMs)} only, now ${voltageText(at)}; no notification sent`,
  ),
  VOLTAGE_NORMALIZED: words<{ readonly at: VoltageAt; readonly lastedMs: number }>(
    ({ at, lastedMs }) => `${voltageText(at)} after ${formatMs(lastedMs)}`,
    ({ label, at, lastedMs }) =>
      `The input voltage of ${label} is normal again: ${voltageText(at)}, after ${formatMs(lastedMs)}.`,
  ),
  VOLTAGE_AUTODETECT_MISMATCH: words<{ readonly beforeVolts: number; readonly afterVolts: number }>(
    (facts) => mismatchText(facts),
    (facts) =>
      `${facts.label}: ${mismatchText(facts)}. The warning thresholds now follow the readings; set the nominal voltage at the UPS.`,
  ),
  PHASE_LOST: words<{ readonly phases: readonly PhaseVoltage[]; readonly highestVolts: number }>(
    (facts) => lossText(facts),
    (facts) =>
      `The input of ${facts.label} has lost ${facts.phases.length === 1 ? 'a phase' : `${String(facts.phases.length)} phases`}: ${lossText(facts)}. The UPS runs from its other phases or its battery; have the fuses and the supply checked now.`,
  ),
  PHASE_RESTORED: words<{ readonly phases: readonly PhaseVoltage[] }>(
    ({ phases }) => phasesText(phases),
    ({ label, phases }) =>
      `${phases.length === 1 ? 'The lost phase' : 'Each lost phase'} of the input of ${label} is back: ${phasesText(phases)}.`,
  ),
  AVR_BOOST_ACTIVE: words(() => 'the UPS raises a low input voltage'),
  AVR_TRIM_ACTIVE: words(() => 'the UPS lowers a high input voltage'),
  AVR_INACTIVE: words(() => 'the input voltage passes unchanged'),
  BATTERY_ANOMALY: words<{ readonly fromPercent: number; readonly toPercent: number }>(
    (facts) => fallText(facts),
    (facts) =>
      `${facts.label}: the ${fallText(facts)}. Its battery may be failing; run a self test and do not trust its runtime.`,
  ),
};

/** The highest voltage or the lowest, with its phase where there are several; null where the UPS shows none. */
export function voltageAt({ highestVolts, lowestVolts, phases }: MainsVoltage, side: Side): VoltageAt | null {
  const volts = side === 'LOW' ? lowestVolts : highestVolts;
  if (volts === null) return null;
  return { volts, phase: phases.find((measured) => measured.volts === volts)?.phase ?? null };
}

export function voltageText({ volts, phase }: VoltageAt): string {
  return `${formatNumber(volts)} V${phase === null ? '' : ` (${phase})`}`;
}

const mismatchText = ({ beforeVolts, afterVolts }: { beforeVolts: number; afterVolts: number }): string =>
  `the UPS reports ${formatNumber(beforeVolts)} V nominal, its first readings show ${formatNumber(afterVolts)} V`;

const phasesText = (phases: readonly PhaseVoltage[]): string =>
  phases.map(({ phase, volts }) => `${phase} ${formatNumber(volts)} V`).join(', ');

const lossText = (loss: { phases: readonly PhaseVoltage[]; highestVolts: number }): string =>
  `${phasesText(loss.phases)}, while another phase has ${formatNumber(loss.highestVolts)} V`;

const fallText = ({ fromPercent, toPercent }: { fromPercent: number; toPercent: number }): string =>
  `charge fell from ${formatNumber(fromPercent)} % to ${formatNumber(toPercent)} % on line power`;
