// The supervisor's end of the link to one instance of a worker: decodes frames, refuses what is not permitted, passes
// the rest on. It does not trust the worker, and no frame makes it throw.
import type * as t from 'io-ts';
import { decode } from '../../shared/domain/base/decode.js';
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import { unreachable } from '../../shared/domain/base/unreachable.js';
import type { Contract, Outcome, WorkerSettings } from '../../shared/protocol/contract.js';
import { failureOf, linkFailure } from '../../shared/protocol/contract.js';
import type { DownFrame, UpFrame } from '../../shared/protocol/frame.js';
import { decodeUpFrame } from '../../shared/protocol/frame.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { FloodGauge } from '../../shared/runtime/flood-gauge.js';
import type { CloseReason, Port } from '../../shared/runtime/port.js';
import { TokenBucket } from '../../shared/runtime/token-bucket.js';
import type { Phase } from './permits.js';
import { Numbering, isPermitted } from './permits.js';
import { Requests, gone } from './requests.js';
import type { WorkerSpec } from './worker-spec.js';

/** Log records of a worker: its own rate (worker-link.ts), with room for those of ten seconds in which the supervisor stood still. */
const maxLogBurst = 1_000;
const logRecordsPerSecond = 100;
/** Concurrent asks of one worker: the API's concurrent readers, with room. More are refused. */
const maxAsks = 64;
/** What a worker may send ahead of `newest` events, and half of it of `queued` ones: a worker never waits. */
const acknowledgeAfter = { newest: 2, queued: 32 };
/** Fewer are acknowledged once a second, those of all links together. */
const acknowledgeEveryMs = 1_000;

export type Hello = Extract<UpFrame, { kind: 'hello' }>;

/** The listener of a link. */
export interface LinkListener {
  readonly phase: () => Phase;
  /** A permitted frame arrived. */
  frameReceived(): void;
  greeted(hello: Hello): void;
  ready(): void;
  drained(): void;
  log(record: LogRecord, dropped: number): void;
  /** No frame is accepted after this. */
  broken(reason: 'violation' | 'flood', message: string): void;
  closed(reason: Exclude<CloseReason, 'malformed'>): void;
  /** A handler of the supervisor failed: a bug, not a fault of the worker. */
  bug(message: string): void;
}

type Asks = Readonly<Record<string, (params: unknown) => Promise<Outcome<unknown>>>>;
type Events = Readonly<Record<string, (body: unknown) => void>>;

export class SupervisorLink<C extends Contract> {
  readonly #spec: Pick<WorkerSpec<C>, 'name' | 'contract'>;
  readonly #onEvent: Events;
  readonly #asks: Asks;
  readonly #port: Port<DownFrame>;
  readonly #clock: Clock;
  readonly #listener: LinkListener;
  readonly #gauge = new FloodGauge();
  readonly #numbering = new Numbering();
  readonly #requests: Requests;
  /** Names of requests that could not be sent. */
  readonly #unsent = new Set<string>();
  readonly #logRate: TokenBucket;
  #logDropped = 0;
  #asksUnderWay = 0;
  /** The last event, and how many there were since the last acknowledgement. */
  #lastId = 0;
  #unacknowledged = { newest: 0, queued: 0 };
  #acknowledgedAtMs = 0;
  #open = true;

