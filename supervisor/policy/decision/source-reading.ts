// What a reading says of the power source besides its words: what power-source.ts needs of the values, and what a trigger shows while
// the source is unknown.
import type { MainsVoltage } from '../../../shared/domain/ups/mains-voltage.js';
import { holdsOf } from '../../../shared/domain/triggers/hold.js';
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { PowerSource } from '../../../shared/domain/ups/status-words.js';
import type { Reading, Variables } from '../../../shared/domain/ups/reading.js';
import type { BatteryValues } from '../power/battery-fall.js';
import { withTimeBefore } from '../power/battery-time.js';
import type { PolicyClock } from '../base/clock.js';
import { mayHaveMains } from '../power/nominal-voltage.js';
import type { Line, SourceReading } from '../power/power-source.js';
import { batteryMsBefore, mayBeBattery, outageByTrigger } from '../power/power-source.js';
import type { AcceptedReading } from '../power/readings.js';
import type { ShutdownRequest } from '../base/effects.js';
import type { UpsState } from '../state/ups-state.js';
import { undoubtedReading } from '../state/ups-state.js';

/** While the source is unknown, 0 is no reading until a value above it was read: so it is on line power. */
export function unprovenOf({ line, shown }: UpsState, words: readonly string[]) {
  const isUnknown = (line.kind === 'unseen' || line.kind === 'unknown') && isBothIn(words);
  return {
    charge: isUnknown && shown.charge.value === null,
    runtime: isUnknown && shown.runtime.value === null,
  };
}

const isBothIn = (words: readonly string[]): boolean => words.includes('OL') && words.includes('OB');

/** Where no word names the source, these say that the battery gives. */
const dischargeWords = ['DISCHRG', 'LB'];
/** What acts while the source is unknown. */
const ofValues = ['LOW_BATTERY', 'CRITICAL_RUNTIME', 'LOW_BATTERY_FLAG'] as const;

/** `last`: without the values in doubt. */
export function sourceReadingOf(
  ups: UpsState,
  { source, reading }: AcceptedReading,
  variables: Variables,
  { highestVolts }: MainsVoltage,
): SourceReading {
  const { shutdown, confirmed: counts, policy } = ups;
  return {
    source,
    mayHaveMains: mayHaveMains(highestVolts, ups.voltage.nominalVolts),
    isBoth: isBothIn(reading.status),
    isDischarging: source === 'neither' && hasDischarge(reading.status),
    values: valuesOf(reading),
    holdMs: () => holdsOf(variables, policy.holds, policy.triggers.criticalRuntimeSeconds).valueMs,
    isLow: ofValues.some((name) => counts[name] > 0),
    hasSequence: shutdown.kind === 'fired' && !shutdown.sequenceOver,
  };
}

const hasDischarge = (words: readonly string[]): boolean =>
  dischargeWords.some((word) => words.includes(word));

/** LB counts, and the first values of the outage are those of this reading; `line`: before it. */
export function mayBeDischarging(line: Line, source: PowerSource, words: readonly string[]): boolean {
  return (
    mayBeBattery(line, source) || (line.kind === 'outage' && source === 'neither' && hasDischarge(words))
  );
}

const valuesOf = ({ chargePercent, runtimeSeconds, loadPercent }: Reading): BatteryValues => ({
  charge: chargePercent,
  runtime: runtimeSeconds,
  load: loadPercent,
});

/** A trigger that is met while the source is unknown shows that the battery gives, since its values began to fall. */
export function withOutage(
  ups: UpsState,
  request: ShutdownRequest<TriggerName> | null,
  now: PolicyClock,
): UpsState {
  const { last } = ups.readings;
  if (request === null || request.trigger === 'FSD' || ups.line.kind !== 'unknown' || last === null)
    return ups;
  const values = valuesOf(undoubtedReading(last, ups, ups.policy).reading);
  const asked = { ...now, monotonicMs: last.askedMs };
  const line = outageByTrigger(ups.line, values, ups.policy.triggers, asked);
  const given = withTimeBefore(ups.batteryTime, batteryMsBefore(ups.line, line, asked), last.askedMs);
  return { ...ups, line, batteryTime: { ...given, use: 'gives' } };
}
