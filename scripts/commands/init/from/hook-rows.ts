// Programs that another daemon runs at its events, as hooks.
import type { LeftOut, Table, TomlValue } from '../../../../shared/domain/config-draft.js';
import type { EventType } from '../../../../shared/domain/events.js';
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
export class Hooks {
  readonly #file: Table;
  #count = 0;

  constructor(file: Table) {
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
      return entry.codec.decode(value)._tag === 'Left';
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
export const withoutEvent: Readonly<Record<string, string>> = {
  NOCOMM: 'a hook on CONNECTION_LOST with `after`, or `repeat` of a notification service',
};
