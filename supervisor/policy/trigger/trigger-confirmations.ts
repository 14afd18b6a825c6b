// Battery triggers: how many good readings in a row met each, and which one fires. shared/domain/triggers has their
// conditions.
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { BatteryTriggerName, TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { batteryTriggers } from '../../../shared/domain/triggers/table.js';
import type { Facts } from '../../../shared/domain/triggers/trigger.js';
import { reuseUnchanged } from '../base/comparison.js';
import type { Guarded } from '../base/loss.js';
import { nothingLost, shown } from '../base/loss.js';
import type { ShutdownRequest } from '../base/effects.js';

/** For each trigger, the good readings in a row that met it; counted up to its confirmations. */
export type Confirmed = Readonly<Record<BatteryTriggerName, number>>;

/** The fields are computed from the table, which the compiler cannot follow. */
export const nothingConfirmed = Object.fromEntries(batteryTriggers.map(({ name }) => [name, 0])) as Confirmed;

/**
 * The counts after a good reading, the same object if unchanged; `facts` is null where it does not count as on battery. Counting continues during
 * a delay or an inhibit.
 */
export function confirmed(before: Confirmed, settings: TriggerSettings, facts: Facts | null): Confirmed {
  if (facts === null) return nothingConfirmed;
  const after = { ...before };
  for (const { name, isMet, confirmations, sources } of batteryTriggers) {
    const met = !sources.includes(facts.source) ? false : isMet(facts, settings);
    if (met !== null) after[name] = met ? Math.min(before[name] + 1, confirmations(settings, facts)) : 0;
  }
  return reuseUnchanged(before, after);
}

/**
 * The counts under settings that may be others. `lastRead`: with the values as they were last read, which are those counted. A reload
 * takes back no count that they still meet.
 */
export function confirmedUnder(settings: TriggerSettings, before: Confirmed, lastRead: Facts): Confirmed {
  const after = { ...before };
  for (const { name, isMet } of batteryTriggers) if (isMet(lastRead, settings) === false) after[name] = 0;
  return after;
}

/**
 * The first trigger that fires at a reading on battery: confirmed, past its delay, not in doubt, not inhibited. A reading without the
 * value lets a confirmed trigger fire at the end of its delay, because no reading has contradicted it.
 */
export function firing(
  counted: Confirmed,
  settings: TriggerSettings,
  facts: Facts,
  isInhibited: (name: BatteryTriggerName) => boolean,
): Guarded<ShutdownRequest<BatteryTriggerName> | null> {
  for (const { name, confirmations, delayMs, doubtMs, reason } of batteryTriggers) {
    if (counted[name] < confirmations(settings, facts)) continue;
    if (facts.onBatteryMs < delayMs(settings, facts) || isInhibited(name)) continue;
    if (doubtMs(settings, facts) > 0) continue;
    const why = shown(`the reason of ${name}`, 'no reason is known', () => reason(facts, settings));
    return { value: { trigger: name, why: why.value }, lost: why.lost };
  }
  return { value: null, lost: nothingLost };
}

/** A trigger that was met; it stays latched until the outage ends. */
export interface LatchedTrigger {
  readonly trigger: TriggerName;
  readonly why: string;
  readonly sinceUnixSeconds: number;
}
