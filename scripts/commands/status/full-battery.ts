// Finds a battery that is too small for its threshold even when full (specification/policy.md#critical-runtime).
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { onBattery } from '../../../shared/domain/status/wording.js';
import { printable } from '../terminal/printable.js';

/** A battery with this charge counts as full: many devices stop at 99. */
const fullPercent = 99;

/** Null without a reason to warn. `thresholdSeconds`: critical_runtime_threshold, 0 while it is off. */
export function fullBatteryWarning(row: UpsRow, thresholdSeconds: number): string | null {
  if (row.runtime === null || row.runtime >= thresholdSeconds) return null;
  if (onBattery(row) || (row.batteryCharge ?? 0) < fullPercent) return null;
  // Without the no-break spaces, which are for the page.
  return printable(
    `${row.label} would last ${durationInWords(row.runtime)} on a full battery, less than critical_runtime_threshold ` +
      `(${durationInWords(thresholdSeconds)}): every outage starts a shutdown as soon as its delay has passed. ` +
      'Lower the threshold, reduce the load, or replace the battery.',
  );
}
