// Between the ledger, the notify worker and storage: one request under way to each, nothing waited for. A worker that
// starts anew gets what storage may not know, and then what storage remembers.
import type { Notification } from '../../shared/domain/notification.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { linkFailure } from '../../shared/protocol/contract.js';
import { mostRecordsPerRequest } from '../../shared/protocol/notification-records.js';
import type { Task } from '../../shared/protocol/notify.js';
import { mostPerTake } from '../../shared/protocol/notify.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Outbox } from './outbox.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A worker takes a batch into memory, which is a matter of milliseconds. */
const takeDeadlineMs = 2000;
/** A commit takes milliseconds; a disk that needs longer is asked again, and knows what it has done already. */
const storageDeadlineMs = 10_000;
/** Between tries while one of the two refuses or is down: a local request each second costs nothing. */
const retryMs = 1000;
/** What may wait for a worker that is alive: it takes fifty at a time. */
const mostToTake = 10_000;
/** Old rows cost only space; they are looked for soon after a start, when that is over, and then this often. */
const firstForgetMs = 60_000;
const forgetMs = 3_600_000;
/** A clock that was set ahead by years must not empty the queue before somebody has noticed. */
const forgetSteps = 20;

export interface DeliveryDependencies {
  readonly ledger: Outbox;
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly take: (tasks: Task[], deadlineMs: number) => Promise<Outcome<object>>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: () => { readonly retentionSeconds: number; readonly maxAgeSeconds: number };
}

export class NotificationDelivery {
  readonly #deps: DeliveryDependencies;
  #connected = false;
  /** Counts the lives of the worker: what an earlier one was asked says nothing of this one. */
  #life = 0;
  #toTake: Task[] = [];
  #taking = false;
  #takeAtMs = 0;
  /** Where to go on reading what storage remembers; null once all of it was handed over. */
  #recallAfter: number | null = null;
  #storing = false;
  #storeAtMs = 0;
  #forgetAtMs: number;
  #forgetSteps = 0;
  #waitingForEnd: (() => void) | undefined;
  #endAtMs = 0;

  constructor(deps: DeliveryDependencies) {
    this.#deps = deps;
    this.#forgetAtMs = deps.clock.monotonicMs() + firstForgetMs;
  }

  /** A worker has become ready: it knows nothing yet. */
  connect(): void {
    this.#life += 1;
    this.#connected = true;
    this.#taking = false;
    this.#takeAtMs = 0;
    this.#recallAfter = 0;
    this.#toTake = [...this.#deps.ledger.tasks()];
    this.tick();
  }

  disconnect(): void {
    this.#connected = false;
    this.#toTake = [];
  }

  /** A new message, which the ledger has already. */
  hand(notification: Notification): void {
    if (this.#connected) {
      this.#toTake.push({ notification, waiting: null });
      if (this.#toTake.length > mostToTake) {
        // It stays recorded as pending and is taken up when the worker starts anew.
        const victim = this.#toTake.findIndex((task) => !task.notification.urgent);
        this.#toTake.splice(Math.max(0, victim), 1);
      }
    }
    this.tick();
  }

  tick(): void {
    this.#pumpWorker();
    this.#pumpStorage();
    if (this.#waitingForEnd === undefined) return;
    const done = this.#deps.ledger.empty && !this.#storing;
    if (done || this.#now() >= this.#endAtMs) this.#waitingForEnd();
  }

  /** Settles once storage knows everything, or at the deadline. */
  recorded(deadlineMs: number): Promise<void> {
    this.#endAtMs = this.#now() + deadlineMs;
    const done = new Promise<void>((resolve) => (this.#waitingForEnd = resolve));
    this.tick();
    return done;
  }

  #pumpWorker(): void {
    if (!this.#connected || this.#taking || this.#toTake.length === 0 || this.#now() < this.#takeAtMs) return;
    const tasks = this.#toTake.slice(0, mostPerTake);
    this.#taking = true;
    const life = this.#life;
    void this.#deps.take(tasks, takeDeadlineMs).then((outcome) => {
      if (life !== this.#life) return;
      this.#taking = false;
      // What was taken although nobody said so is recognised when it comes again.
      if (outcome.ok) this.#drop(tasks);
      else this.#takeAtMs = this.#now() + retryMs;
      this.#pumpWorker();
      this.#pumpStorage();
    });
  }

  #drop(tasks: readonly Task[]): void {
    const taken = new Set(tasks);
    this.#toTake = this.#toTake.filter((task) => !taken.has(task));
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

  /** What happened first, then what to remember, then what to forget. */
  #nextForStorage(): (() => Promise<boolean>) | undefined {
    if (!this.#deps.ledger.empty) return () => this.#record();
    const after = this.#recallAfter;
    if (this.#connected && after !== null && this.#toTake.length < mostPerTake)
      return () => this.#recall(after);
    return this.#now() >= this.#forgetAtMs ? () => this.#forget() : undefined;
  }

  async #record(): Promise<boolean> {
    const { ledger, storage, log } = this.#deps;
    const records = [...ledger.next(mostRecordsPerRequest)];
    const outcome = await storage.request('notifications.record', { records }, storageDeadlineMs);
    if (outcome.ok) ledger.recorded();
    else if (outcome.error.code === linkFailure.invalid) {
      // A bug of ours must not stand before all that follows.
      ledger.unreadable();
      log.error(`${String(records.length)} notifications cannot be recorded: ${outcome.error.message}`);
    } else {
      ledger.refused();
      return false;
    }
    return true;
  }

  async #recall(after: number): Promise<boolean> {
    const life = this.#life;
    const { ledger, storage } = this.#deps;
    const outcome = await storage.request('notifications.recall', { after }, storageDeadlineMs);
    // A worker that was lost meanwhile begins from the start.
    if (life !== this.#life) return true;
    if (!outcome.ok) return false;
    for (const { notification, waiting } of outcome.value.tasks) {
      const rest = waiting.filter(({ service }) => !ledger.isOver(notification.id, service));
      if (rest.length > 0) this.#toTake.push({ notification, waiting: rest });
    }
    this.#recallAfter = outcome.value.next;
    return true;
  }

  async #forget(): Promise<boolean> {
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
    this.#forgetSteps += 1;
    if (outcome.value.more && this.#forgetSteps < forgetSteps) return true;
    this.#forgetSteps = 0;
    this.#forgetAtMs = this.#now() + forgetMs;
    return true;
  }

  #now(): number {
    return this.#deps.clock.monotonicMs();
  }
}
