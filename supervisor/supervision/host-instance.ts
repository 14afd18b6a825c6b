// One instance of a host process and the threads in it. When the process is lost, all its threads are lost.
import type { hostContract, ThreadEntry } from '../../shared/protocol/host.js';
import { hostContract as contract } from '../../shared/protocol/host.js';
import type { EventBody } from '../../shared/protocol/contract.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Port } from '../../shared/runtime/port.js';
import type { ChildDependencies, Loss } from './child.js';
import { Child } from './child.js';
import type { End, WorkerInstance, LaunchProcess } from './worker-instance.js';
import { PortDemultiplexer } from './port-demultiplexer.js';
import type { SupervisionObserver, WorkerSpec } from './worker-spec.js';

/**
 * The limit of pollers, the strictest of its threads (specification/nut.md#worker-limits): a silent host silences them
 * all.
 */
const silenceMs = 2000;
/** A host without threads is up within 0.1 s; the rest is for a machine that swaps or starts everything together. */
const startDeadlineMs = 10_000;
/** A host is never drained: its threads are, one by one. */
const stopDeadlineMs = 1000;
/**
 * A responsive thread ends within milliseconds. One that does not is stuck in native code, and its process is killed.
 * Checked every 250 ms: after 2 s of silence and a start of 0.2 s, a poller is back within 3 s.
 */
const threadEndMs = 240;
/** The host's main thread only relays. */
const hostHeapMb = 64;
/** What another thread may add to its process. A poller takes 14 MB, and one more UPS must never cost the others. */
const furtherThreadMb = 28;
/** What another poller in an existing thread may add. A connection and its last answer take 0.3 MB. */
const furtherMemberMb = 2;
/**
 * The share of a process's memory limit that a thread's old space may use; the rest is code, stacks, buffers and the
 * host.
 */
const heapShare = 0.5;

export interface HostDependencies extends ChildDependencies {
  readonly log: Logger;
  readonly observer: SupervisionObserver;
  readonly launch: LaunchProcess;
  /** The compiled module of workers/host/host.ts. */
  readonly hostEntry: string;
  /** Numbers that are unique in this supervisor. */
  readonly nextThread: () => number;
}

export interface ThreadOrder {
  readonly entry: ThreadEntry;
  readonly user: string | null;
  readonly memoryLimitMb: number;
  readonly lane: string | null;
}

interface HostedThread {
  readonly order: ThreadOrder;
  readonly finish: (end: End) => void;
  /** Awake ms at which the whole process is killed for this thread; null until the thread is ordered to end. */
  endDueAtMs: number | null;
}

export class HostInstance {
  readonly #name: string;
  readonly #deps: HostDependencies;
  readonly #demultiplexer: PortDemultiplexer;
  readonly #child: Child<typeof hostContract>;
  readonly #threads = new Map<number, HostedThread>();
  readonly #onGone: () => void;
  #over = false;
  /** The largest limit among its threads, which holds while one is alone. */
  #memoryLimitMb = 0;

