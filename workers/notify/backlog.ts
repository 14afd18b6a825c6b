// The queue of one service: the order, the next message, and the messages dropped as too many or too old. Sends nothing.
import type { Notification } from '../../shared/domain/notification.js';

export interface Entry {
  readonly notification: Notification;
  /** Failed attempts so far. */
  attempts: number;
  /** Earliest next attempt, monotonic, after the service refused this message. */
  dueMs: number;
  /** Monotonic time of the event, computed once, so that a step of the clock makes no message too old. */
  readonly bornMs: number;
  /** Increases with every message. */
  readonly arrival: number;
}

/** When a service may be tried; all times monotonic. */
export interface SendWindow {
  readonly nowMs: number;
  /** The backoff after failures. A safety event that arrived after the last failure ignores it. */
  readonly pausedUntilMs: number;
  /** The last arrival before the last failure. */
  readonly stale: number;
  /** The pause that the service requested: nothing is sent before. */
  readonly closedUntilMs: number;
}

export class Backlog {
  readonly #ids = new Set<string>();
  /** Both in the order of the events. */
  readonly #urgent: Entry[] = [];
  readonly #ordinary: Entry[] = [];

  get size(): number {
    return this.#urgent.length + this.#ordinary.length;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** In the order of the events. */
  entries(): readonly Entry[] {
    return [...this.#urgent, ...this.#ordinary].sort((a, b) => a.notification.at - b.notification.at);
  }

  add(entry: Entry): void {
    const list = this.#listOf(entry);
    this.#ids.add(entry.notification.id);
    // Nearly always the last place. Messages loaded after a restart are older than new ones.
    let index = list.length;
    while (index > 0 && (list[index - 1]?.notification.at ?? 0) > entry.notification.at) index -= 1;
    list.splice(index, 0, entry);
  }

  remove(entry: Entry): void {
    const list = this.#listOf(entry);
    const index = list.indexOf(entry);
    if (index < 0) return;
    list.splice(index, 1);
    this.#ids.delete(entry.notification.id);
  }

  clear(): readonly Entry[] {
    const all = this.entries();
    this.#ids.clear();
    this.#urgent.length = 0;
    this.#ordinary.length = 0;
    return all;
  }

  /** The oldest safety event that is due, else the oldest other message; undefined when nothing may be sent now. */
  next(window: SendWindow): Entry | undefined {
    const { nowMs, pausedUntilMs, closedUntilMs } = window;
    if (nowMs < closedUntilMs) return undefined;
    if (nowMs < pausedUntilMs) return this.#fresh(window);
    const isDue = ({ dueMs }: Entry): boolean => dueMs <= nowMs;
    return this.#urgent.find(isDue) ?? this.#ordinary.find(isDue);
  }

  /** A message without an attempt, safety events first: for the end of the worker. */
  nextUntried({ nowMs, closedUntilMs }: SendWindow): Entry | undefined {
    if (nowMs < closedUntilMs) return undefined;
    const isUntried = ({ attempts }: Entry): boolean => attempts === 0;
    return this.#urgent.find(isUntried) ?? this.#ordinary.find(isUntried);
  }

  /** When time alone may change the result of `next`; infinity for never. */
  nextAtMs(window: SendWindow): number {
    const { nowMs, pausedUntilMs, closedUntilMs } = window;
    if (this.#fresh(window) !== undefined) return Math.max(nowMs, closedUntilMs);
    let dueMs = Number.POSITIVE_INFINITY;
    for (const list of [this.#urgent, this.#ordinary])
      for (const entry of list) dueMs = Math.min(dueMs, entry.dueMs);
    return Math.max(nowMs, closedUntilMs, pausedUntilMs, dueMs);
  }

  /** Removes and returns the overflow: the oldest without a safety event first. `kept` is under way. */
  overflow(max: number, kept: Entry | undefined): readonly Entry[] {
    const gone: Entry[] = [];
    while (this.size > max) {
      const oldest =
        this.#ordinary.find((entry) => entry !== kept) ?? this.#urgent.find((entry) => entry !== kept);
      if (oldest === undefined) break;
      this.remove(oldest);
      gone.push(oldest);
    }
    return gone;
  }

  /** Removes and returns messages of events before `bornBeforeMs`. `kept` is removed the next time. */
  expire(bornBeforeMs: number, kept: Entry | undefined): readonly Entry[] {
    const gone: Entry[] = [];
    for (const list of [this.#urgent, this.#ordinary]) {
      // In order: the first recent message ends the loop.
      for (let oldest = list[0]; oldest !== undefined; oldest = list[0]) {
        if (oldest === kept || oldest.bornMs >= bornBeforeMs) break;
        this.remove(oldest);
        gone.push(oldest);
      }
    }
    return gone;
  }

  #fresh({ stale }: SendWindow): Entry | undefined {
    return this.#urgent.find(({ arrival }) => arrival > stale);
  }

  #listOf({ notification }: Entry): Entry[] {
    return notification.urgent ? this.#urgent : this.#ordinary;
  }
}
