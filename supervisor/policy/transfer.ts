// What a UPS reported first on battery, and whether LB came with it although charge and runtime are high.
import type { Reading } from '../../shared/domain/reading.js';
import { reuseUnchanged } from './comparison.js';

export interface Transfer {
  /** The first values of this outage; null before there is one. */
  readonly charge: number | null;
  readonly runtime: number | null;
  /** That LB is contradicted was reported in this outage. */
  readonly isContradictionTold: boolean;
}

export const noTransfer: Transfer = { charge: null, runtime: null, isContradictionTold: false };

/** `before`: of this outage, also when it was resumed. */
export function transferAfter(before: Transfer, isOnBattery: boolean, reading: Reading): Transfer {
  if (!isOnBattery) return before;
  return reuseUnchanged(before, {
    ...before,
    charge: before.charge ?? reading.chargePercent,
    runtime: before.runtime ?? reading.runtimeSeconds,
  });
}
