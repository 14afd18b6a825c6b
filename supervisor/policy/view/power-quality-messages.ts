// The texts of events and notifications about mains voltage, its phases and about the battery on line power.
import type { MainsVoltage } from '../../../shared/domain/ups/mains-voltage.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { AnomalyStep } from '../power/anomaly.js';
import type { UpsSettings } from '../base/inputs.js';
import type { EffectCollector } from '../base/effect-collector.js';
import type { PhaseChanges } from '../power/phase-loss.js';
import type { Side, VoltageChange } from '../power/voltage.js';
import { formatNumber, formatMs } from '../../../shared/domain/base/format.js';

export function reportVoltage(
  change: VoltageChange,
  mains: MainsVoltage,
  policy: UpsSettings,
  effects: EffectCollector,
): void {
  const { groupId, label } = policy;
  const now = shownVoltage(mains, 'side' in change ? change.side : 'LOW');
  if (now === null) return;
  switch (change.kind) {
    case 'left':
      effects.event(groupId, outside(change.side), `input voltage ${now}`);
      return;
    case 'report': {
      const how = `${change.severe ? 'far ' : ''}too ${change.side === 'LOW' ? 'low' : 'high'}`;
      const meaning = 'The UPS may go on battery; if this lasts, ask the electrician or the utility.';
      effects.message(
        groupId,
        outside(change.side),
        `The input voltage of ${label} is ${how}: ${now}. ${meaning}`,
      );
      return;
    }
    case 'suppressed':
      effects.event(
        groupId,
        'VOLTAGE_FLAP_SUPPRESSED',
        `too ${change.side === 'LOW' ? 'low' : 'high'} for ${formatMs(change.lastedMs)} only, now ${now}; no notification sent`,
      );
      return;
    case 'normalized':
      effects.alert(
        groupId,
        'VOLTAGE_NORMALIZED',
        `${now} after ${formatMs(change.lastedMs)}`,
        `The input voltage of ${label} is normal again: ${now}, after ${formatMs(change.lastedMs)}.`,
      );
      return;
    case 'mismatch': {
      const what = `the UPS reports ${formatNumber(change.beforeVolts)} V nominal, its first readings show ${formatNumber(change.afterVolts)} V`;
      const meaning = `The warning thresholds now follow the readings; set the nominal voltage at the UPS.`;
      effects.alert(groupId, 'VOLTAGE_AUTODETECT_MISMATCH', what, `${label}: ${what}. ${meaning}`);
      return;
    }
    default:
      unreachable(change);
  }
}

export function reportPhases(
  { lost, back }: PhaseChanges,
  { phases, highestVolts }: MainsVoltage,
  { groupId, label }: UpsSettings,
  effects: EffectCollector,
): void {
  const shown = (names: readonly string[]) =>
    phases
      .filter(({ phase }) => names.includes(phase))
      .map(({ phase, volts }) => `${phase} ${formatNumber(volts)} V`)
      .join(', ');
  if (lost.length > 0) {
    const what = `${shown(lost)}, while another phase has ${formatNumber(highestVolts ?? 0)} V`;
    const meaning =
      'The UPS runs from its other phases or its battery; have the fuses and the supply checked now.';
    const text = `The input of ${label} has lost a phase: ${what}. ${meaning}`;
    effects.alert(groupId, 'PHASE_LOST', what, text);
  }
  if (back.length > 0) {
    const what = shown(back);
    effects.alert(
      groupId,
      'PHASE_RESTORED',
      what,
      `The lost phase of the input of ${label} is back: ${what}.`,
    );
  }
}

/** The highest voltage or the lowest, with its phase where there are several. */
export function shownVoltage({ highestVolts, lowestVolts, phases }: MainsVoltage, side: Side): string | null {
  const shown = side === 'LOW' ? lowestVolts : highestVolts;
  if (shown === null) return null;
  const phase = phases.find(({ volts }) => volts === shown);
  return `${formatNumber(shown)} V${phase === undefined ? '' : ` (${phase.phase})`}`;
}

function outside(side: 'LOW' | 'HIGH'): 'BROWNOUT_DETECTED' | 'OVER_VOLTAGE_DETECTED' {
  return side === 'LOW' ? 'BROWNOUT_DETECTED' : 'OVER_VOLTAGE_DETECTED';
}

export function reportChargeDrop(
  { fall }: AnomalyStep,
  { groupId, label }: UpsSettings,
  effects: EffectCollector,
): void {
  if (fall === null) return;
  const what = `charge fell from ${formatNumber(fall.fromPercent)} % to ${formatNumber(fall.toPercent)} % on line power`;
  const meaning = 'Its battery may be failing; run a self test and do not trust its runtime.';
  effects.alert(groupId, 'BATTERY_ANOMALY', what, `${label}: the ${what}. ${meaning}`);
}