  constructor(
    spec: Pick<WorkerSpec<C>, 'name' | 'contract' | 'onEvent' | 'asks'>,
    port: Port<DownFrame>,
    clock: Clock,
    listener: LinkListener,
  ) {
    this.#spec = spec;
    // The contract ties each name to its codec; a body is decoded with that codec before its handler is called.
    this.#onEvent = spec.onEvent;
    this.#asks = spec.asks;
    this.#port = port;
    this.#clock = clock;
    this.#listener = listener;
    this.#requests = new Requests(spec.name);
    this.#logRate = new TokenBucket(maxLogBurst, logRecordsPerSecond, clock.monotonicMs());
    port.on('close', ({ reason }) => this.#closed(reason));
    port.on('message', (raw, bytes) => this.#receive(raw, bytes));
  }

  configure(settings: WorkerSettings<C>): void {
    this.#send({ kind: 'configure', settings });
  }

  drain(deadlineMs: number): void {
    this.#send({ kind: 'drain', deadlineMs });
  }

  request(name: string, params: unknown, deadlineMs: number): Promise<Outcome<unknown>> {
    const call = this.#spec.contract.requests[name];
    if (!this.#open || call === undefined) return Promise.resolve(gone(this.#spec.name));
    return this.#requests.ask(name, call.result, this.#clock.monotonicMs() + deadlineMs, (id) => {
      try {
        this.#send({ kind: 'request', id, name, params, deadlineMs });
      } catch (error) {
        this.#reportUnsent(name, error);
        throw error;
      }
    });
  }

  /** Once for each: what is published comes again several times a second. */
  #reportUnsent(name: string, error: unknown): void {
    if (this.#unsent.has(name)) return;
    this.#unsent.add(name);
    const text = `${name} cannot be sent to it (${String(error)}): it goes on with what it had; one daemon may have too many UPSes and servers`;
    this.#listener.bug(text);
  }

  /** Called at every tick; `stalledMs`: for how long the supervisor stood still before it. */
  tick(stalledMs: number): void {
    const now = this.#clock.monotonicMs();
    if (stalledMs > 0) this.#gauge.allowForStall(now, stalledMs);
    this.#requests.expire(now);
    const second = (atMs: number): number => Math.floor(atMs / acknowledgeEveryMs);
    const { newest, queued } = this.#unacknowledged;
    if (newest + queued > 0 && second(now) > second(this.#acknowledgedAtMs)) this.#acknowledge();
  }

  #acknowledge(): void {
    this.#unacknowledged = { newest: 0, queued: 0 };
    this.#acknowledgedAtMs = this.#clock.monotonicMs();
    this.#send({ kind: 'acknowledge', id: this.#lastId });
  }

  /** A request waits for its answer. */
  get isAwaited(): boolean {
    return this.#requests.pending > 0;
  }

  /** Ends all traffic; pending requests are answered WORKER_GONE. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#port.close();
    this.#requests.abandon();
  }

  #closed(reason: CloseReason): void {
    if (!this.#open) return;
    if (reason === 'malformed') this.#broken('violation', 'it sent a malformed frame');
    else this.#listener.closed(reason);
  }

  #receive(raw: unknown, bytes?: number): void {
    if (!this.#open) return;
    if (this.#gauge.count(this.#clock.monotonicMs(), bytes)) {
      this.#broken('flood', 'it exceeds the frame limit');
      return;
    }
    const frame = decodeUpFrame(raw);
    if (!frame.ok) {
      const problem = frame.problems[0];
      this.#violated(`a frame that cannot be read: ${problem?.path ?? ''} ${problem?.message ?? ''}`);
    } else if (!isPermitted(this.#listener.phase(), frame.value.kind))
      this.#violated(`${frame.value.kind}, which is not permitted while it is ${this.#listener.phase()}`);
    else this.#handle(frame.value);
  }

  #handle(frame: UpFrame): void {
    this.#listener.frameReceived();
    switch (frame.kind) {
      case 'hello':
        this.#listener.greeted(frame);
        return;
      case 'ready':
        this.#listener.ready();
        return;
      case 'heartbeat':
        return;
      case 'event':
        this.#receiveEvent(frame);
        return;
      case 'ask':
        this.#receiveAsk(frame);
        return;
      case 'answer':
        this.#violatedUnless(this.#requests.answered(frame.id, frame.result));
        return;
      case 'failure':
        this.#violatedUnless(this.#requests.refused(frame.id, frame.error));
        return;
      case 'log':
        this.#receiveLog(frame);
        return;
      case 'drained':
        this.#listener.drained();
        return;
      default:
        unreachable(frame);
    }
  }

  /** A worker keeps within its own rate; a compromised one must not fill the disk of the log. */
  #receiveLog({ record, dropped }: Extract<UpFrame, { kind: 'log' }>): void {
    if (!this.#logRate.take(this.#clock.monotonicMs())) {
      this.#logDropped += 1 + dropped;
      return;
    }
    this.#listener.log({ ...record, logger: this.#spec.name.slice(0, 256) }, dropped + this.#logDropped);
    this.#logDropped = 0;
  }

  #receiveEvent(frame: Extract<UpFrame, { kind: 'event' }>): void {
    const { events } = this.#spec.contract;
    const event = Object.hasOwn(events, frame.name) ? events[frame.name] : undefined;
    const body = this.#admit(`the event ${frame.name}`, frame.id, event?.body, frame.body);
    if (body === undefined || event === undefined) return;
    this.#onEvent[frame.name]?.(body.value);
    this.#lastId = frame.id;
    this.#unacknowledged[event.flow] += 1;
    if (this.#unacknowledged[event.flow] >= acknowledgeAfter[event.flow]) this.#acknowledge();
  }

  #receiveAsk(frame: Extract<UpFrame, { kind: 'ask' }>): void {
    const { asks } = this.#spec.contract;
    const codec = Object.hasOwn(asks, frame.name) ? asks[frame.name]?.params : undefined;
    const params = this.#admit(`the ask ${frame.name}`, frame.id, codec, frame.params);
    const handler = this.#asks[frame.name];
    if (params === undefined || handler === undefined) return;
    if (this.#asksUnderWay >= maxAsks)
      this.#answer(frame.id, failureOf(linkFailure.refused, 'too many concurrent requests; try again later'));
    else void this.#answerAsk(frame.id, frame.name, () => handler(params.value));
  }

  async #answerAsk(id: number, name: string, handler: () => Promise<Outcome<unknown>>): Promise<void> {
    this.#asksUnderWay += 1;
    try {
      this.#answer(id, await handler());
    } catch (error) {
      this.#listener.bug(`answering ${name} failed: ${String(error)}`);
      this.#answer(id, failureOf(linkFailure.broken, 'the supervisor could not answer; its log says why'));
    }
    this.#asksUnderWay -= 1;
  }

  #answer(id: number, outcome: Outcome<unknown>): void {
    if (outcome.ok) this.#send({ kind: 'answer', id, result: outcome.value });
    else this.#send({ kind: 'failure', id, error: outcome.error });
  }

  /** The decoded value of a numbered frame, or undefined after a violation. */
  #admit(
    what: string,
    id: number,
    codec: t.Mixed | undefined,
    raw: unknown,
  ): { readonly value: unknown } | undefined {
    if (codec === undefined) this.#violated(`${what}, which its contract does not have`);
    else if (!this.#numbering.advance(id)) this.#violated(`${what} again (number ${String(id)})`);
    else {
      const value = decode(codec as t.Type<unknown>, raw);
      if (value.ok) return value;
      const problem = value.problems[0];
      this.#violated(`${what}, which cannot be read: ${problem?.path ?? ''} ${problem?.message ?? ''}`);
    }
    return undefined;
  }

  #violatedUnless(problem: string | null): void {
    if (problem !== null) this.#violated(problem);
  }

  #violated(what: string): void {
    this.#broken('violation', `it sent ${what}`);
  }

  #broken(reason: 'violation' | 'flood', message: string): void {
    this.close();
    this.#listener.broken(reason, message.slice(0, 1000));
  }

  #send(frame: DownFrame): void {
    if (this.#open) this.#port.postMessage(frame);
  }
}
