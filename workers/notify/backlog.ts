// The queue of one service: the order, the next message, and the messages dropped as too many or too old. Sends nothing.
import type { Notification } from '../../shared/domain/services/notification.js';

export interface QueueEntry {
  readonly notification: Notification;
  /** Failed attempts so far. */
  attempts: number;
  /** Earliest next attempt, monotonic, after the service refused this message. */
  dueMs: number;
  /** Monotonic: when it is sent together with others. */
  heldUntilMs: number;
  /** Monotonic time of the event, computed once, so that a step of the clock makes no message too old. */
  readonly bornMs: number;
  /** The same of its text: a summary is about the first of its messages, and written with the last. */
  readonly writtenMs: number;
  /** The clock was set since: the message may be older. */
  readonly isAgeUnknown: boolean;
  /** Increases with every message. */
  readonly arrival: number;
}

/** When a service may be tried; all times monotonic. */
export interface SendWindow {
  readonly nowMs: number;
  /** As in `Pauses`. */
  readonly pausedUntilMs: number;
  readonly stale: number;
  readonly closedUntilMs: number;
  /** Until when a message waits by the rules of the service. */
  readonly heldUntilMs: (entry: QueueEntry) => number;
}

export class Backlog {
  readonly #ids = new Set<string>();
  /** Both in the order of the events. */
  readonly #urgent: QueueEntry[] = [];
  readonly #ordinary: QueueEntry[] = [];

  get size(): number {
    return this.#urgent.length + this.#ordinary.length;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** In the order of the events, also where the clock was set between them. */
  entries(): readonly QueueEntry[] {
    return [...this.#urgent, ...this.#ordinary].sort((a, b) => a.bornMs - b.bornMs || a.arrival - b.arrival);
  }

  add(entry: QueueEntry): void {
    const list = this.#listOf(entry);
    this.#ids.add(entry.notification.id);
    // Nearly always the last place. Messages loaded after a restart are older than new ones.
    let index = list.length;
    while (index > 0 && (list[index - 1]?.notification.at ?? 0) > entry.notification.at) index -= 1;
    list.splice(index, 0, entry);
  }

  remove(entry: QueueEntry): void {
    const list = this.#listOf(entry);
    const index = list.indexOf(entry);
    if (index < 0) return;
    list.splice(index, 1);
    this.#ids.delete(entry.notification.id);
  }

  clear(): readonly QueueEntry[] {
    const all = this.entries();
    this.#ids.clear();
    this.#urgent.length = 0;
    this.#ordinary.length = 0;
    return all;
  }

  /** The oldest safety event that is due, else the oldest other message; undefined when nothing may be sent now. */
  next(window: SendWindow): QueueEntry | undefined {
    const { nowMs, pausedUntilMs, closedUntilMs, heldUntilMs } = window;
    if (nowMs < closedUntilMs) return undefined;
    if (nowMs < pausedUntilMs) return this.#fresh(window);
    const isDue = (entry: QueueEntry): boolean => entry.dueMs <= nowMs && heldUntilMs(entry) <= nowMs;
    return this.#urgent.find(isDue) ?? this.#ordinary.find(isDue);
  }

  /** A message without an attempt, safety events first: for the end of the worker. */
  nextUntried({ nowMs, closedUntilMs, heldUntilMs }: SendWindow): QueueEntry | undefined {
    if (nowMs < closedUntilMs) return undefined;
    const isUntried = (entry: QueueEntry): boolean => entry.attempts === 0 && heldUntilMs(entry) <= nowMs;
    return this.#urgent.find(isUntried) ?? this.#ordinary.find(isUntried);
  }

  /** When time alone may change the result of `next`; infinity for never. */
  nextAtMs(window: SendWindow): number {
    const { nowMs, pausedUntilMs, closedUntilMs, heldUntilMs, stale } = window;
    let atMs = Number.POSITIVE_INFINITY;
    for (const entry of [...this.#urgent, ...this.#ordinary]) {
      // A safety event that is not tried yet ignores the backoff.
      const pauseMs = entry.notification.urgent && entry.arrival > stale ? 0 : pausedUntilMs;
      atMs = Math.min(atMs, Math.max(entry.dueMs, heldUntilMs(entry), pauseMs));
    }
    return Math.max(nowMs, closedUntilMs, atMs);
  }

  /** Removes and returns the overflow: the oldest without a safety event first. `kept` is under way. */
  overflow(max: number, kept: QueueEntry | undefined): readonly QueueEntry[] {
    const gone: QueueEntry[] = [];
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
  expire(bornBeforeMs: number, kept: QueueEntry | undefined): readonly QueueEntry[] {
    const gone: QueueEntry[] = [];
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

  #fresh({ stale, nowMs, heldUntilMs }: SendWindow): QueueEntry | undefined {
    return this.#urgent.find((entry) => entry.arrival > stale && heldUntilMs(entry) <= nowMs);
  }

  #listOf({ notification }: QueueEntry): QueueEntry[] {
    return notification.urgent ? this.#urgent : this.#ordinary;
  }
}
