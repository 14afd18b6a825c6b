// Finds a battery that is too small for its threshold even when full: `status` and `validate` warn of it
// (specification/policy.md#critical-runtime).
import type { UpsRow } from '../../../shared/domain/status-model.js';
import { durationInWords, onBattery } from '../../../shared/domain/wording.js';
import { printable } from '../terminal/printable.js';

/** From here on a battery counts as full: many devices stop at 99. */
const fullPercent = 99;

/** Null when the reading says nothing of the kind. `thresholdSeconds`: critical_runtime_threshold, 0 while it is off. */
export function fullBatteryWarning(row: UpsRow, thresholdSeconds: number): string | null {
  if (row.runtime === null || row.runtime >= thresholdSeconds) return null;
  if (onBattery(row) || (row.batteryCharge ?? 0) < fullPercent) return null;
  // Its hard spaces are for a page, not for what programs read.
  return printable(
    `${row.label} would last ${durationInWords(row.runtime)} on a full battery, less than critical_runtime_threshold ` +
      `(${durationInWords(thresholdSeconds)}): every outage would shut down as soon as its delay has passed. ` +
      'Lower the threshold, take load off, or replace the battery.',
  );
}
