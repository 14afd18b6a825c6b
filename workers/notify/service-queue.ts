// One service with its queue and schedule: at most one delivery under way, safety events first, exponential backoff. It
// knows no other service, and no service waits for another.
import type { CancelReason, Delivery, Notification } from '../../shared/domain/notification.js';
import type { NotifySettings } from '../../shared/protocol/notify.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import { attempt, givenUp } from './attempt.js';
import { retryPauseMs } from './backoff.js';
import type { Entry, SendWindow } from './backlog.js';
import { Backlog } from './backlog.js';
import { coalesced } from './coalesce.js';
import type { Message } from './message.js';
import { messageOf } from './message.js';
import type { SendFault, SendOutcome } from './services/outcome.js';
import type { Service } from './services/service.js';

/** A Node timer takes at most 2^31 ms; a check once an hour costs nothing. */
const maxSleepMs = 3_600_000;
/** Above so many consecutive failures nothing changes. */
const maxCounted = 1000;

export interface QueueSettings extends Readonly<Omit<NotifySettings, 'services' | 'title'>> {
  readonly title: string;
}

export interface QueueDependencies {
  readonly id: string;
  /** `notifications.urls[0] (ntfy)`: has no part of the address. */
  readonly name: string;
  readonly service: Service;
  readonly clock: Clock;
  readonly setTimer: (ms: number, then: () => void) => () => void;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Logger;
  /** Reports a delivery; `isSummary`: this queue created the message. */
  readonly report: (notification: Notification, delivery: Delivery, isSummary: boolean) => void;
}

export interface TestAnswer {
  readonly outcome: SendOutcome;
  readonly seconds: number;
}

interface Test {
  readonly message: Message;
  readonly answer: (answer: TestAnswer) => void;
}

export class ServiceQueue {
  readonly #deps: QueueDependencies;
  #settings: QueueSettings;
  readonly #backlog = new Backlog();
  readonly #tests: Test[] = [];
  #underWay: Entry | Test | undefined;
  #giveUp: () => void = () => undefined;
  #failures = 0;
  #pausedUntilMs = 0;
  #closedUntilMs = 0;
  #arrivals = 0;
  #stale = 0;
  #mayCoalesce = false;
  #cancelSleep: () => void = () => undefined;
  #state: 'running' | 'draining' | 'stopped' = 'running';
  #drained: () => void = () => undefined;
  #lastFault: SendFault['code'] | undefined;
  #lastWarning: string | null = null;

  constructor(deps: QueueDependencies, settings: QueueSettings) {
    this.#deps = deps;
    this.#settings = settings;
  }

  get size(): number {
    return this.#backlog.size;
  }

  reconfigure(settings: QueueSettings): void {
    this.#settings = settings;
    this.#pump();
  }

