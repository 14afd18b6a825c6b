// The worker's end of a link: decodes frames of the supervisor and keeps the flow of its own frames within bounds.
import { errorMessage } from '../domain/base/error-message.js';
import type { Decoded } from '../domain/base/decode.js';
import { decode } from '../domain/base/decode.js';
import { version } from '../domain/base/version.js';
import type { LogRecord } from '../domain/status/log-record.js';
import { unreachable } from '../domain/base/unreachable.js';
import type {
  Answer,
  AskName,
  Contract,
  EventBody,
  EventName,
  Outcome,
  Params,
  RequestName,
  WorkerSettings,
} from '../protocol/contract.js';
import { failureOf, linkFailure } from '../protocol/contract.js';
import type { DownFrame, UpFrame } from '../protocol/frame.js';
import { decodeDownFrame, protocolVersion } from '../protocol/frame.js';
import { systemClock } from './clock.js';
import type { Port } from './port.js';
import { TokenBucket } from './token-bucket.js';

/** Unacknowledged `queued` events in flight. */
const credit = 64;
/** The same for `newest` events. The supervisor acknowledges with its tick, but at once when two are in flight. */
const newestCredit = 2;
/** Events that wait for an acknowledgement; further ones are dropped and counted. */
const maxQueueLength = 1000;
/** Log records a worker may send in one burst, and how many each second allows again. More are dropped and counted. */
const maxLogBurst = 100;
const logRecordsPerSecond = 100;

/** What a worker can do through its link. */
export interface Uplink<C extends Contract> {
  /** False when too many `queued` events wait: this one is dropped. */
  emit<N extends EventName<C>>(name: N, body: EventBody<C, N>): boolean;
  /** `body` is called when the event is sent, and never for one that a newer one replaces. */
  emitNewest<N extends EventName<C>>(name: N, body: () => EventBody<C, N>): void;
  /** Answers with a failure when the deadline passes; never rejects. */
  ask<N extends AskName<C>>(
    name: N,
    params: Params<C['asks'], N>,
    deadlineMs: number,
  ): Promise<Outcome<Answer<C['asks'], N>>>;
}

/**
 * The handlers of a worker. Requests return expected failures as data; an exception is a bug and is answered
 * WORKER_ERROR.
 */
export interface Downlink<C extends Contract> {
  configure(settings: WorkerSettings<C>): void;
  request: {
    [N in RequestName<C>]: (
      params: Params<C['requests'], N>,
      deadlineMs: number,
    ) => Promise<Outcome<Answer<C['requests'], N>>>;
  };
  drain(deadlineMs: number): void;
  /** The supervisor is gone, or sent an invalid frame. */
  lost(reason: string): void;
}

interface Waiting {
  readonly settle: (outcome: Outcome<unknown>) => void;
  readonly decodeResult: (result: unknown) => Decoded<unknown>;
}

export class WorkerLink<C extends Contract> implements Uplink<C> {
  readonly #contract: C;
  readonly #port: Port<UpFrame>;
  #nextId = 1;
  readonly #asked = new Map<number, Waiting>();
  /** By `newest` event: the numbers in flight, and the newest body since. */
  readonly #newest = new Map<string, { inFlight: readonly number[]; next: (() => unknown) | undefined }>();
  readonly #queue: { name: string; body: unknown }[] = [];
  readonly #inFlight = new Set<number>();
  readonly #waitingForAll: (() => void)[] = [];
  #dropped = 0;
  readonly #logRate = new TokenBucket(maxLogBurst, logRecordsPerSecond, systemClock.monotonicMs());
  #logDropped = 0;

  constructor(contract: C, port: Port<UpFrame>) {
    this.#contract = contract;
    this.#port = port;
  }

