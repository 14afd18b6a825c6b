// One service with its queue and schedule: at most one delivery under way, safety events first, pauses after failures, and the
// rules of the service. It knows no other service, and no service waits for another.
import type { CancelReason, Delivery, Notification } from '../../shared/domain/services/notification.js';
import type { NotifySettings, ServiceSettings, ServiceState } from '../../shared/protocol/notify.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import { attempt, givenUp } from './attempt.js';
import { retryPauseMs } from './backoff.js';
import type { QueueEntry, SendWindow } from './backlog.js';
import { Backlog } from './backlog.js';
import { MessageHolds } from './holds.js';
import type { Message } from './message.js';
import { messageOf } from './message.js';
import { mergedOutages } from './outages.js';
import { Pauses } from './pauses.js';
import type { SendFault, SendOutcome } from './services/outcome.js';
import type { Service } from './services/service.js';

/** A Node timer takes at most 2^31 ms; a check once an hour costs nothing. */
const maxSleepMs = 3_600_000;
export interface QueueSettings extends Readonly<
  Omit<NotifySettings, 'services' | 'title' | 'mailHostName' | 'proxies'>
> {
  /** `notifications.title`, or the name of this host. */
  readonly host: string;
  readonly rules: ServiceSettings;
  readonly service: Service;
}

export interface QueueDependencies {
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

type Age = Pick<QueueEntry, 'bornMs' | 'writtenMs' | 'isAgeUnknown'>;

interface Test {
  readonly message: Message;
  readonly answer: (answer: TestAnswer) => void;
}

export class ServiceQueue {
  readonly #deps: QueueDependencies;
  #settings: QueueSettings;
  readonly #backlog = new Backlog();
  readonly #tests: Test[] = [];
  #underWay: QueueEntry | Test | undefined;
  #giveUp: () => void = () => undefined;
  readonly #pauses = new Pauses();
  readonly #holds: MessageHolds;
  #arrivals = 0;
  #mayCoalesce = false;
  /** When the held messages of brief outages are merged and sent; Infinity when none is held. */
  #digestAtMs = Number.POSITIVE_INFINITY;
  #cancelSleep: () => void = () => undefined;
  #state: 'running' | 'draining' | 'stopped' = 'running';
  #drained: () => void = () => undefined;
  #lastFault: SendFault | undefined;
  #lastWarning: string | null = null;

  constructor(deps: QueueDependencies, settings: QueueSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#holds = new MessageHolds(deps.clock);
  }

