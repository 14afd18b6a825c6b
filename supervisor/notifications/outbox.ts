// Every message that is not settled, in memory. The notify worker delivers from it at once, and storage keeps a copy beside it:
// neither waits for the other, nothing waits for them, and nothing here fails. A restarted worker gets all of it; a
// restarted daemon reads the copy once.
import type { Delivery, Notification } from '../../shared/domain/services/notification.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { maxRecordsPerRequest } from '../../shared/protocol/notification-records.js';
import type { Task } from '../../shared/protocol/notify.js';
import { maxPerTake } from '../../shared/protocol/notify.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';
import { AppendQueue } from '../queues/append-queue.js';
import { deadlineMs, Turns } from '../queues/turns.js';
import { bornAt } from './recalled-age.js';

/** A worker only copies a batch into memory. */
const takeDeadlineMs = 2000;
/** Days of a bad outage with a dead disk or worker: some 20 MB. */
const maxEntries = 20_000;
/** Above this, stored messages stay in storage until there is room. */
const maxLoaded = 10_000;

interface OutboxEntry {
  readonly id: string;
  /** Null: a change of a message that is no longer here. */
  readonly notification: Notification | null;
  readonly deliveries: Map<string, Delivery>;
  /** Monotonic time of the event. */
  readonly bornMs: number;
  /** The clock was set since: the message is at least as old as `bornMs` says. */
  readonly isAgeUnknown: boolean;
  /** Storage has the message, though maybe not its latest deliveries. */
  isStored: boolean;
}

export interface OutboxDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly take: (tasks: Task[], deadlineMs: number) => Promise<Outcome<object>>;
  readonly clock: Clock;
  readonly bootId: string;
  readonly log: Logger;
  readonly maxEntries?: number;
}

export class Outbox {
  readonly #deps: OutboxDependencies;
  readonly #maxEntries: number;
  /** In order of arrival; an entry ends when all its deliveries are settled and stored. */
  readonly #entries = new Map<string, OutboxEntry>();
  /** What storage does not have, by id: a later change of an entry is a change again. */
  readonly #unstored: AppendQueue<{ readonly entry: OutboxEntry }>;
  readonly #storing: Turns;
  /** What the worker does not have. */
  #unsent = new Set<OutboxEntry>();
  /** To the worker; undefined without one. Each instance has its own: an answer of an earlier one is ignored. */
  #sending: Turns | undefined;
  /** Where the next read of stored messages starts; null once all are here. */
  #loadAfter: number | null = 0;
  /** Stored as any other, and not for the worker yet. */
  readonly #held = new Set<string>();
  #waiting: { readonly resolve: () => void; readonly untilMs: number } | undefined;

