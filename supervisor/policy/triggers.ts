// The triggers that need OB: how often in a row good readings met each, and which one fires. What each of them asks is
// its definition in shared/domain/triggers.
import type { TriggerName } from '../../shared/domain/states.js';
import type { BatteryTriggerName, TriggerSettings } from '../../shared/domain/triggers/table.js';
import { batteryTriggers } from '../../shared/domain/triggers/table.js';
import type { Facts } from '../../shared/domain/triggers/trigger.js';
import { reuseUnchanged } from './comparison.js';
import type { ShutdownRequest } from './shutdown.js';

/** For each trigger, how many good readings in a row have met it; counted no further than confirmations ask for. */
export type Confirmed = Readonly<Record<BatteryTriggerName, number>>;

/** One count for each trigger. The fields are computed from the table, which the compiler cannot follow. */
function counts(count: (trigger: (typeof batteryTriggers)[number]) => number): Confirmed {
  return Object.fromEntries(batteryTriggers.map((trigger) => [trigger.name, count(trigger)])) as Confirmed;
}

export const nothingConfirmed: Confirmed = counts(() => 0);

/** The counts after a good reading, the same object while they stay; `facts` is null when it had no OB. Counting goes on while a delay or a hold lasts. */
export function confirmed(before: Confirmed, settings: TriggerSettings, facts: Facts | null): Confirmed {
  if (facts === null) return nothingConfirmed;
  const after = counts(({ name, isMet, confirmations }) => {
    const met = isMet(facts, settings);
    if (met === null) return before[name];
    return met ? Math.min(before[name] + 1, confirmations(settings, facts)) : 0;
  });
  return reuseUnchanged(before, after);
}

/**
 * The first trigger that fires at a reading on battery: confirmed, past its delay, and not held. A reading that lacks
 * the value still lets a confirmed trigger fire when its delay ends: nothing has spoken against it since.
 */
export function firing(
  counted: Confirmed,
  settings: TriggerSettings,
  facts: Facts,
  isHeld: (name: BatteryTriggerName) => boolean,
): ShutdownRequest<BatteryTriggerName> | null {
  for (const { name, confirmations, delayMs, reason } of batteryTriggers) {
    if (counted[name] < confirmations(settings, facts)) continue;
    if (facts.onBatteryMs < delayMs(settings) || isHeld(name)) continue;
    return { trigger: name, why: reason(facts, settings) };
  }
  return null;
}

/** A trigger that was met, and stays so until the outage ends. */
export interface LatchedTrigger {
  readonly trigger: TriggerName;
  readonly why: string;
  readonly sinceUnixSeconds: number;
}