  /** `attempts`: those that failed in an earlier instance. */
  take(notification: Notification, attempts: number): void {
    if (this.#backlog.has(notification.id)) return;
    const { clock } = this.#deps;
    const ageMs = Math.max(0, clock.wallSeconds() - notification.at) * 1000;
    this.#add(notification, attempts, clock.monotonicMs() - ageMs);
    if (isOfOutage(notification)) this.#mayCoalesce = true;
  }

  /** Call it after `take`. */
  wake(): void {
    this.#pump();
  }

  /** One attempt, ahead of the queue and any pause; it waits only for the delivery under way. */
  test(message: Message): Promise<TestAnswer> {
    return new Promise((answer) => {
      this.#tests.push({ message, answer });
      this.#pump();
    });
  }

  /** The service was removed: cancels its deliveries. */
  abandon(): void {
    this.stop();
    for (const entry of this.#backlog.clear()) this.#cancelled(entry, 'superseded');
  }

  /** Ends immediately; waiting messages stay pending and are not reported. */
  stop(): void {
    this.#state = 'stopped';
    this.#cancelSleep();
    this.#giveUp();
    for (const test of this.#tests.splice(0)) test.answer({ outcome: givenUp, seconds: 0 });
    this.#drained();
  }

  /** Tries each message without an attempt once, then ends; the caller sets a deadline and calls `stop`. */
  drain(): Promise<void> {
    this.#state = 'draining';
    const done = new Promise<void>((resolve) => (this.#drained = resolve));
    this.#pump();
    return done;
  }

  #pump(): void {
    this.#cancelSleep();
    if (this.#state === 'stopped') return;
    this.#tidy();
    if (this.#underWay !== undefined) return;
    const test = this.#tests.shift();
    if (test !== undefined) {
      this.#try(test, test.message);
      return;
    }
    const window = this.#sendWindow();
    const entry = this.#state === 'draining' ? this.#backlog.nextUntried(window) : this.#backlog.next(window);
    if (entry !== undefined) {
      const { clock } = this.#deps;
      this.#try(entry, messageOf(entry.notification, this.#settings.title, clock.wallSeconds()));
    } else if (this.#state === 'draining') this.#drained();
    else this.#sleep(window);
  }

  /** Cancels messages that are too old or too many, and coalesces outages. */
  #tidy(): void {
    const { maxAgeSeconds, maxPending } = this.#settings;
    const kept =
      this.#underWay !== undefined && 'notification' in this.#underWay ? this.#underWay : undefined;
    const bornBeforeMs = this.#deps.clock.monotonicMs() - maxAgeSeconds * 1000;
    for (const entry of this.#backlog.expire(bornBeforeMs, kept)) this.#cancelled(entry, 'too_old');
    if (this.#mayCoalesce) this.#coalesce(kept);
    for (const entry of this.#backlog.overflow(maxPending, kept)) this.#cancelled(entry, 'overflow');
  }

  #coalesce(kept: Entry | undefined): void {
    this.#mayCoalesce = false;
    const waiting = this.#backlog.entries().filter((entry) => entry !== kept);
    const byId = new Map(waiting.map((entry) => [entry.notification.id, entry]));
    for (const { replaced, summary } of coalesced(waiting.map(({ notification }) => notification))) {
      const [first] = replaced;
      const bornMs = (first === undefined ? undefined : byId.get(first.id))?.bornMs ?? 0;
      for (const { id } of replaced) {
        const entry = byId.get(id);
        if (entry === undefined) continue;
        this.#backlog.remove(entry);
        this.#cancelled(entry, 'coalesced');
      }
      if (this.#backlog.has(summary.id)) continue;
      this.#report(this.#add(summary, 0, bornMs), 'pending', null, true);
    }
  }

  #add(notification: Notification, attempts: number, bornMs: number): Entry {
    this.#arrivals += 1;
    const entry: Entry = { notification, attempts, dueMs: 0, bornMs, arrival: this.#arrivals };
    this.#backlog.add(entry);
    return entry;
  }

  #sendWindow(): SendWindow {
    return {
      nowMs: this.#deps.clock.monotonicMs(),
      pausedUntilMs: this.#pausedUntilMs,
      closedUntilMs: this.#closedUntilMs,
      stale: this.#stale,
    };
  }

  #sleep(window: SendWindow): void {
    if (this.#backlog.size === 0) return;
    const ms = Math.min(maxSleepMs, Math.max(1, Math.ceil(this.#backlog.nextAtMs(window) - window.nowMs)));
    this.#cancelSleep = this.#deps.setTimer(ms, () => this.#pump());
  }

  #try(what: Entry | Test, message: Message): void {
    const { clock, service, setTimer } = this.#deps;
    const startedMs = clock.monotonicMs();
    this.#underWay = what;
    this.#giveUp = attempt(service, message, this.#settings.timeoutMs, setTimer, (outcome) => {
      this.#underWay = undefined;
      if ('notification' in what) this.#settled(what, outcome);
      else what.answer({ outcome, seconds: (clock.monotonicMs() - startedMs) / 1000 });
      this.#pump();
    });
  }

  #settled(entry: Entry, outcome: SendOutcome): void {
    if (outcome === givenUp) return;
    if (outcome.ok) this.#delivered(entry, outcome.warning);
    else this.#failed(entry, outcome.fault);
  }

  #delivered(entry: Entry, warning: string | null): void {
    this.#backlog.remove(entry);
    entry.attempts += 1;
    this.#report(entry, 'sent', null);
    this.#failures = 0;
    this.#pausedUntilMs = 0;
    this.#closedUntilMs = 0;
    const { name, log } = this.#deps;
    // Once, until the warning changes.
    if (warning !== null && warning !== this.#lastWarning)
      log.warning(`${name}: a message was delivered, but ${warning}.`);
    this.#lastWarning = warning;
    if (this.#lastFault === undefined) return;
    this.#lastFault = undefined;
    const rest = this.#backlog.size === 0 ? '' : `; ${String(this.#backlog.size)} more follow`;
    log.info(`${name}: messages are delivered again${rest}`);
  }

  #failed(entry: Entry, fault: SendFault): void {
    const nowMs = this.#deps.clock.monotonicMs();
    const pause = (failures: number): number =>
      nowMs + retryPauseMs(failures, this.#settings, this.#deps.random());
    this.#failures = Math.min(this.#failures + 1, maxCounted);
    this.#pausedUntilMs = pause(this.#failures);
    this.#stale = this.#arrivals;
    const { retryAfterMs } = fault;
    // BUSY applies to every message, also to safety events, and uses no attempt of this one.
    if (fault.code === 'BUSY') this.#closedUntilMs = this.#pausedUntilMs;
    else entry.attempts += 1;
    if (retryAfterMs !== null) this.#closedUntilMs = nowMs + retryAfterMs;
    this.#logFault(fault);
    if (isOfOutage(entry.notification)) this.#mayCoalesce = true;
    const { maxAttempts } = this.#settings;
    if (maxAttempts > 0 && entry.attempts >= maxAttempts) {
      this.#backlog.remove(entry);
      this.#cancelled(entry, 'max_attempts');
      return;
    }
    // Other messages may be sent before the next attempt of this one.
    if (fault.code === 'REFUSED') entry.dueMs = pause(entry.attempts);
    this.#report(entry, 'pending', null);
  }

  /** Logs the first failure of a kind, not each of them. */
  #logFault(fault: SendFault): void {
    if (this.#lastFault === fault.code) return;
    this.#lastFault = fault.code;
    const { name, log } = this.#deps;
    const waiting = String(this.#backlog.size);
    log.warning(
      `${name}: a message could not be delivered: ${fault.message}. ${waiting} pending; the daemon tries again.`,
    );
  }

  #cancelled(entry: Entry, reason: CancelReason): void {
    this.#report(entry, 'cancelled', reason);
  }

  #report(entry: Entry, state: Delivery['state'], reason: CancelReason | null, isSummary = false): void {
    const { id: service, clock, report } = this.#deps;
    const { notification, attempts } = entry;
    report(notification, { service, state, reason, attempts, at: clock.wallSeconds() }, isSummary);
  }
}

function isOfOutage({ type }: Notification): boolean {
  return type === 'ON_BATTERY' || type === 'POWER_RESTORED';
}
