// The hooks that wait (`after`): one timer for each hook and source. Pure; times are monotonic ms.
import * as t from 'io-ts';
import { EventType } from '../../shared/domain/status/events.js';
import { finite, textUpTo } from '../../shared/domain/base/units.js';

export const HookTimer = t.readonly(
  t.type({
    /** Identifies the hook by its content. */
    hook: textUpTo(128),
    source: textUpTo(256),
    event: EventType,
    detail: textUpTo(4000),
    dueMs: finite,
  }),
  'HookTimer',
);
export type HookTimer = t.TypeOf<typeof HookTimer>;

/** 50 hooks and 1,100 sources could have more; nobody means that. */
export const maxTimers = 5000;

export class HookTimers {
  #timers = new Map<string, HookTimer>();
  /** What changed is not written yet. */
  isDirty = false;

  get all(): readonly HookTimer[] {
    return [...this.#timers.values()];
  }

  get size(): number {
    return this.#timers.size;
  }

  /** A timer that runs goes on: a second event does not move it. */
  start(timer: HookTimer): void {
    const key = keyOf(timer);
    if (this.#timers.has(key) || this.#timers.size >= maxTimers) return;
    this.#timers.set(key, timer);
    this.isDirty = true;
  }

  cancel(hook: string, source: string): void {
    if (this.#timers.delete(keyOf({ hook, source }))) this.isDirty = true;
  }

  /** Drops the timers of hooks and sources that are no longer configured. */
  keep(hooks: ReadonlySet<string>, sources: ReadonlySet<string>): void {
    for (const { hook, source } of this.all)
      if (!hooks.has(hook) || !sources.has(source)) this.cancel(hook, source);
  }

  /** Removes and returns the timers that have run out, the oldest first. */
  takeDue(nowMs: number): readonly HookTimer[] {
    const due = this.all.filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
    for (const { hook, source } of due) this.cancel(hook, source);
    return due;
  }
}

const keyOf = ({ hook, source }: Pick<HookTimer, 'hook' | 'source'>): string => `${hook} ${source}`;
