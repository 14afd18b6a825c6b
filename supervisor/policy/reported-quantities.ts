// Which quantities a UPS reports: the triggers that need one it never reports cannot fire. Display only: a trigger looks at each
// reading itself.
import type { RuntimeEstimate } from '../../shared/domain/battery/health.js';
import type { BatteryRule, TriggerSettings } from '../../shared/domain/triggers/table.js';
import { batteryTriggers } from '../../shared/domain/triggers/table.js';
import type { AcceptedReading, Readings } from './readings.js';

type Quantity = NonNullable<BatteryRule['quantity']>;

/** When a good reading last had a quantity (monotonic ms); null for never. Some devices report the runtime on battery only. */
interface LastReported {
  readonly anyMs: number | null;
  readonly batteryMs: number | null;
}

export type ReportedQuantities = Readonly<Record<Quantity, LastReported>>;

const never: LastReported = { anyMs: null, batteryMs: null };
export const noReportedQuantities: ReportedQuantities = { charge: never, runtime: never };

/** A single reading without the quantity says nothing about the device. */
const goneAfterMs = 60_000;

export function reportedQuantitiesAfter(
  before: ReportedQuantities,
  { reading, source, monotonicMs }: AcceptedReading,
): ReportedQuantities {
  const after = (lastReported: LastReported, value: number | null): LastReported => {
    if (value === null) return lastReported;
    return { anyMs: monotonicMs, batteryMs: source === 'battery' ? monotonicMs : lastReported.batteryMs };
  };
  return {
    charge: after(before.charge, reading.chargePercent),
    runtime: after(before.runtime, reading.runtimeSeconds),
  };
}

interface Seen {
  readonly readings: Readings;
  readonly reportedQuantities: ReportedQuantities;
  readonly estimate: RuntimeEstimate | null;
}

/** The quantity that `trigger` needs and this UPS does not report; null where it can fire, and before the first reading. */
export function lackedBy(trigger: BatteryRule, ups: Seen, settings: TriggerSettings): Quantity | null {
  const { quantity } = trigger;
  const { last } = ups.readings;
  if (quantity === null || last === null || !trigger.isOn(settings)) return null;
  if (quantity === 'runtime' && settings.runtimeSource === 'estimated' && ups.estimate !== null) return null;
  const { anyMs, batteryMs } = ups.reportedQuantities[quantity];
  if (anyMs !== null && last.monotonicMs - anyMs < goneAfterMs) return null;
  return last.source !== 'battery' && batteryMs !== null ? null : quantity;
}

/** The triggers that are on and cannot fire on this UPS. */
export function triggersWithoutData(ups: Seen, settings: TriggerSettings): readonly BatteryRule[] {
  return batteryTriggers.filter((trigger) => lackedBy(trigger, ups, settings) !== null);
}
