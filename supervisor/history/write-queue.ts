// The queue of events and samples towards storage, in order, until each is acknowledged. It never waits and never
// fails: beyond its bounds entries are dropped and counted, and storage recognises what is sent twice.
import { truncate } from '../../shared/domain/truncate.js';
import type { EventType } from '../../shared/domain/events.js';
import { categoryOf } from '../../shared/domain/events.js';
import type { Answer, Params } from '../../shared/protocol/contract.js';
import { linkFailure } from '../../shared/protocol/contract.js';
import type { EventRecord, SampleRecord, storageContract } from '../../shared/protocol/storage.js';
import {
  flushSecondsBounds,
  maxDetailLength,
  maxEventsPerRequest,
  maxSamplesPerRequest,
} from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A quarter of an hour of 50 UPSes, most of a day of one: some 10 MB. */
const maxSamples = 50_000;
/** Days of a bad outage. The last quarter is reserved for power, shutdown and audit events. */
const maxEvents = 10_000;
const maxMinorEvents = 7500;
/**
 * A commit takes milliseconds; after this time the request is sent again, and storage recognises what it has committed.
 */
const requestDeadlineMs = 10_000;
/** While storage refuses or is down: one local request each second. */
const retryMs = 1000;

type Requests = (typeof storageContract)['requests'];
export type RunBegin = Omit<Params<Requests, 'run.begin'>, 'run'>;
export type Begun = Answer<Requests, 'run.begin'>;

/** An event as stored in the database. */
export interface StoredEventRow {
  readonly id: number;
  readonly ts: number;
  readonly source: string;
  readonly type: EventType;
  readonly detail: string;
}

export interface WriteQueueDependencies {
  /** The storage worker. */
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Clock;
  /** Random, created at the start of this supervisor: distinguishes its events from those of earlier runs. */
  readonly run: string;
  readonly flushIntervalMs: number;
  /** Rows that are now in the database, in order. Must not throw. */
  readonly stored: (rows: readonly StoredEventRow[]) => void;
  /** The start is recorded. Called once. */
  readonly begun: (begun: Begun) => void;
  /** An entry was dropped, the first since the queue had room: which and why. */
  readonly dropped: (message: string) => void;
}

export interface StorageFigures {
  readonly samplesDropped: number;
  readonly eventsDropped: number;
  readonly samplesWaiting: number;
  readonly eventsWaiting: number;
  /** Counts per bucket of `flushSecondsBounds` plus +Inf, not cumulative. */
  readonly flushSeconds: { readonly counts: readonly number[]; readonly sum: number };
}

export class WriteQueue {
  readonly #deps: WriteQueueDependencies;
  #flushIntervalMs: number;
  readonly #events: EventRecord[] = [];
  readonly #samples: SampleRecord[] = [];
  /** How many of the oldest samples were sent and are not acknowledged. */
  #samplesInFlight = 0;
  /** One, while storage cannot decode something in a batch: the other events must not wait for it. */
  #eventsAtOnce = maxEventsPerRequest;
  #eventsWentLast = false;
  #seq = 0;
  #runBegin: RunBegin | undefined;
  #bootId: string | undefined;
  #runEnd: Params<Requests, 'run.end'> | undefined;
  #ended: () => void = () => undefined;
  #inFlight = false;
  #retryAtMs = 0;
  #flushAtMs: number;
  #overflowing = { events: false, samples: false };
  #samplesDropped = 0;
  #eventsDropped = 0;
  readonly #flushCounts: number[] = Array.from({ length: flushSecondsBounds.length + 1 }, () => 0);
  #flushSum = 0;

  constructor(deps: WriteQueueDependencies) {
    this.#deps = deps;
    this.#flushIntervalMs = deps.flushIntervalMs;
    this.#flushAtMs = deps.clock.monotonicMs() + deps.flushIntervalMs;
  }

  /** A shorter interval counts from now; a flush that is due sooner stays due. */
  set flushIntervalMs(value: number) {
    this.#flushIntervalMs = value;
    this.#flushAtMs = Math.min(this.#flushAtMs, this.#deps.clock.monotonicMs() + value);
  }

