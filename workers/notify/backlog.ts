// What waits for one service, in order, and what is taken next. It decides what is given up when there is too much or
// when it is too old; nothing here sends anything.
import type { Notification } from '../../shared/domain/notification.js';

export interface Entry {
  readonly notification: Notification;
  /** Failed so far. */
  attempts: number;
  /** Not before this, monotonic: the service did not want this very message. */
  dueMs: number;
  /** Monotonic, when it happened: reckoned once, so that a clock that is set makes nothing too old. */
  readonly bornMs: number;
  /** Rises with every message that comes in. */
  readonly arrival: number;
}

/** When a service may be asked, all monotonic. */
export interface Gate {
  readonly nowMs: number;
  /** After failures: news of danger that came in since the last one does not wait for it. */
  readonly pausedUntilMs: number;
  /** The last arrival before the last failure. */
  readonly stale: number;
  /** What the service asked for: nothing goes before. */
  readonly closedUntilMs: number;
}

export class Backlog {
  readonly #ids = new Set<string>();
  /** Each in the order of what happened. */
  readonly #urgent: Entry[] = [];
  readonly #ordinary: Entry[] = [];

  get size(): number {
    return this.#urgent.length + this.#ordinary.length;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** In the order of what happened. */
  entries(): readonly Entry[] {
    return [...this.#urgent, ...this.#ordinary].sort((a, b) => a.notification.at - b.notification.at);
  }

  add(entry: Entry): void {
    const list = this.#listOf(entry);
    this.#ids.add(entry.notification.id);
    // Nearly always the last place; what is recalled after a restart is older than what came meanwhile.
    let place = list.length;
    while (place > 0 && (list[place - 1]?.notification.at ?? 0) > entry.notification.at) place -= 1;
    list.splice(place, 0, entry);
  }

  remove(entry: Entry): void {
    const list = this.#listOf(entry);
    const place = list.indexOf(entry);
    if (place < 0) return;
    list.splice(place, 1);
    this.#ids.delete(entry.notification.id);
  }

  clear(): readonly Entry[] {
    const all = this.entries();
    this.#ids.clear();
    this.#urgent.length = 0;
    this.#ordinary.length = 0;
    return all;
  }

  /** The oldest news of danger that is due, else the oldest of the rest; undefined when nothing may go now. */
  next(gate: Gate): Entry | undefined {
    const { nowMs, pausedUntilMs, closedUntilMs } = gate;
    if (nowMs < closedUntilMs) return undefined;
    if (nowMs < pausedUntilMs) return this.#fresh(gate);
    const isDue = ({ dueMs }: Entry): boolean => dueMs <= nowMs;
    return this.#urgent.find(isDue) ?? this.#ordinary.find(isDue);
  }

  /** What has not been tried even once, danger first: of interest when there is no time for more. */
  nextUntried({ nowMs, closedUntilMs }: Gate): Entry | undefined {
    if (nowMs < closedUntilMs) return undefined;
    const isUntried = ({ attempts }: Entry): boolean => attempts === 0;
    return this.#urgent.find(isUntried) ?? this.#ordinary.find(isUntried);
  }

  /** When `next` may have something else to say, by the mere passing of time; infinity for never. */
  nextAtMs(gate: Gate): number {
    const { nowMs, pausedUntilMs, closedUntilMs } = gate;
    if (this.#fresh(gate) !== undefined) return Math.max(nowMs, closedUntilMs);
    let dueMs = Number.POSITIVE_INFINITY;
    for (const list of [this.#urgent, this.#ordinary])
      for (const entry of list) dueMs = Math.min(dueMs, entry.dueMs);
    return Math.max(nowMs, closedUntilMs, pausedUntilMs, dueMs);
  }

  /** Takes off and returns what is too many: the oldest that is no news of danger first. `kept` is under way. */
  overflow(most: number, kept: Entry | undefined): readonly Entry[] {
    const gone: Entry[] = [];
    while (this.size > most) {
      const oldest =
        this.#ordinary.find((entry) => entry !== kept) ?? this.#urgent.find((entry) => entry !== kept);
      if (oldest === undefined) break;
      this.remove(oldest);
      gone.push(oldest);
    }
    return gone;
  }

  /** Takes off and returns what happened before `bornBeforeMs`. What is `kept` goes the next time. */
  expire(bornBeforeMs: number, kept: Entry | undefined): readonly Entry[] {
    const gone: Entry[] = [];
    for (const list of [this.#urgent, this.#ordinary]) {
      // In order, so nothing behind the first that is young enough is too old.
      for (let oldest = list[0]; oldest !== undefined; oldest = list[0]) {
        if (oldest === kept || oldest.bornMs >= bornBeforeMs) break;
        this.remove(oldest);
        gone.push(oldest);
      }
    }
    return gone;
  }

  #fresh({ stale }: Gate): Entry | undefined {
    return this.#urgent.find(({ arrival }) => arrival > stale);
  }

  #listOf({ notification }: Entry): Entry[] {
    return notification.urgent ? this.#urgent : this.#ordinary;
  }
}
