// Which quantities a UPS reports: the triggers that need one it never reports cannot fire. Display only: a trigger looks at each
// reading itself.
import type { RuntimeEstimate } from '../../../shared/domain/ups/battery/health.js';
import type { Variables } from '../../../shared/domain/ups/reading.js';
import type { BatteryRule, TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { batteryTriggers, quantities } from '../../../shared/domain/triggers/table.js';
import { runtime } from '../../../shared/domain/triggers/trigger.js';
import type { AcceptedReading, Readings } from './readings.js';

/** When a good reading last had a quantity (monotonic ms); null for never. Some devices report the runtime on battery only. */
interface LastReported {
  readonly anyMs: number | null;
  readonly batteryMs: number | null;
}

/** By the name of the quantity. */
export type ReportedQuantities = Readonly<Record<string, LastReported>>;

const never: LastReported = { anyMs: null, batteryMs: null };
export const noReportedQuantities: ReportedQuantities = Object.fromEntries(
  quantities.map(({ name }) => [name, never]),
);

/** A single reading without the quantity says nothing about the device. */
const goneAfterMs = 60_000;

export function reportedQuantitiesAfter(
  before: ReportedQuantities,
  { reading, source, monotonicMs }: AcceptedReading,
  variables: Variables,
): ReportedQuantities {
  const after: Record<string, LastReported> = { ...before };
  for (const { name, of } of quantities) {
    if (of(reading, variables) === null) continue;
    const batteryMs = source === 'battery' ? monotonicMs : (before[name]?.batteryMs ?? null);
    after[name] = { anyMs: monotonicMs, batteryMs };
  }
  return after;
}

interface Seen {
  readonly readings: Readings;
  readonly reportedQuantities: ReportedQuantities;
  readonly estimate: RuntimeEstimate | null;
}

/** The quantity that `trigger` needs and this UPS does not report; null where it can fire, and before the first reading. */
export function lackedBy(trigger: BatteryRule, ups: Seen, settings: TriggerSettings): string | null {
  const { quantity } = trigger;
  const { last } = ups.readings;
  if (quantity === null || last === null || !trigger.isOn(settings)) return null;
  const { name } = quantity;
  if (quantity === runtime && settings.runtimeSource === 'estimated' && ups.estimate !== null) return null;
  const { anyMs, batteryMs } = ups.reportedQuantities[name] ?? never;
  if (anyMs !== null && last.monotonicMs - anyMs < goneAfterMs) return null;
  return last.source !== 'battery' && batteryMs !== null ? null : name;
}

/** The triggers that are on and cannot fire on this UPS. */
export function triggersWithoutData(ups: Seen, settings: TriggerSettings): readonly BatteryRule[] {
  return batteryTriggers.filter((trigger) => lackedBy(trigger, ups, settings) !== null);
}
