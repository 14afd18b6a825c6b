// What is said of a worker from outside: its specification as data, the handle to the running thing, and what is told
// of it. Types only; how it is kept alive is supervision.ts and what lies under it.
import type { LogRecord } from '../../shared/domain/log-record.js';
import type {
  Answer,
  AskName,
  Contract,
  EventBody,
  EventName,
  Outcome,
  Params,
  RequestName,
  Slice,
} from '../../shared/protocol/contract.js';
import type { ThreadEntry } from '../../shared/protocol/host.js';

/** Who starts first where many wait: 0 what feeds this host, 1 what is on battery, 2 the rest. */
export type StartPriority = 0 | 1 | 2;

/**
 * Where a worker lives. `user` is the account a root supervisor drops it to; null keeps the supervisor's own.
 * Threads that name the same `process` share it, and its user is that of the thread that started it.
 */
export type Hosting =
  | {
      readonly kind: 'process';
      readonly user: string | null;
      /** `inherit` hands the supervisor's own standard error to the worker: the log process alone. */
      readonly stderr?: 'inherit';
    }
  | {
      readonly kind: 'thread';
      readonly process: string;
      /** Those of one lane share one thread of the process; null: a thread of its own. */
      readonly lane: string | null;
      readonly entry: ThreadEntry;
      readonly user: string | null;
    };

export interface WorkerSpec<C extends Contract> {
  /** `log`, `api`, `poller:office-127.0.0.1-3493`; unique in a supervision. */
  readonly name: string;
  readonly contract: C;
  /** The compiled module, an absolute path; unused for threads, whose host knows its entries. */
  readonly entry: string;
  readonly hosting: Hosting;
  /** A ready worker that is not heard for this long is killed. Time in which the supervisor itself stood still is not counted. */
  readonly silenceMs: number;
  /** From start to `ready`. */
  readonly startDeadlineMs: number;
  /** From `drain` to `drained`. */
  readonly stopDeadlineMs: number;
  /** The longest wait before it is started again, where half a minute is too long. */
  readonly maxBackoffMs?: number;
  /** Asked at every start of a thread, since threads start in turn; 2 where it is left out. Must not throw. */
  readonly startPriority?: () => StartPriority;
  /** Resident memory of its process above which it is killed; a thread's heap gets a share of it. */
  readonly memoryLimitMb: number;
  readonly slice: Slice<C>;
  /** Must not throw. The event is acknowledged after it returns. */
  readonly onEvent: { readonly [N in EventName<C>]: (body: EventBody<C, N>) => void };
  /** Expected failures are answered as data; a rejection is a bug and is answered as WORKER_ERROR. */
  readonly serve: {
    readonly [N in AskName<C>]: (params: Params<C['asks'], N>) => Promise<Outcome<Answer<C['asks'], N>>>;
  };
}

/** `waiting`: down, to be started again after its backoff. `stopped`: down by order, for good. */
export type WorkerState = 'starting' | 'ready' | 'draining' | 'waiting' | 'stopped';

/** Why a life of a worker ended that was not ordered to. */
export type LossReason =
  /** Its process or thread ended by itself: exit, signal, uncaught error. */
  | 'ended'
  /** It could not be started at all. */
  | 'not-started'
  /** No `ready` within its start deadline. */
  | 'start-overdue'
  /** Not heard for its silence limit. */
  | 'silent'
  /** Resident memory above its limit. */
  | 'memory'
  /** More frames than any honest worker sends. */
  | 'flood'
  /** A frame that is malformed, unknown, replayed or not permitted in its phase. */
  | 'violation'
  /** Its end of the link is closed, or it does not read what it is sent. */
  | 'link-closed'
  /** The host process of its thread was lost. */
  | 'host-lost'
  /** The thread that it shares ended by itself, and it is not known which of those in it was to blame. */
  | 'thread-lost';

export interface WorkerHandle<C extends Contract> {
  readonly name: string;
  readonly state: WorkerState;
  /** Lives begun after the first one. */
  readonly restarts: number;
  /**
   * Never rejects. Fails at once with WORKER_GONE while the worker is not ready and when it dies meanwhile, with
   * DEADLINE_EXCEEDED at the first tick after the deadline.
   */
  request<N extends RequestName<C>>(
    name: N,
    params: Params<C['requests'], N>,
    deadlineMs: number,
  ): Promise<Outcome<Answer<C['requests'], N>>>;
  /** Sends a changed slice to the running worker; it is also the slice of the next life. */
  reconfigure(slice: Slice<C>): void;
  /** Drains, kills at the stop deadline; settles when the worker is gone. It is never started again. */
  stop(): Promise<void>;
}

/** What supervision tells; none of these may throw. */
export interface SupervisionObserver {
  workerReady(name: string): void;
  /**
   * A life that was not ordered to end has ended; the next one is already arranged. `quickFailures`: how many have ended in a
   * row by its own fault without a good one among them, this one included; 0 when something else was to blame.
   */
  workerLost(name: string, reason: LossReason, message: string, quickFailures: number): void;
  /** A record of a worker, in the order it was said, `logger` already set to the worker's name. */
  log(record: LogRecord): void;
}