  /** Something is being written, or is due: whatever has time waits for it. */
  get isBusy(): boolean {
    return this.#inFlight || this.#next() !== undefined;
  }

  get figures(): StorageFigures {
    return {
      samplesDropped: this.#samplesDropped,
      eventsDropped: this.#eventsDropped,
      samplesWaiting: this.#samples.length,
      eventsWaiting: this.#events.length,
      flushSeconds: { counts: [...this.#flushCounts], sum: this.#flushSum },
    };
  }

  /** Records the start. Called once, before the first event. */
  begin(runBegin: RunBegin): void {
    this.#runBegin = runBegin;
    this.#bootId = runBegin.bootId;
    this.#pump();
  }

  /** Queues and sends an event. `at` is Unix time in seconds, `source` a groupId or `daemon`. */
  record(event: Omit<EventRecord, 'seq'>): void {
    const category = categoryOf(event.type);
    const isMinor = category === 'diagnostics' || category === 'lifecycle';
    if (this.#events.length >= (isMinor ? maxMinorEvents : maxEvents)) {
      this.#eventsDropped += 1;
      this.#overflow(
        'events',
        `${String(this.#events.length)} events wait for storage: ${event.type} of ${event.source} and what follows it is not recorded until it answers`,
      );
      return;
    }
    this.#seq += 1;
    this.#events.push({ ...event, detail: truncate(event.detail, maxDetailLength), seq: this.#seq });
    this.#pump();
  }

  /** Queues a sample of a good reading for the next flush. */
  sample(sample: SampleRecord): void {
    this.#samples.push(sample);
    if (this.#samples.length <= maxSamples) return;
    // Samples in flight may be stored already: the gap comes after them.
    this.#samples.splice(this.#samplesInFlight, 1);
    this.#samplesDropped += 1;
    this.#overflow(
      'samples',
      `${String(maxSamples)} samples wait for storage: the oldest are dropped until it answers`,
    );
  }

  tick(): void {
    this.#pump();
  }

  /** The storage worker is ready: sends immediately what waited for it. */
  ready(): void {
    this.#retryAtMs = 0;
    this.#pump();
  }

  /**
   * Records the clean stop after all waiting events and samples. Settles when it is acknowledged; the caller sets a
   * deadline and keeps calling `tick`.
   */
  end(at: number, detail: string, bootMs?: number): Promise<void> {
    const sinceBoot = bootMs === undefined ? {} : { bootMs };
    this.#runEnd = { run: this.#deps.run, at, ...sinceBoot, detail: truncate(detail, maxDetailLength) };
    const done = new Promise<void>((resolve) => (this.#ended = resolve));
    this.#pump();
    return done;
  }

  /** Sends the next request, unless one is in flight or the retry is not due. */
  #pump(): void {
    if (this.#inFlight || this.#deps.clock.monotonicMs() < this.#retryAtMs) return;
    const next = this.#next();
    if (next === undefined) return;
    this.#inFlight = true;
    void next().then((good) => {
      this.#inFlight = false;
      if (good) this.#pump();
      else this.#retryAtMs = this.#deps.clock.monotonicMs() + retryMs;
    });
  }

  #next(): (() => Promise<boolean>) | undefined {
    const runBegin = this.#runBegin;
    if (runBegin !== undefined) return () => this.#sendRunBegin(runBegin);
    const runEnd = this.#runEnd;
    const due = this.#deps.clock.monotonicMs() >= this.#flushAtMs || runEnd !== undefined;
    const flush = this.#samples.length > 0 && due;
    // Events first; a flood of them must not block samples.
    if (this.#events.length > 0 && !(flush && this.#eventsWentLast))
      return () => this.#sendEvents(this.#events.slice(0, this.#eventsAtOnce));
    if (flush) return () => this.#sendSamples(this.#samples.slice(0, maxSamplesPerRequest));
    return runEnd === undefined ? undefined : () => this.#sendRunEnd(runEnd);
  }

  async #sendRunBegin(runBegin: RunBegin): Promise<boolean> {
    const { storage, run, begun, stored } = this.#deps;
    const outcome = await storage.request('run.begin', { run, ...runBegin }, requestDeadlineMs);
    if (!outcome.ok) return false;
    this.#runBegin = undefined;
    const { id, ts, type, detail } = outcome.value;
    begun(outcome.value);
    if (id !== null) stored([{ id, ts, source: 'daemon', type, detail }]);
    return true;
  }

  async #sendEvents(events: readonly EventRecord[]): Promise<boolean> {
    const { storage, run, stored } = this.#deps;
    const outcome = await storage.request('events.append', { run, events }, requestDeadlineMs);
    if (!outcome.ok) return outcome.error.code === linkFailure.invalid && this.#isolate(events);
    this.#events.splice(0, events.length);
    this.#eventsWentLast = true;
    this.#eventsAtOnce = maxEventsPerRequest;
    this.#overflowing.events &&= this.#events.length >= maxMinorEvents;
    const ids = new Map(outcome.value.stored.map(({ seq, id }) => [seq, id]));
    stored(
      events.flatMap(({ seq, at, source, type, detail }) => {
        const id = ids.get(seq) ?? null;
        return id === null ? [] : [{ id, ts: Math.floor(at), source, type, detail }];
      }),
    );
    return true;
  }

  /**
   * A bug must not block all later events: the batch is sent one by one, and an event that is refused alone is dropped.
   */
  #isolate(refused: readonly EventRecord[]): boolean {
    this.#eventsAtOnce = 1;
    const [event] = refused;
    if (refused.length > 1 || event === undefined) return true;
    this.#events.shift();
    this.#eventsDropped += 1;
    this.#deps.dropped(`an event cannot be recorded and is dropped: ${event.type} of ${event.source}`);
    return true;
  }

