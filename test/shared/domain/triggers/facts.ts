// One reading of a UPS on battery, and the settings where the file names none.
import type { Facts, OutlookContext } from '../../../../shared/domain/triggers/trigger.js';

export { defaultTriggers as defaults } from '../../../transcript/trigger-words.js';

/** A good battery, long after the transfer, without LB, OFF or doubt. */
export function facts(own: Partial<Facts> = {}): Facts {
  return {
    chargePercent: 90,
    runtimeSeconds: 3000,
    estimate: null,
    depletionRate: null,
    coarseRateMs: null,
    onBatteryMs: 100_000,
    batteryTimeMs: 100_000,
    source: 'battery',
    lowBatteryFlag: false,
    offMs: null,
    lowBatteryFlagMs: 0,
    chargeDoubt: null,
    runtimeDoubt: null,
    holdSettings: { valueMs: null, statusMs: null },
    isBatterySuspect: false,
    atTransfer: { charge: null, runtime: null },
    variables: {},
    checkIntervalMs: 1000,
    ...own,
  };
}

export const outlookContext: OutlookContext = {
  toleratedPolls: 3,
  duration: (seconds) => `${String(seconds)} s`,
};
