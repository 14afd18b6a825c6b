// Moves notifications from the outbox to the notify worker and to storage: one request in flight to each, and nothing
// waits for them. A restarted worker gets what storage may not have, then what storage has pending.
import type { Notification } from '../../shared/domain/notification.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { linkFailure } from '../../shared/protocol/contract.js';
import { maxRecordsPerRequest } from '../../shared/protocol/notification-records.js';
import type { Task } from '../../shared/protocol/notify.js';
import { maxPerTake } from '../../shared/protocol/notify.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Outbox } from './outbox.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A worker only copies a batch into memory. */
const takeDeadlineMs = 2000;
/**
 * A commit takes milliseconds; after this time the request is sent again, and storage recognises what it has committed.
 */
const storageDeadlineMs = 10_000;
/** While one of the two refuses or is down: one local request each second. */
const retryMs = 1000;
/** Tasks for a worker that is alive; it takes fifty at a time. */
const maxTasks = 10_000;
/** Old rows cost only space: they are pruned soon after the work of a start, and then at this interval. */
const firstPruneMs = 60_000;
const pruneMs = 3_600_000;
/**
 * At most this many requests in a row: a clock set ahead by years must not delete everything before an operator can notice.
 */
const pruneSteps = 20;

export interface DeliveryDependencies {
  readonly outbox: Outbox;
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly take: (tasks: Task[], deadlineMs: number) => Promise<Outcome<object>>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: () => { readonly retentionSeconds: number; readonly maxAgeSeconds: number };
}

export class NotificationDelivery {
  readonly #deps: DeliveryDependencies;
  #connected = false;
  /** Counts the starts of the worker: an answer to an earlier instance is ignored. */
  #epoch = 0;
  #tasks: Task[] = [];
  #taking = false;
  #takeAtMs = 0;
  /** Where the next read of pending deliveries in storage starts; null once all were read. */
  #reloadAfter: number | null = null;
  #storing = false;
  #storeAtMs = 0;
  #pruneAtMs: number;
  #pruneSteps = 0;
  #waitingForEnd: (() => void) | undefined;
  #endAtMs = 0;

  constructor(deps: DeliveryDependencies) {
    this.#deps = deps;
    this.#pruneAtMs = deps.clock.monotonicMs() + firstPruneMs;
  }

  /** A worker is ready and has no tasks. */
  connect(): void {
    this.#epoch += 1;
    this.#connected = true;
    this.#taking = false;
    this.#takeAtMs = 0;
    this.#reloadAfter = 0;
    this.#tasks = [...this.#deps.outbox.tasks()];
    this.tick();
  }

  disconnect(): void {
    this.#connected = false;
    this.#tasks = [];
  }

  /** A new notification, which is in the outbox already. */
  enqueue(notification: Notification): void {
    if (this.#connected) {
      this.#tasks.push({ notification, waiting: null });
      if (this.#tasks.length > maxTasks) {
        // It stays recorded as pending: the next start of the worker delivers it.
        const victim = this.#tasks.findIndex((task) => !task.notification.urgent);
        this.#tasks.splice(Math.max(0, victim), 1);
      }
    }
    this.tick();
  }

  tick(): void {
    this.#pumpWorker();
    this.#pumpStorage();
    if (this.#waitingForEnd === undefined) return;
    const done = this.#deps.outbox.empty && !this.#storing;
    if (done || this.#now() >= this.#endAtMs) this.#waitingForEnd();
  }

  /** Settles when storage has everything, or at the deadline. */
  recorded(deadlineMs: number): Promise<void> {
    this.#endAtMs = this.#now() + deadlineMs;
    const done = new Promise<void>((resolve) => (this.#waitingForEnd = resolve));
    this.tick();
    return done;
  }

  #pumpWorker(): void {
    if (!this.#connected || this.#taking || this.#tasks.length === 0 || this.#now() < this.#takeAtMs) return;
    const tasks = this.#tasks.slice(0, maxPerTake);
    this.#taking = true;
    const epoch = this.#epoch;
    void this.#deps.take(tasks, takeDeadlineMs).then((outcome) => {
      if (epoch !== this.#epoch) return;
      this.#taking = false;
      // A batch without an answer may have been taken; the worker recognises it when it is sent again.
      if (outcome.ok) this.#drop(tasks);
      else this.#takeAtMs = this.#now() + retryMs;
      this.#pumpWorker();
      this.#pumpStorage();
    });
  }

  #drop(tasks: readonly Task[]): void {
    const taken = new Set(tasks);
    this.#tasks = this.#tasks.filter((task) => !taken.has(task));
  }

  #pumpStorage(): void {
    if (this.#storing || this.#now() < this.#storeAtMs) return;
    const next = this.#nextForStorage();
    if (next === undefined) return;
    this.#storing = true;
    void next().then((good) => {
      this.#storing = false;
      if (!good) this.#storeAtMs = this.#now() + retryMs;
      this.tick();
    });
  }

  /** First new records, then reads, then pruning. */
  #nextForStorage(): (() => Promise<boolean>) | undefined {
    if (!this.#deps.outbox.empty) return () => this.#record();
    const after = this.#reloadAfter;
    if (this.#connected && after !== null && this.#tasks.length < maxPerTake)
      return () => this.#reload(after);
    return this.#now() >= this.#pruneAtMs ? () => this.#prune() : undefined;
  }

  async #record(): Promise<boolean> {
    const { outbox, storage, log } = this.#deps;
    const records = [...outbox.take(maxRecordsPerRequest)];
    const outcome = await storage.request('notifications.record', { records }, storageDeadlineMs);
    if (outcome.ok) outbox.acknowledged();
    else if (outcome.error.code === linkFailure.invalid) {
      // A bug must not block all later records.
      outbox.dropInFlight();
      log.error(`${String(records.length)} notifications cannot be recorded: ${outcome.error.message}`);
    } else {
      outbox.retry();
      return false;
    }
    return true;
  }

  async #reload(after: number): Promise<boolean> {
    const epoch = this.#epoch;
    const { outbox, storage } = this.#deps;
    const outcome = await storage.request('notifications.recall', { after }, storageDeadlineMs);
    // The worker was lost meanwhile; its successor starts from the beginning.
    if (epoch !== this.#epoch) return true;
    if (!outcome.ok) return false;
    for (const { notification, waiting } of outcome.value.tasks) {
      const rest = waiting.filter(({ service }) => !outbox.isOver(notification.id, service));
      if (rest.length > 0) this.#tasks.push({ notification, waiting: rest });
    }
    this.#reloadAfter = outcome.value.next;
    return true;
  }

  async #prune(): Promise<boolean> {
    const { storage, clock, limits } = this.#deps;
    const { retentionSeconds, maxAgeSeconds } = limits();
    const settledBefore = Math.max(0, clock.wallSeconds() - retentionSeconds);
    const allBefore = Math.max(0, settledBefore - maxAgeSeconds);
    const outcome = await storage.request(
      'notifications.forget',
      { settledBefore, allBefore },
      storageDeadlineMs,
    );
    if (!outcome.ok) return false;
    this.#pruneSteps += 1;
    if (outcome.value.more && this.#pruneSteps < pruneSteps) return true;
    this.#pruneSteps = 0;
    this.#pruneAtMs = this.#now() + pruneMs;
    return true;
  }

  #now(): number {
    return this.#deps.clock.monotonicMs();
  }
}
