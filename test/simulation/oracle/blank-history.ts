// What the oracle knows of a UPS before its first reading.
import { emptyLog } from './charge-log.js';
import { notOnLine } from './off-on-line.js';
import { notRead } from './doubt.js';
import { nothingGiven } from './given.js';
import { noZero } from './zeros.js';
import type { UpsHistory } from './ups-history.js';

/** `watchedMs`: when the daemon started to watch. */
export function blankUpsHistory(watchedMs: number): UpsHistory {
  return {
    last: null,
    onBattery: false,
    outageMs: null,
    unknown: null,
    lowest: null,
    unconfirmed: null,
    bypass: null,
    given: nothingGiven,
    endedOutage: null,
    lineReadings: 0,
    batteryReadings: 0,
    batteryMs: null,
    lowFlagMs: null,
    overloadMs: null,
    charge: notRead,
    runtime: notRead,
    variables: {},
    charges: emptyLog,
    first: { charge: null, runtime: null },
    zeros: { charge: noZero, runtime: noZero },
    testMs: null,
    calibrationMs: null,
    calibrationLowMs: null,
    offMs: null,
    offOnLine: notOnLine,
    without: { TEST: 0, CAL: 0 },
    fsd: 'unread',
    failedPolls: 0,
    hardFailures: 0,
    onlyStale: 'yes',
    lastReportMs: watchedMs,
  };
}
