// Messages that wait by the rules of their service: ON_BATTERY for the return of power, and what is no safety event for the end
// of the quiet hours. Decides until when; sends and drops nothing.
import { categoryOf, EventType } from '../../shared/domain/status/events.js';
import type { Notification } from '../../shared/domain/services/notification.js';
import { isWithin } from '../../shared/domain/base/time-span.js';
import type { ServiceSettings } from '../../shared/protocol/notify.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { QueueEntry } from './backlog.js';

type Rules = Pick<ServiceSettings, 'afterMs' | 'quiet'>;

/** A shutdown releases what waits for the return of power, and what comes soon after it: the longest `after`. */
const releasedMs = 300_000;
/** The local clock decides the quiet hours, and may be set: it is read again so often. */
const quietCheckMs = 30_000;

export class MessageHolds {
  readonly #clock: Clock;
  #releasedUntilMs = 0;
  /** The sources whose ON_BATTERY was delivered, and whose POWER_RESTORED therefore does not wait. */
  readonly #reportedSources = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A message has arrived. */
  arrived({ type }: Notification): void {
    if (EventType.is(type) && categoryOf(type) === 'shutdown')
      this.#releasedUntilMs = this.#clock.monotonicMs() + releasedMs;
  }

  /** A message was delivered. An outage that was reported in the quiet hours has its end reported in them, too. */
  delivered({ type, source }: Notification): void {
    if (type === 'ON_BATTERY') this.#reportedSources.add(source);
    if (type === 'POWER_RESTORED') this.#reportedSources.delete(source);
  }

  /** True for an ON_BATTERY that would still wait at `untilMs`. */
  waitsForPower(
    { notification, attempts, bornMs }: QueueEntry,
    untilMs: number,
    { afterMs }: Rules,
  ): boolean {
    if (notification.type !== 'ON_BATTERY' || attempts > 0) return false;
    return untilMs < bornMs + afterMs && this.#clock.monotonicMs() >= this.#releasedUntilMs;
  }

  /** Of an entry: the monotonic time until which it waits, a time that has passed when it does not. Valid for this moment. */
  until(rules: Rules): (entry: QueueEntry) => number {
    const nowMs = this.#clock.monotonicMs();
    const isQuiet = rules.quiet !== null && isWithin(rules.quiet, this.#clock.wallSeconds());
    return (entry) => {
      if (entry.heldUntilMs > nowMs) return entry.heldUntilMs;
      if (this.waitsForPower(entry, nowMs, rules)) return entry.bornMs + rules.afterMs;
      const { urgent, type, source } = entry.notification;
      const isEnd = type === 'POWER_RESTORED' && this.#reportedSources.has(source);
      return isQuiet && !urgent && !isEnd ? nowMs + quietCheckMs : 0;
    };
  }
}
