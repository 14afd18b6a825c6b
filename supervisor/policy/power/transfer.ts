// What a UPS reported first on battery, and what of LB was reported since.
import type { Reading } from '../../../shared/domain/ups/reading.js';
import { reuseUnchanged } from '../base/comparison.js';

export interface Transfer {
  /** The first values of this outage; null before there is one. */
  readonly charge: number | null;
  readonly runtime: number | null;
  /** That LB is contradicted was reported in this outage. */
  readonly isContradictionReported: boolean;
  /** LB was: a device that shows it by turns is reported once. */
  readonly isFlagReported: boolean;
}

export const noTransfer: Transfer = {
  charge: null,
  runtime: null,
  isContradictionReported: false,
  isFlagReported: false,
};

/** `before`: of this outage, also when it was resumed. */
export function transferAfter(before: Transfer, isOnBattery: boolean, reading: Reading): Transfer {
  if (!isOnBattery) return before;
  return reuseUnchanged(before, {
    ...before,
    charge: before.charge ?? reading.chargePercent,
    runtime: before.runtime ?? reading.runtimeSeconds,
    isFlagReported: before.isFlagReported || reading.status.includes('LB'),
  });
}
