// The words for the quality of the mains and of the battery on line power. Decisions are made elsewhere.
import { unreachable } from '../../shared/domain/unreachable.js';
import type { AnomalyStep } from './anomaly.js';
import type { UpsPolicy } from './inputs.js';
import type { Said } from './effect-collector.js';
import type { VoltageNews } from './voltage.js';
import { spoken, spokenMs } from './wording.js';

export function tellVoltage(news: VoltageNews, volts: number, policy: UpsPolicy, said: Said): void {
  const { groupId, label } = policy;
  const now = `${spoken(volts)} V`;
  switch (news.kind) {
    case 'left':
      said.event(groupId, outside(news.side), `input voltage ${now}`);
      return;
    case 'tell': {
      const how = `${news.severe ? 'far ' : ''}too ${news.side === 'LOW' ? 'low' : 'high'}`;
      const meaning = 'The UPS may go on battery; if this lasts, ask the electrician or the utility.';
      said.message(
        groupId,
        outside(news.side),
        `The input voltage of ${label} is ${how}: ${now}. ${meaning}`,
      );
      return;
    }
    case 'suppressed':
      said.event(
        groupId,
        'VOLTAGE_FLAP_SUPPRESSED',
        `too ${news.side === 'LOW' ? 'low' : 'high'} for ${spokenMs(news.lastedMs)} only, now ${now}; nobody was told`,
      );
      return;
    case 'normalized':
      said.alert(
        groupId,
        'VOLTAGE_NORMALIZED',
        `${now} after ${spokenMs(news.lastedMs)}`,
        `The input voltage of ${label} is normal again: ${now}, after ${spokenMs(news.lastedMs)}.`,
      );
      return;
    case 'mismatch': {
      const what = `the UPS says ${spoken(news.beforeVolts)} V nominal, its first readings say ${spoken(news.afterVolts)} V`;
      const meaning = `The warning thresholds now follow the readings; set the nominal voltage at the UPS.`;
      said.alert(groupId, 'VOLTAGE_AUTODETECT_MISMATCH', what, `${label}: ${what}. ${meaning}`);
      return;
    }
    default:
      unreachable(news);
  }
}

function outside(side: 'LOW' | 'HIGH'): 'BROWNOUT_DETECTED' | 'OVER_VOLTAGE_DETECTED' {
  return side === 'LOW' ? 'BROWNOUT_DETECTED' : 'OVER_VOLTAGE_DETECTED';
}

export function tellFall({ fall }: AnomalyStep, { groupId, label }: UpsPolicy, said: Said): void {
  if (fall === null) return;
  const what = `charge fell from ${spoken(fall.fromPercent)} % to ${spoken(fall.toPercent)} % on line power`;
  const meaning = 'Its battery may be failing; run a self test and do not trust its runtime.';
  said.alert(groupId, 'BATTERY_ANOMALY', what, `${label}: the ${what}. ${meaning}`);
}

/** A poll that took longer than this is no longer the server's usual way (contract 1.8 SLOW_NUT_RESPONSE). */
const slowMs = 2_000;
/** A server that stays slow is reported no more often than this. */
const slowPauseMs = 5 * 60_000;

/** The time of the last report of slowness after a poll that took `tookMs`. */
export function tellSlow(
  toldMs: number | null,
  tookMs: number,
  nowMs: number,
  { groupId }: UpsPolicy,
  said: Said,
): number | null {
  if (tookMs < slowMs || (toldMs !== null && nowMs - toldMs < slowPauseMs)) return toldMs;
  said.event(groupId, 'SLOW_NUT_RESPONSE', `the poll took ${spoken(tookMs / 1000)} s`);
  return nowMs;
}