  async #sendSamples(samples: readonly SampleRecord[]): Promise<boolean> {
    this.#eventsWentLast = false;
    this.#samplesInFlight = samples.length;
    const sentAtMs = this.#deps.clock.monotonicMs();
    const outcome = await this.#deps.storage.request(
      'samples.append',
      { samples, ...(this.#bootId !== undefined && { bootId: this.#bootId }) },
      requestDeadlineMs,
    );
    this.#samplesInFlight = 0;
    const refused = !outcome.ok && outcome.error.code === linkFailure.invalid;
    if (!outcome.ok && !refused) return false;
    this.#samples.splice(0, samples.length);
    this.#overflowing.samples = false;
    // A backlog is sent immediately, batch after batch.
    if (this.#samples.length < maxSamplesPerRequest) this.#flushAtMs = sentAtMs + this.#flushIntervalMs;
    if (outcome.ok) this.#observe(outcome.value.seconds);
    else {
      this.#samplesDropped += samples.length;
      this.#deps.dropped(
        `${String(samples.length)} samples cannot be recorded and are dropped: ${outcome.error.message}`,
      );
    }
    return true;
  }

  async #sendRunEnd(runEnd: Params<Requests, 'run.end'>): Promise<boolean> {
    const { storage, stored } = this.#deps;
    const outcome = await storage.request('run.end', runEnd, requestDeadlineMs);
    if (!outcome.ok) return false;
    this.#runEnd = undefined;
    const { id, ts } = outcome.value;
    if (id !== null) stored([{ id, ts, source: 'daemon', type: 'DAEMON_STOP', detail: runEnd.detail }]);
    this.#ended();
    return true;
  }

  #observe(seconds: number): void {
    const place = flushSecondsBounds.findIndex((bound) => seconds <= bound);
    const bucket = place < 0 ? flushSecondsBounds.length : place;
    this.#flushCounts[bucket] = (this.#flushCounts[bucket] ?? 0) + 1;
    this.#flushSum += seconds;
  }

  #overflow(kind: 'events' | 'samples', message: string): void {
    if (this.#overflowing[kind]) return;
    this.#overflowing[kind] = true;
    this.#deps.dropped(message);
  }
}