  get state(): ServiceState {
    const { failures } = this.#pauses;
    const { id } = this.#settings.rules;
    return { id, pending: this.#backlog.size, failures, fault: this.#lastFault?.message ?? '' };
  }

  reconfigure(settings: QueueSettings): void {
    this.#settings = settings;
    this.#mayCoalesce = true;
    this.#pump();
  }

  /** `attempts`: those that failed in an earlier instance. `bornMs` and `isAgeUnknown` as of a `Task`. */
  take(notification: Notification, attempts: number, bornMs: number, isAgeUnknown = false): void {
    if (this.#backlog.has(notification.id)) return;
    this.#add(notification, attempts, { bornMs, writtenMs: bornMs, isAgeUnknown });
    this.#holds.arrived(notification);
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
      const seconds = (this.#deps.clock.monotonicMs() - entry.writtenMs) / 1000;
      const late = entry.isAgeUnknown ? null : seconds;
      this.#try(entry, messageOf(entry.notification, this.#settings, late, this.#deps.clock.wallSeconds()));
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
    if (this.#mayCoalesce || this.#digestAtMs <= this.#deps.clock.monotonicMs()) this.#coalesce(kept);
    for (const entry of this.#backlog.overflow(maxPending, kept)) this.#cancelled(entry, 'overflow');
  }

  #coalesce(kept: QueueEntry | undefined): void {
    this.#mayCoalesce = false;
    const { rules, sources } = this.#settings;
    const merged = mergedOutages(
      this.#backlog.entries().filter((entry) => entry !== kept),
      {
        rules,
        holds: this.#holds,
        nowMs: this.#deps.clock.monotonicMs(),
        labelOf: (source) => sources.find(({ groupId }) => groupId === source)?.label ?? source,
      },
    );
    this.#digestAtMs = merged.digestAtMs;
    for (const entry of merged.held) entry.heldUntilMs = merged.digestAtMs;
    for (const { entries, summary } of merged.mergers) {
      for (const entry of entries) {
        this.#backlog.remove(entry);
        this.#cancelled(entry, 'coalesced');
      }
      if (summary === null || this.#backlog.has(summary.id)) continue;
      const bornMs = entries[0]?.bornMs ?? 0;
      const writtenMs = entries.at(-1)?.bornMs ?? bornMs;
      const isAgeUnknown = entries.some((entry) => entry.isAgeUnknown);
      const added = this.#add(summary, 0, { bornMs, writtenMs, isAgeUnknown });
      this.#report(added, 'pending', null, true);
    }
  }

  #add(notification: Notification, attempts: number, age: Age): QueueEntry {
    this.#arrivals += 1;
    const arrival = this.#arrivals;
    const entry: QueueEntry = { notification, attempts, dueMs: 0, heldUntilMs: 0, ...age, arrival };
    this.#backlog.add(entry);
    return entry;
  }

  #sendWindow(): SendWindow {
    return {
      nowMs: this.#deps.clock.monotonicMs(),
      ...this.#pauses,
      heldUntilMs: this.#holds.until(this.#settings.rules),
    };
  }

  #sleep(window: SendWindow): void {
    if (this.#backlog.size === 0) return;
    const ms = Math.min(maxSleepMs, Math.max(1, Math.ceil(this.#backlog.nextAtMs(window) - window.nowMs)));
    this.#cancelSleep = this.#deps.setTimer(ms, () => this.#pump());
  }

  #try(what: QueueEntry | Test, message: Message): void {
    const { clock, setTimer } = this.#deps;
    const { service, timeoutMs } = this.#settings;
    const startedMs = clock.monotonicMs();
    this.#underWay = what;
    this.#giveUp = attempt(service, message, timeoutMs, setTimer, (outcome) => {
      this.#underWay = undefined;
      if ('notification' in what) this.#settled(what, outcome);
      else what.answer({ outcome, seconds: (clock.monotonicMs() - startedMs) / 1000 });
      this.#pump();
    });
  }

  #settled(entry: QueueEntry, outcome: SendOutcome): void {
    if (outcome === givenUp) return;
    if (outcome.ok) this.#delivered(entry, outcome.warning);
    else this.#failed(entry, outcome.fault);
  }

  #delivered(entry: QueueEntry, warning: string | null): void {
    this.#backlog.remove(entry);
    entry.attempts += 1;
    this.#holds.delivered(entry.notification);
    this.#report(entry, 'sent', null);
    this.#pauses.succeeded();
    const { log } = this.#deps;
    const { name } = this.#settings.rules;
    // Once, until the warning changes.
    if (warning !== null && warning !== this.#lastWarning)
      log.warning(`${name}: a message was delivered, but ${warning}.`);
    this.#lastWarning = warning;
    if (this.#lastFault === undefined) return;
    this.#lastFault = undefined;
    const rest = this.#backlog.size === 0 ? '' : `; ${String(this.#backlog.size)} more follow`;
    log.info(`${name}: messages are delivered again${rest}`);
  }

  #failed(entry: QueueEntry, fault: SendFault): void {
    const { clock, random } = this.#deps;
    const nowMs = clock.monotonicMs();
    this.#pauses.failed(fault, this.#arrivals, nowMs, this.#settings, random());
    // BUSY uses no attempt of this message.
    if (fault.code !== 'BUSY') entry.attempts += 1;
    this.#logFault(fault);
    if (isOfOutage(entry.notification)) this.#mayCoalesce = true;
    const { maxAttempts } = this.#settings;
    if (maxAttempts > 0 && entry.attempts >= maxAttempts) {
      this.#backlog.remove(entry);
      this.#cancelled(entry, 'max_attempts');
      return;
    }
    // Other messages may be sent before the next attempt of this one.
    if (fault.code === 'REFUSED')
      entry.dueMs = nowMs + retryPauseMs(entry.attempts, this.#settings, random());
    this.#report(entry, 'pending', null);
  }

  /** Logs the first failure of a kind, not each of them. */
  #logFault(fault: SendFault): void {
    const isKnown = this.#lastFault?.code === fault.code;
    this.#lastFault = fault;
    if (isKnown) return;
    const { log } = this.#deps;
    const { name } = this.#settings.rules;
    log.warning(
      `${name}: a message could not be delivered: ${fault.message}. ${String(this.#backlog.size)} pending; the daemon tries again.`,
    );
  }

  #cancelled(entry: QueueEntry, reason: CancelReason): void {
    this.#report(entry, 'cancelled', reason);
  }

  #report(entry: QueueEntry, state: Delivery['state'], reason: CancelReason | null, isSummary = false): void {
    const { clock, report } = this.#deps;
    const { id: service } = this.#settings.rules;
    const { notification, attempts } = entry;
    report(notification, { service, state, reason, attempts, at: clock.wallSeconds() }, isSummary);
  }
}

function isOfOutage({ type }: Notification): boolean {
  return type === 'ON_BATTERY' || type === 'POWER_RESTORED';
}