  constructor(deps: OutboxDependencies) {
    this.#deps = deps;
    this.#maxEntries = deps.maxEntries ?? maxEntries;
    this.#unstored = new AppendQueue({
      perRequest: maxRecordsPerRequest,
      send: (batch) => this.#record(batch.map(({ entry }) => entry)),
      taken: (batch) => {
        for (const { entry } of batch) this.#markStored(entry);
      },
      dropped: ({ entry }, why) => {
        if (why !== null) deps.log.error(`a notification cannot be stored: ${why.message}`);
        this.#markStored(entry);
      },
    });
    this.#storing = new Turns(
      deps.clock,
      () => this.#unstored.next() ?? this.#nextLoad(),
      () => this.tick(),
    );
  }

  /** A message of now to these services. `isStored`: storage has it; `isHeld`: it waits for `release` or `drop`. */
  post(notification: Notification, services: readonly string[], isStored = false, isHeld = false): void {
    const { id, at } = notification;
    if (this.#entries.has(id)) return;
    const pending = services.map((service) => [service, pendingDelivery(service, 0, at)] as const);
    const deliveries = new Map(pending);
    const entry = { id, notification, deliveries, bornMs: this.#now(), isAgeUnknown: false, isStored };
    this.#entries.set(id, entry);
    if (isHeld) this.#held.add(id);
    if (!isStored) this.#unstored.push({ entry }, id);
    this.#unsent.add(entry);
    this.#bound();
    this.tick();
  }

  release(id: string): void {
    this.#held.delete(id);
    this.tick();
  }

  /** Nobody gets the message. */
  drop(id: string): void {
    const at = this.#deps.clock.wallSeconds();
    for (const { service } of this.#entries.get(id)?.deliveries.values() ?? [])
      this.changed(id, { service, state: 'cancelled', reason: 'coalesced', attempts: 0, at });
    this.release(id);
  }

  /** The worker reports a delivery, `summary` for a message that it has created. */
  changed(id: string, delivery: Delivery, summary: Notification | null = null): void {
    const entry = this.#entries.get(id) ?? {
      id,
      notification: summary,
      deliveries: new Map<string, Delivery>(),
      bornMs: this.#now(),
      isAgeUnknown: false,
      isStored: summary === null,
    };
    this.#entries.set(id, entry);
    entry.deliveries.set(delivery.service, delivery);
    this.#unstored.push({ entry }, id);
    this.#bound();
  }

  /** The message is not delivered to all its services. */
  isOpen(id: string): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && isOpen(entry);
  }

  /** The message is here, with a delivery to this service. */
  waitsFor(id: string, service: string): boolean {
    return this.#entries.get(id)?.deliveries.has(service) === true;
  }

  /** A worker is ready and has no messages. */
  connect(): void {
    this.#unsent = new Set(this.#entries.values());
    const sending: Turns = new Turns(this.#deps.clock, () => this.#nextSend(sending));
    this.#sending = sending;
    this.tick();
  }

  disconnect(): void {
    this.#sending = undefined;
  }

  tick(): void {
    this.#sending?.tick();
    this.#storing.tick();
    const isDone = this.#unstored.length === 0 && !this.#storing.isInFlight;
    if (this.#waiting !== undefined && (isDone || this.#now() >= this.#waiting.untilMs))
      this.#waiting.resolve();
  }

  /** Settles when storage has everything, or at the deadline. */
  stored(deadlineMs: number): Promise<void> {
    const untilMs = this.#now() + deadlineMs;
    const done = new Promise<void>((resolve) => (this.#waiting = { resolve, untilMs }));
    this.tick();
    return done;
  }

  #nextSend(sending: Turns): (() => Promise<boolean>) | undefined {
    if (sending !== this.#sending) return undefined;
    const [batch, tasks] = this.#nextTasks();
    if (tasks.length === 0) return undefined;
    return async () => {
      const { ok } = await this.#deps.take(tasks, takeDeadlineMs);
      // A batch without an answer may have been taken; the worker recognises it when it is sent again.
      if (ok && sending === this.#sending) for (const entry of batch) this.#unsent.delete(entry);
      return ok;
    };
  }

  #nextTasks(): readonly [readonly OutboxEntry[], Task[]] {
    const batch: OutboxEntry[] = [];
    const tasks: Task[] = [];
    for (const entry of this.#unsent) {
      if (batch.length >= maxPerTake) break;
      if (this.#held.has(entry.id)) continue;
      const waiting = [...entry.deliveries.values()].filter(isPending);
      if (entry.notification === null || waiting.length === 0) this.#unsent.delete(entry);
      else {
        batch.push(entry);
        const { notification, bornMs, isAgeUnknown } = entry;
        tasks.push({
          notification,
          waiting: waiting.map(({ service, attempts }) => ({ service, attempts })),
          bornMs,
          ...(isAgeUnknown && { isAgeUnknown }),
        });
      }
    }
    return [batch, tasks];
  }

  #nextLoad(): (() => Promise<boolean>) | undefined {
    const after = this.#loadAfter;
    if (after === null || this.#sending === undefined || this.#entries.size >= maxLoaded) return undefined;
    return () => this.#load(after);
  }

  #record(batch: readonly OutboxEntry[]): Promise<Outcome<unknown>> {
    const records = batch.map(({ id, notification, deliveries, isStored }) => ({
      id,
      notification: isStored ? null : notification,
      deliveries: [...deliveries.values()],
    }));
    return this.#deps.storage.request('notifications.record', { records }, deadlineMs);
  }

  #markStored(entry: OutboxEntry): void {
    entry.isStored = true;
    if (!this.#unstored.has(entry.id) && !isOpen(entry)) this.#remove(entry);
  }

  async #load(after: number): Promise<boolean> {
    const { storage, bootId, clock } = this.#deps;
    const found = await storage.request('notifications.recall', { after, bootId }, deadlineMs);
    if (!found.ok) return false;
    const bornOf = bornAt({ monotonicMs: this.#now(), wallSeconds: clock.wallSeconds() }, found.value.tasks);
    for (const task of found.value.tasks) {
      const { notification, waiting } = task;
      const { id, at } = notification;
      // A message that is here is more recent here.
      if (this.#entries.has(id)) continue;
      const deliveries = waiting.map(
        ({ service, attempts }) => [service, pendingDelivery(service, attempts, at)] as const,
      );
      const entry = { id, notification, deliveries: new Map(deliveries), ...bornOf(task), isStored: true };
      this.#entries.set(id, entry);
      this.#unsent.add(entry);
    }
    this.#loadAfter = found.value.next;
    return true;
  }

  /**
   * Drops first settled messages, then those that are not urgent, then the oldest; many at once, so that a flood does not
   * search the map for each. A stored one waits for the next start.
   */
  #bound(): void {
    if (this.#entries.size <= this.#maxEntries) return;
    const all = [...this.#entries.values()];
    const open = all.filter(isOpen);
    const rest = open.filter(({ notification }) => notification?.urgent === false);
    const urgent = open.filter(({ notification }) => notification?.urgent !== false);
    const settled = all.filter((entry) => !isOpen(entry));
    const dropped = [...settled, ...rest, ...urgent].slice(0, Math.ceil(this.#maxEntries / 20));
    for (const entry of dropped) this.#remove(entry);
    const lost = dropped.filter((entry) => isOpen(entry) && !entry.isStored).length;
    if (lost > 0)
      this.#deps.log.warning(
        `${String(lost)} notifications are lost: too many wait, and the history database does not take them`,
      );
  }

  #remove(entry: OutboxEntry): void {
    if (this.#entries.get(entry.id) === entry) this.#entries.delete(entry.id);
    this.#unstored.delete(entry.id);
    this.#unsent.delete(entry);
  }

  #now(): number {
    return this.#deps.clock.monotonicMs();
  }
}

export function pendingDelivery(service: string, attempts: number, at: number): Delivery {
  return { service, state: 'pending', reason: null, attempts, at };
}

function isPending({ state }: Delivery): boolean {
  return state === 'pending';
}

function isOpen({ deliveries }: OutboxEntry): boolean {
  return [...deliveries.values()].some(isPending);
}