  constructor(name: string, user: string | null, deps: HostDependencies, onGone: () => void) {
    this.#name = `host:${name}`;
    this.#deps = deps;
    this.#onGone = onGone;
    const process = deps.launch({
      name: this.#name,
      entry: deps.hostEntry,
      user,
      heapLimitMb: hostHeapMb,
      inheritStderr: false,
    });
    this.#demultiplexer = new PortDemultiplexer(process.port, deps.clock, () =>
      this.#child.lose('flood', 'its threads exceed the frame limit'),
    );
    this.#child = new Child(this.#spec(user), {}, withPort(process, this.#demultiplexer.own), deps, {
      ready: () => this.#startThreads(),
      lost: (loss) => this.#lost(loss),
      gone: () => this.#onGone(),
      log: (record) => deps.observer.log(record),
      warn: (message) => deps.log.warning(message),
      bug: (message) => deps.log.error(message),
    });
  }

  /** True once it takes no more threads. */
  get over(): boolean {
    return this.#over;
  }

  get empty(): boolean {
    return this.#threads.size === 0;
  }

  /** For the memory watch; null once it has ended. */
  get footprint(): { readonly pid: number; readonly memoryLimitMb: number } | null {
    const { pid } = this.#child;
    if (this.#over || pid === null) return null;
    const lanes = new Set<string>();
    let own = 0;
    for (const { order } of this.#threads.values())
      if (order.lane === null) own += 1;
      else lanes.add(order.lane);
    const threads = own + lanes.size;
    const furtherMb =
      Math.max(0, threads - 1) * furtherThreadMb + (this.#threads.size - threads) * furtherMemberMb;
    return { pid, memoryLimitMb: this.#memoryLimitMb + furtherMb };
  }

  launch(order: ThreadOrder): WorkerInstance {
    const number = this.#deps.nextThread();
    this.#memoryLimitMb = Math.max(this.#memoryLimitMb, order.memoryLimitMb);
    let listener: (end: End) => void = () => undefined;
    const thread: HostedThread = {
      order,
      endDueAtMs: null,
      finish: (end) => {
        if (this.#threads.delete(number)) listener(end);
      },
    };
    this.#threads.set(number, thread);
    if (this.#child.phase === 'ready') this.#start(number, thread);
    return {
      port: this.#demultiplexer.portOf(number),
      pid: this.#child.pid,
      kill: (left = false) => this.#endThread(number, thread, left),
      onEnd: (onEnd) => {
        listener = onEnd;
      },
    };
  }

  /** Ends the process by order. */
  end(): void {
    this.#child.kill();
  }

  outgrown(message: string): void {
    this.#child.lose('memory', message);
  }

  tick(stalledMs: number): void {
    if (stalledMs > 0) this.#demultiplexer.forgive(stalledMs);
    this.#child.tick(stalledMs);
    if (this.#over) return;
    const now = this.#deps.time.nowMs();
    for (const [number, thread] of this.#threads) {
      if (thread.endDueAtMs === null || now < thread.endDueAtMs) continue;
      this.#child.lose('silent', `its thread ${String(number)} did not end within ${String(threadEndMs)} ms`);
      return;
    }
    if (this.empty) this.end();
  }

  #spec(user: string | null): WorkerSpec<typeof hostContract> {
    return {
      name: this.#name,
      contract,
      entry: this.#deps.hostEntry,
      hosting: { kind: 'process', user },
      silenceMs,
      startDeadlineMs,
      stopDeadlineMs,
      memoryLimitMb: this.#memoryLimitMb,
      settings: {},
      onEvent: { 'thread.ended': (body) => this.#threadEnded(body) },
      serve: {},
    };
  }

  #startThreads(): void {
    for (const [number, thread] of this.#threads) this.#start(number, thread);
  }

  #start(number: number, thread: HostedThread): void {
    const { entry, memoryLimitMb, lane } = thread.order;
    const heapLimitMb = Math.round(memoryLimitMb * heapShare);
    void this.#child
      .request('thread.start', { thread: number, entry, heapLimitMb, lane }, startDeadlineMs)
      .then((outcome) => {
        if (!outcome.ok)
          thread.finish({ reason: 'not-started', message: outcome.error.message, notAtFault: false });
      });
  }

  #endThread(number: number, thread: HostedThread, left: boolean): void {
    if (this.#over || thread.endDueAtMs !== null || !this.#threads.has(number)) return;
    if (this.#threads.size === 1) {
      // A lone thread: ending the process by a signal cannot hang.
      this.end();
      return;
    }
    thread.endDueAtMs = this.#deps.time.nowMs() + threadEndMs;
    if (this.#child.phase !== 'ready') {
      // The host does not know this thread yet.
      thread.finish(ordered);
      return;
    }
    void this.#child
      .request('thread.end', { thread: number, withinMs: threadEndMs, left }, threadEndMs)
      .then((outcome) => {
        if (outcome.ok) thread.finish(ordered);
      });
  }

  #threadEnded(body: EventBody<typeof hostContract, 'thread.ended'>): void {
    const suspect = body.reason === 'suspect';
    const reason = suspect ? 'thread-lost' : body.reason === 'flood' ? 'flood' : 'ended';
    const notAtFault = suspect || body.reason === 'shared';
    this.#threads.get(body.thread)?.finish({ reason, message: body.message, notAtFault });
  }

  #lost(loss: Loss | null): void {
    // First: the owner of a lost thread starts another, which must not go into this process.
    this.#over = true;
    const message = loss === null ? 'it was ended' : loss.message;
    if (loss !== null)
      this.#deps.log.warning(
        `lost the process ${this.#name} (${loss.reason}): ${message}; its threads restart in a new process`,
      );
    const threads = [...this.#threads.values()];
    const notAtFault = threads.some((thread) => thread.endDueAtMs !== null);
    for (const thread of threads)
      thread.finish({ reason: 'host-lost', message: `${this.#name}: ${message}`, notAtFault });
  }
}

const ordered: End = { reason: 'ended', message: 'it was ordered to end', notAtFault: false };

function withPort(process: WorkerInstance, port: Port): WorkerInstance {
  return { port, pid: process.pid, kill: () => process.kill(), onEnd: (listener) => process.onEnd(listener) };
}
