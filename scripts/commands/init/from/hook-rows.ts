// Programs that another daemon runs at its events, as hooks.
import { accepts } from '../../../../supervisor/config/schema/codec.js';
import type { LeftOut, DraftTable, TomlValue } from '../../../../shared/domain/setup/config-draft.js';
import type { EventType } from '../../../../shared/domain/status/events.js';
import type { JudgedScript, ScriptCall } from './judged-script.js';
import { hookKeys } from '../../../../supervisor/config/schema/hooks.js';
import { notifyTypes } from '../../../../supervisor/hooks/notify-types.js';

/** As the file has room for. */
const maxHooks = 50;

export interface NewHook {
  readonly on: readonly EventType[];
  readonly ups?: readonly string[];
  /** Seconds. */
  readonly after?: number;
  readonly cancelOn?: readonly EventType[];
  readonly command: readonly string[];
  readonly timeout?: number;
}

/** Adds hooks, or says why one is not carried. */
export class HookRows {
  readonly #file: DraftTable;
  #count = 0;

  constructor(file: DraftTable) {
    this.#file = file;
  }

  add(hook: NewHook, what: string): void {
    const { on, ups = [], after = 0, cancelOn = [], command, timeout } = hook;
    const values: [string, TomlValue][] = [
      ['on', on],
      ...(ups.length === 0 ? [] : [['ups', ups] satisfies [string, TomlValue]]),
      ...(after === 0 ? [] : [['after', after] satisfies [string, TomlValue]]),
      ...(after === 0 || cancelOn.length === 0
        ? []
        : [['cancel_on', cancelOn] satisfies [string, TomlValue]]),
      ['command', command],
      ...(timeout === undefined ? [] : [['timeout', timeout] satisfies [string, TomlValue]]),
    ];
    const wrong = values.find(([key, value]) => {
      const entry = hookKeys[key as keyof typeof hookKeys];
      return !accepts(entry.codec, value);
    });
    if (wrong !== undefined || this.#count >= maxHooks) {
      this.leavesOut({
        what,
        why:
          wrong === undefined
            ? `a file has at most ${String(maxHooks)} hooks`
            : `hooks.${wrong[0]} does not take it`,
      });
      return;
    }
    this.#count += 1;
    const row = this.#file.row('hooks').note(what);
    for (const [key, value] of values) row.set(key, value);
  }

  leavesOut({ what, why }: LeftOut): void {
    this.#file.leavesOut(what, why);
  }
}

const eventTypes: ReadonlyMap<string, EventType> = new Map(
  Object.entries(notifyTypes).map(([event, type]) => [type, event as EventType]),
);

/** The event of a NOTIFYTYPE of upsmon. */
export const eventOf = (notifyType: string): EventType | undefined => eventTypes.get(notifyType);

/** What stands for events of upsmon that no event here is. */
const withoutEvent: Readonly<Record<string, string>> = {
  NOCOMM: 'a hook on CONNECTION_LOST with `after`, or `repeat` of a notification service',
};

interface LeftScript {
  readonly what: string;
  /** The word that it gets. */
  readonly called: string;
  readonly judged: JudgedScript;
  readonly call: ScriptCall;
  /** Of one that does not shut down. */
  readonly why?: string;
}

/** Judges what ran at such a type all the same: it may have shut this machine down. */
export function leaveOutType(
  hooks: HookRows,
  type: string,
  { what, called, judged, call, why = withoutEvent[type] ?? 'there is no such event here' }: LeftScript,
): void {
  const verdict = judged.verdict(call);
  const atEvent = withoutTrigger(eventOf(type) ?? type);
  if (verdict.kind === 'down') judged.tellOfShutdown(called, verdict);
  else if (verdict.kind === 'unsure')
    judged.tellOfDoubt(called, verdict, atEvent, 'neither a hook nor a trigger');
  else judged.tellOfHook(called, verdict);
  hooks.leavesOut({ what, why: verdict.kind === 'down' ? atEvent : why });
}

/** The mark of a hook whose program may shut this machine down. */
export const undecided = 'UNDECIDED: it is not known whether it shuts this machine down';

/** Why a shutdown at another event, or type of upsmon, than ON_BATTERY is no trigger of its own. */
export function withoutTrigger(event: string): string {
  if (event === 'LOW_BATTERY_FLAG')
    return 'it shut down at LB, also on line power; here LB (trigger_on_low_battery_flag) shuts down on battery';
  if (event === 'ON_BATTERY')
    return 'it shut down at the transfer to battery: triggers.extended_time.enabled = true, threshold = 0';
  if (event === 'FSD_DETECTED') return 'it shut down at FSD, as every UPS with FSD does here';
  if (event === 'CONNECTION_LOST' || event === 'NOCOMM')
    return 'it shut down when the UPS could not be read; here only on battery (failsafe_delay)';
  if (event === 'SHUTDOWN_TRIGGERED') return 'it shut down when upsmon did so anyway, as here';
  return `it shut down at ${event}, which starts no shutdown here`;
}
