// The queue of events and samples towards storage, in order, until each is acknowledged. It never waits and never
// fails: beyond its bounds entries are dropped and counted, and storage recognises what is sent twice.
import { truncate } from '../../shared/domain/base/truncate.js';
import type { EventType } from '../../shared/domain/status/events.js';
import { categoryOf } from '../../shared/domain/status/events.js';
import type { Answer, Params } from '../../shared/protocol/contract.js';
import type { EventRecord, SampleRecord, storageContract } from '../../shared/protocol/storage.js';
import {
  flushSecondsBounds,
  maxDetailLength,
  maxEventsPerRequest,
  maxSamplesPerRequest,
} from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { AppendQueue } from '../queues/append-queue.js';
import type { Request } from '../queues/turns.js';
import { deadlineMs, Turns } from '../queues/turns.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A quarter of an hour of 50 UPSes, most of a day of one: some 10 MB. */
const maxSamples = 50_000;
/** Days of a bad outage. The last quarter is reserved for power, shutdown and audit events. */
const maxEvents = 10_000;
const maxMinorEvents = 7500;
type Requests = (typeof storageContract)['requests'];
export type RunBegin = Omit<Params<Requests, 'run.begin'>, 'run'>;
export type RunBeginAnswer = Answer<Requests, 'run.begin'>;

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
  readonly begun: (begun: RunBeginAnswer) => void;
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
  readonly #events: AppendQueue<EventRecord, Answer<Requests, 'events.append'>>;
  readonly #samples: AppendQueue<SampleRecord, Answer<Requests, 'samples.append'>>;
  readonly #turns: Turns;
  #eventsWentLast = false;
  #seq = 0;
  #runBegin: RunBegin | undefined;
  #bootId: string | undefined;
  #runEnd: Params<Requests, 'run.end'> | undefined;
  #ended: () => void = () => undefined;
  #flushAtMs: number;
  #sentAtMs = 0;
  #overflowing = { events: false, samples: false };
  #samplesDropped = 0;
  #eventsDropped = 0;
  readonly #flushCounts: number[] = Array.from({ length: flushSecondsBounds.length + 1 }, () => 0);
  #flushSum = 0;

  constructor(deps: WriteQueueDependencies) {
    this.#deps = deps;
    this.#flushIntervalMs = deps.flushIntervalMs;
    this.#flushAtMs = deps.clock.monotonicMs() + deps.flushIntervalMs;
    const { storage, run, clock } = deps;
    this.#events = new AppendQueue({
      perRequest: maxEventsPerRequest,
      send: (events) => storage.request('events.append', { run, events: [...events] }, deadlineMs),
      taken: (events, { stored }) => this.#eventsStored(events, stored),
      dropped: ({ type, source }) => {
        this.#eventsDropped += 1;
        deps.dropped(`an event cannot be recorded and is dropped: ${type} of ${source}`);
      },
    });
    this.#samples = new AppendQueue({
      perRequest: maxSamplesPerRequest,
      max: maxSamples,
      send: (samples) => {
        this.#eventsWentLast = false;
        this.#sentAtMs = clock.monotonicMs();
        const boot = this.#bootId !== undefined && { bootId: this.#bootId };
        return storage.request('samples.append', { samples: [...samples], ...boot }, deadlineMs);
      },
      taken: (_, { seconds }) => {
        this.#flushed();
        this.#observe(seconds);
      },
      dropped: (_, why) => {
        this.#samplesDropped += 1;
        if (why === null) {
          const waiting = `${String(maxSamples)} samples wait for storage`;
          this.#overflow('samples', `${waiting}: the oldest are dropped until it answers`);
        } else this.#overflow('samples', `a sample cannot be recorded and is dropped: ${why.message}`);
      },
    });
    this.#turns = new Turns(clock, () => this.#next());
  }

  /** A shorter interval counts from now; a flush that is due sooner stays due. */
  set flushIntervalMs(value: number) {
    this.#flushIntervalMs = value;
    this.#flushAtMs = Math.min(this.#flushAtMs, this.#deps.clock.monotonicMs() + value);
  }

  /** Something is being written, or is due: whatever has time waits for it. */
  get isBusy(): boolean {
    return this.#turns.isBusy;
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
    this.#turns.tick();
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
    this.#turns.tick();
  }

  /** Queues a sample of a good reading for the next flush. */
  sample(sample: SampleRecord): void {
    this.#samples.push(sample);
  }

  tick(): void {
    this.#turns.tick();
  }

  /** The storage worker is ready: sends immediately what waited for it. */
  ready(): void {
    this.#turns.ready();
  }

  /**
   * Records the clean stop after all waiting events and samples. Settles when it is acknowledged; the caller sets a
   * deadline and keeps calling `tick`.
   */
  end(at: number, detail: string, bootMs?: number): Promise<void> {
    const sinceBoot = bootMs === undefined ? {} : { bootMs };
    this.#runEnd = { run: this.#deps.run, at, ...sinceBoot, detail: truncate(detail, maxDetailLength) };
    const done = new Promise<void>((resolve) => (this.#ended = resolve));
    this.#turns.tick();
    return done;
  }

  #next(): Request | undefined {
    const runBegin = this.#runBegin;
    if (runBegin !== undefined) return () => this.#sendRunBegin(runBegin);
    const runEnd = this.#runEnd;
    const isDue = this.#deps.clock.monotonicMs() >= this.#flushAtMs || runEnd !== undefined;
    const flush = isDue ? this.#samples.next() : undefined;
    // Events first; a flood of them must not block samples.
    const first = flush !== undefined && this.#eventsWentLast ? flush : (this.#events.next() ?? flush);
    return first ?? (runEnd === undefined ? undefined : () => this.#sendRunEnd(runEnd));
  }

  async #sendRunBegin(runBegin: RunBegin): Promise<boolean> {
    const { storage, run, begun, stored } = this.#deps;
    const outcome = await storage.request('run.begin', { run, ...runBegin }, deadlineMs);
    if (!outcome.ok) return false;
    this.#runBegin = undefined;
    const { id, ts, type, detail } = outcome.value;
    begun(outcome.value);
    if (id !== null) stored([{ id, ts, source: 'daemon', type, detail }]);
    return true;
  }

  #eventsStored(
    events: readonly EventRecord[],
    rows: readonly { readonly seq: number; readonly id: number | null }[],
  ): void {
    this.#eventsWentLast = true;
    this.#overflowing.events &&= this.#events.length >= maxMinorEvents;
    const ids = new Map(rows.map(({ seq, id }) => [seq, id]));
    this.#deps.stored(
      events.flatMap(({ seq, at, source, type, detail }) => {
        const id = ids.get(seq) ?? null;
        return id === null ? [] : [{ id, ts: Math.floor(at), source, type, detail }];
      }),
    );
  }

  /** A backlog is sent immediately, batch after batch. */
  #flushed(): void {
    this.#overflowing.samples = false;
    if (this.#samples.length < maxSamplesPerRequest && !this.#samples.isSplit)
      this.#flushAtMs = this.#sentAtMs + this.#flushIntervalMs;
  }

  async #sendRunEnd(runEnd: Params<Requests, 'run.end'>): Promise<boolean> {
    const { storage, stored } = this.#deps;
    const outcome = await storage.request('run.end', runEnd, deadlineMs);
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