  /** Starts listening. Call before `hello`. */
  serve(down: Downlink<C>): void {
    this.#port.on('close', () => down.lost('the supervisor has closed the link'));
    this.#port.on('message', (raw) => {
      const decoded = decodeDownFrame(raw);
      if (decoded.ok) this.#receive(decoded.value, down);
      else down.lost(`undecodable frame: ${decoded.problems[0]?.message ?? ''}`);
    });
  }

  hello(): void {
    this.#send({ kind: 'hello', protocol: protocolVersion, build: version, pid: process.pid });
  }

  ready(): void {
    this.#send({ kind: 'ready' });
  }

  heartbeat(): void {
    this.#send({ kind: 'heartbeat' });
  }

  drained(): void {
    this.#send({ kind: 'drained' });
  }

  log(record: LogRecord): void {
    if (!this.#logRate.take(systemClock.monotonicMs())) {
      this.#logDropped += 1;
      return;
    }
    this.#send({ kind: 'log', record, dropped: this.#logDropped });
    this.#logDropped = 0;
  }

  /** Events dropped because the supervisor was too slow. */
  get dropped(): number {
    return this.#dropped;
  }

  emit<N extends EventName<C>>(name: N, body: EventBody<C, N>): boolean {
    if (this.#contract.events[name]?.flow === 'newest') this.emitNewest(name, () => body);
    else if (this.#queue.length >= maxQueueLength) {
      this.#dropped += 1;
      return false;
    } else {
      this.#queue.push({ name, body });
      this.#pump();
    }
    return true;
  }

  emitNewest<N extends EventName<C>>(name: N, body: () => EventBody<C, N>): void {
    const slot = this.#newest.get(name) ?? { inFlight: [], next: undefined };
    this.#newest.set(name, slot);
    if (slot.inFlight.length < newestCredit)
      slot.inFlight = [...slot.inFlight, this.#sendEvent(name, body())];
    else slot.next = body;
  }

  /** Settles when no `queued` event waits; the caller sets a deadline. */
  sent(): Promise<void> {
    if (this.#queue.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waitingForAll.push(resolve));
  }

  ask<N extends AskName<C>>(
    name: N,
    params: Params<C['asks'], N>,
    deadlineMs: number,
  ): Promise<Outcome<Answer<C['asks'], N>>> {
    const id = this.#nextId++;
    const result = this.#contract.asks[name]?.result;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#settle(
          id,
          failureOf(
            linkFailure.deadline,
            `the supervisor did not answer ${name} within ${String(deadlineMs)} ms`,
          ),
        );
      }, deadlineMs);
      this.#asked.set(id, {
        settle: (outcome) => {
          clearTimeout(timer);
          resolve(outcome);
        },
        decodeResult: (value) => (result === undefined ? { ok: true, value } : decode(result, value)),
      });
      this.#send({ kind: 'ask', id, name, params, deadlineMs });
    });
  }

  #sendEvent(name: string, body: unknown): number {
    const id = this.#nextId++;
    this.#send({ kind: 'event', id, name, body });
    return id;
  }

  #pump(): void {
    while (this.#inFlight.size < credit) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#inFlight.add(this.#sendEvent(next.name, next.body));
    }
    if (this.#queue.length === 0) for (const settle of this.#waitingForAll.splice(0)) settle();
  }

  /** Every event up to `id`. */
  #acknowledged(id: number): void {
    for (const sent of this.#inFlight) if (sent <= id) this.#inFlight.delete(sent);
    this.#pump();
    for (const [name, slot] of this.#newest) {
      slot.inFlight = slot.inFlight.filter((sent) => sent > id);
      const { next } = slot;
      if (next === undefined || slot.inFlight.length >= newestCredit) continue;
      slot.next = undefined;
      slot.inFlight = [...slot.inFlight, this.#sendEvent(name, next())];
    }
  }

  #receive(frame: DownFrame, down: Downlink<C>): void {
    switch (frame.kind) {
      case 'configure': {
        const settings: Decoded<WorkerSettings<C>> = decode(this.#contract.settings, frame.settings);
        if (settings.ok) down.configure(settings.value);
        else
          down.lost(
            `undecodable settings: ${settings.problems[0]?.path ?? ''} ${settings.problems[0]?.message ?? ''}`,
          );
        return;
      }
      case 'acknowledge':
        this.#acknowledged(frame.id);
        return;
      case 'request':
        void this.#serveRequest(frame, down);
        return;
      case 'answer': {
        const decoded = this.#asked.get(frame.id)?.decodeResult(frame.result);
        if (decoded === undefined) return;
        this.#settle(
          frame.id,
          decoded.ok ? decoded : failureOf(linkFailure.invalid, decoded.problems[0]?.message ?? ''),
        );
        return;
      }
      case 'failure':
        this.#settle(frame.id, { ok: false, error: frame.error });
        return;
      case 'drain':
        down.drain(frame.deadlineMs);
        return;
      default:
        unreachable(frame);
    }
  }

  async #serveRequest(frame: Extract<DownFrame, { kind: 'request' }>, down: Downlink<C>): Promise<void> {
    const call = Object.hasOwn(this.#contract.requests, frame.name)
      ? this.#contract.requests[frame.name]
      : undefined;
    const params = call === undefined ? undefined : decode(call.params, frame.params);
    const handler = (
      down.request as Record<string, (params: unknown, deadlineMs: number) => Promise<Outcome<unknown>>>
    )[frame.name];
    let outcome: Outcome<unknown>;
    if (params === undefined || handler === undefined)
      outcome = failureOf(linkFailure.invalid, `no request ${frame.name}`);
    else if (!params.ok)
      outcome = failureOf(
        linkFailure.invalid,
        `${params.problems[0]?.path ?? ''} ${params.problems[0]?.message ?? ''}`,
      );
    else {
      try {
        outcome = await handler(params.value, frame.deadlineMs);
      } catch (error) {
        outcome = failureOf(linkFailure.broken, errorMessage(error));
      }
    }
    if (outcome.ok) this.#send({ kind: 'answer', id: frame.id, result: outcome.value });
    else this.#send({ kind: 'failure', id: frame.id, error: outcome.error });
  }

  #settle(id: number, outcome: Outcome<unknown>): void {
    const waiting = this.#asked.get(id);
    this.#asked.delete(id);
    waiting?.settle(outcome);
  }

  #send(frame: UpFrame): void {
    this.#port.postMessage(frame);
  }
}
