// One worker thread and those who live in it: one worker, or the several of a lane. Their start, their end, and the guard
// over what they send. It never reads a frame.
import { MessageChannel, Worker } from 'node:worker_threads';
import { systemClock } from '../../shared/runtime/clock.js';
import { FloodGauge } from '../../shared/runtime/flood-gauge.js';
import type { ThreadData } from '../../shared/runtime/worker-runtime.js';
import type { Port } from '../../shared/runtime/port.js';
import { threadPort } from '../../shared/runtime/thread-port.js';

/** Short-lived objects of one poll; V8's own default would be 16 MB and more per thread. */
const youngGenerationMb = 8;
/** A thread that crashes closes its links a moment before it tells why. */
const exitMs = 100;
/** V8's default for threads; said here because a deep recursion must end the thread and not the process. */
const stackMb = 4;

export interface ThreadEnd {
  /** `shared`: for the sake of another that lived in the same thread; `suspect`: for one of them, and nobody knows which. */
  readonly reason: 'exit' | 'error' | 'ordered' | 'flood' | 'shared' | 'suspect';
  readonly message: string;
}

export interface MemberListener {
  /** A frame to pass on. Throws for what can be no frame, which ends the thread. */
  frame(frame: unknown): void;
  /** Once; nothing of this member comes afterwards. */
  ended(end: ThreadEnd): void;
}

interface Member {
  readonly port: Port;
  readonly listener: MemberListener;
  readonly closed: Promise<void>;
  readonly gauge: FloodGauge;
}

export interface ThreadOptions {
  readonly entry: URL;
  readonly heapLimitMb: number;
  /** More may come to live in it. */
  readonly shared: boolean;
}

export class HostedThread {
  readonly #worker: Worker;
  readonly #shared: boolean;
  readonly #members = new Map<number, Member>();
  readonly #exited: Promise<unknown>;
  /** Why it ends, for the one to blame and for the others, once that is known: the first reason counts. */
  #end: { readonly culprit: number | null; readonly its: ThreadEnd; readonly theirs: ThreadEnd } | undefined;

  /** Starts the thread with its first member in it. */
  constructor({ entry, heapLimitMb, shared }: ThreadOptions, number: number, listener: MemberListener) {
    const { port1, port2 } = new MessageChannel();
    this.#shared = shared;
    this.#worker = new Worker(entry, {
      workerData: { link: port2, shared } satisfies ThreadData,
      transferList: [port2],
      // The host's own --import has been applied to the process; heap limits are per thread.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: heapLimitMb,
        maxYoungGenerationSizeMb: youngGenerationMb,
        stackSizeMb: stackMb,
      },
    });
    this.#exited = new Promise((resolve) => void this.#worker.once('exit', resolve));
    this.#worker.once('error', (error) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#endsByItself({ reason: 'error', message });
    });
    this.#worker.once('exit', (code) =>
      this.#endsByItself({ reason: 'exit', message: `it ended with code ${String(code)}` }),
    );
    this.#settle(number, threadPort(port1), listener);
  }

  /** Takes no more members: it is empty, or about to end. */
  get over(): boolean {
    return this.#end !== undefined || this.#members.size === 0;
  }

  /** One more member of a shared thread. */
  add(number: number, listener: MemberListener): void {
    const { port1, port2 } = new MessageChannel();
    this.#settle(number, threadPort(port1), listener);
    this.#worker.postMessage({ link: port2, shared: true } satisfies ThreadData, [port2]);
  }

  post(number: number, frame: unknown): void {
    this.#members.get(number)?.port.postMessage(frame);
  }

  /** A member that has finished goes; the others stay. Settles when it is gone. */
  leave(number: number): Promise<void> {
    return this.#leave(number, { reason: 'ordered', message: 'it was told to end' });
  }

  async #leave(number: number, end: ThreadEnd): Promise<void> {
    if (this.#members.size <= 1) {
      await this.end(number, end.reason, end.message);
      return;
    }
    const member = this.#members.get(number);
    if (member === undefined) return;
    this.#members.delete(number);
    member.port.close();
    member.listener.ended(end);
  }

  /**
   * Ends the thread for the sake of one of its members, and with it all of them; settles when it is gone, which never
   * happens while it is stuck in native code.
   */
  async end(culprit: number, reason: ThreadEnd['reason'], message: string): Promise<void> {
    const its = { reason, message };
    this.#end ??= { culprit, its, theirs: companion(its) };
    const gone = [...this.#members.keys()].map((number) => this.#buried(number));
    // Closed first: what a flooding thread has queued must not be delivered any more.
    for (const { port } of this.#members.values()) port.close();
    void this.#worker.terminate();
    await Promise.all([this.#exited, ...gone]);
  }

  /** Alone in it, a member is to blame; of several nobody knows which. */
  #endsByItself(its: ThreadEnd): void {
    const [culprit = null, ...others] = this.#members.keys();
    this.#end ??= { culprit: others.length === 0 ? culprit : null, its, theirs: suspect(its) };
  }

  #settle(number: number, port: Port, listener: MemberListener): void {
    const closed = new Promise<void>((resolve) => port.on('close', () => resolve()));
    this.#members.set(number, { port, listener, closed, gauge: new FloodGauge() });
    port.on('message', (frame) => this.#pass(number, frame));
    // Its last frames are still in the channel when the thread exits; the channel closes behind them.
    if (this.#shared) void closed.then(() => this.#closed(number));
    void Promise.all([this.#exited, closed]).then(() => this.#buried(number));
  }

  /** A member of a shared thread has closed its link and ends with that, unless the thread itself is just ending. */
  #closed(number: number): void {
    const look = setTimeout(() => {
      if (this.#end === undefined && this.#members.has(number))
        void this.#leave(number, { reason: 'exit', message: 'it closed its link' });
    }, exitMs);
    void this.#exited.then(() => clearTimeout(look));
  }

  /** Tells the end of a member once the thread has exited and nothing of it is left in its channel. */
  async #buried(number: number): Promise<void> {
    const member = this.#members.get(number);
    if (member === undefined) return;
    await Promise.all([this.#exited, member.closed]);
    if (this.#end === undefined || !this.#members.delete(number)) return;
    const { culprit, its, theirs } = this.#end;
    member.listener.ended(culprit === number ? its : theirs);
  }

  #pass(number: number, frame: unknown): void {
    const member = this.#members.get(number);
    if (member === undefined) return;
    if (member.gauge.count(systemClock.monotonicMs())) {
      void this.end(number, 'flood', 'it sent more frames than any honest worker does');
      return;
    }
    try {
      member.listener.frame(frame);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      void this.end(number, 'error', `it sent what can be no frame: ${why}`);
    }
  }
}

function companion({ reason, message }: ThreadEnd): ThreadEnd {
  return { reason: 'shared', message: `another in its thread was ended (${reason}: ${message})` };
}

function suspect({ reason, message }: ThreadEnd): ThreadEnd {
  return { reason: 'suspect', message: `the thread it shares with others crashed (${reason}: ${message})` };
}
