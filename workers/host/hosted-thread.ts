// One worker thread and its members (one worker, or those of a lane): starts, ends and limits them. It never reads a frame.
import { MessageChannel, Worker } from 'node:worker_threads';
import { systemClock } from '../../shared/runtime/clock.js';
import { FloodGauge } from '../../shared/runtime/flood-gauge.js';
import type { ThreadData } from '../../shared/runtime/worker-runtime.js';
import type { Port } from '../../shared/runtime/port.js';
import { threadPort } from '../../shared/runtime/thread-port.js';
import { errorMessage, errorTrace } from '../../shared/domain/error-message.js';

/** For the short-lived objects of one poll; the default of V8 is 16 MB and more per thread. */
const youngGenerationMb = 8;
/** A crashing thread closes its links shortly before it reports the reason. */
const exitMs = 100;
/** V8's default for threads, set here because a deep recursion must end the thread and not the process. */
const stackMb = 4;

export interface ThreadEnd {
  /** `shared`: because of another member of the thread; `suspect`: because of an unknown one of them. */
  readonly reason: 'exit' | 'error' | 'ordered' | 'flood' | 'shared' | 'suspect';
  readonly message: string;
}

export interface MemberListener {
  /** Passes a frame on. Throws for a value that cannot be a frame, which ends the thread. */
  frame(frame: unknown): void;
  /** Called once; no frame of this member follows. */
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
  /** Further members may be added. */
  readonly shared: boolean;
}

export class HostedThread {
  readonly #worker: Worker;
  readonly #shared: boolean;
  readonly #members = new Map<number, Member>();
  readonly #exited: Promise<unknown>;
  /** Why it ends, for the member that caused it and for the others. The first reason stays. */
  #end:
    { readonly endedFirst: number | null; readonly its: ThreadEnd; readonly theirs: ThreadEnd } | undefined;

  constructor({ entry, heapLimitMb, shared }: ThreadOptions, number: number, listener: MemberListener) {
    const { port1, port2 } = new MessageChannel();
    this.#shared = shared;
    this.#worker = new Worker(entry, {
      workerData: { link: port2, shared } satisfies ThreadData,
      transferList: [port2],
      // The --import of the host has been applied to the process; heap limits are per thread.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: heapLimitMb,
        maxYoungGenerationSizeMb: youngGenerationMb,
        stackSizeMb: stackMb,
      },
    });
    this.#exited = new Promise((resolve) => void this.#worker.once('exit', resolve));
    this.#worker.once('error', (error) => {
      const message = errorTrace(error);
      this.#endsByItself({ reason: 'error', message });
    });
    this.#worker.once('exit', (code) =>
      this.#endsByItself({ reason: 'exit', message: `it ended with code ${String(code)}` }),
    );
    this.#settle(number, threadPort(port1), listener);
  }

  /** Takes no more members: it is empty or ending. */
  get over(): boolean {
    return this.#end !== undefined || this.#members.size === 0;
  }

  add(number: number, listener: MemberListener): void {
    const { port1, port2 } = new MessageChannel();
    this.#settle(number, threadPort(port1), listener);
    this.#worker.postMessage({ link: port2, shared: true } satisfies ThreadData, [port2]);
  }

  post(number: number, frame: unknown): void {
    this.#members.get(number)?.port.postMessage(frame);
  }

  /** Removes a member that has drained; the others stay. Settles when it has ended. */
  leave(number: number): Promise<void> {
    return this.#leave(number, { reason: 'ordered', message: 'ended on request' });
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
   * Ends the thread, with all members, because of one member. Settles when the thread has ended; a hang in native code delays
   * this without limit.
   */
  async end(endedFirst: number, reason: ThreadEnd['reason'], message: string): Promise<void> {
    const its = { reason, message };
    this.#end ??= { endedFirst, its, theirs: otherMember(its) };
    const gone = [...this.#members.keys()].map((number) => this.#threadEnded(number));
    // Closed first: frames that a flooding thread has queued must not be delivered.
    for (const { port } of this.#members.values()) port.close();
    void this.#worker.terminate();
    await Promise.all([this.#exited, ...gone]);
  }

  /** A single member is the cause; of several, the cause is unknown. */
  #endsByItself(its: ThreadEnd): void {
    const [endedFirst = null, ...others] = this.#members.keys();
    this.#end ??= { endedFirst: others.length === 0 ? endedFirst : null, its, theirs: possibleCause(its) };
  }

  #settle(number: number, port: Port, listener: MemberListener): void {
    const closed = new Promise<void>((resolve) => port.on('close', () => resolve()));
    this.#members.set(number, { port, listener, closed, gauge: new FloodGauge() });
    port.on('message', (frame) => this.#pass(number, frame));
    // The last frames are still in the channel when the thread exits. The channel closes after them.
    if (this.#shared) void closed.then(() => this.#closed(number));
    void Promise.all([this.#exited, closed]).then(() => this.#threadEnded(number));
  }

  /** A member of a shared thread that closes its link has ended, unless the thread itself is ending. */
  #closed(number: number): void {
    const heapCheck = setTimeout(() => {
      if (this.#end === undefined && this.#members.has(number))
        void this.#leave(number, { reason: 'exit', message: 'it closed its link' });
    }, exitMs);
    void this.#exited.then(() => clearTimeout(heapCheck));
  }

  /** Reports the end of a member when the thread has exited and its channel is empty. */
  async #threadEnded(number: number): Promise<void> {
    const member = this.#members.get(number);
    if (member === undefined) return;
    await Promise.all([this.#exited, member.closed]);
    if (this.#end === undefined || !this.#members.delete(number)) return;
    const { endedFirst, its, theirs } = this.#end;
    member.listener.ended(endedFirst === number ? its : theirs);
  }

  #pass(number: number, frame: unknown): void {
    const member = this.#members.get(number);
    if (member === undefined) return;
    if (member.gauge.count(systemClock.monotonicMs())) {
      void this.end(number, 'flood', 'it exceeded the limit of frames');
      return;
    }
    try {
      member.listener.frame(frame);
    } catch (error) {
      const why = errorMessage(error);
      void this.end(number, 'error', `it sent a value that cannot be a frame: ${why}`);
    }
  }
}

function otherMember({ reason, message }: ThreadEnd): ThreadEnd {
  return { reason: 'shared', message: `another worker of its thread was ended (${reason}: ${message})` };
}

function possibleCause({ reason, message }: ThreadEnd): ThreadEnd {
  return { reason: 'suspect', message: `the thread it shares with others crashed (${reason}: ${message})` };
}
