// The interface of supervision: a worker's specification as data, the handle to the running worker, and the observer.
// Types only.
import type { LogRecord } from '../../shared/domain/status/log-record.js';
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
} from '../../shared/protocol/contract.js';

/**
 * Where a worker runs. `user`: the account that a root supervisor changes it to; null keeps the supervisor's own.
 * Members with the same `process` share it; its program and user are those of the first.
 */
export type Hosting =
  | {
      readonly kind: 'process';
      readonly user: string | null;
      /** `inherit`: the worker writes to the supervisor's standard error. Only the log process does. */
      readonly stderr?: 'inherit';
      readonly writesAsRoot?: undefined;
    }
  /**
   * Keeps the supervisor's account and the right to write files in any directory (CAP_DAC_OVERRIDE), and no other; started by
   * root it has no network. Only the recorder does: what it writes decides after a boot what is started.
   */
  | {
      readonly kind: 'process';
      readonly user: null;
      readonly writesAsRoot: true;
      readonly stderr?: undefined;
    }
  | { readonly kind: 'member'; readonly process: string; readonly user: string | null };

export interface WorkerSpec<C extends Contract> {
  /** `log`, `api`, `poller:office-127.0.0.1-3493`; unique. */
  readonly name: string;
  readonly contract: C;
  /** The compiled module, an absolute path. */
  readonly entry: string;
  readonly hosting: Hosting;
  /**
   * A ready worker that sends nothing for this long is killed. Time in which the supervisor stood still does not count.
   * Of members, their process is watched.
   */
  readonly silenceMs: number;
  /** From start to `ready`. */
  readonly startDeadlineMs: number;
  /** From `drain` to `drained`. */
  readonly stopDeadlineMs: number;
  /** The maximum backoff, where 30 s is too long. */
  readonly maxBackoffMs?: number;
  /** A process with more resident memory is killed. */
  readonly memoryLimitMb: number;
  readonly settings: WorkerSettings<C>;
  /** Must not throw. The event is acknowledged after it returns. */
  readonly onEvent: { readonly [N in EventName<C>]: (body: EventBody<C, N>) => void };
  /** Expected failures are returned as data. A rejection is a bug and is answered WORKER_ERROR. */
  readonly asks: {
    readonly [N in AskName<C>]: (params: Params<C['asks'], N>) => Promise<Outcome<Answer<C['asks'], N>>>;
  };
}

/** `waiting`: ended, to be restarted after its backoff. `stopped`: ended by order, for good. */
export type WorkerState = 'starting' | 'ready' | 'draining' | 'waiting' | 'stopped';

/** Why an instance ended without an order. */
export type LossReason =
  /** It ended by itself: exit, signal, uncaught error. */
  | 'ended'
  /** It could not be started. */
  | 'not-started'
  /** No `ready` within its start deadline. */
  | 'start-overdue'
  /** No frame within its silence limit. */
  | 'silent'
  /** Resident memory above its limit. */
  | 'memory'
  /** More frames than a correct worker sends. */
  | 'flood'
  /** A frame that is malformed, unknown, replayed or not permitted in its phase. */
  | 'violation'
  /** It closed its end of the link, or does not read it. */
  | 'link-closed'
  /** The process that it shares was lost. */
  | 'host-lost';

export interface WorkerHandle<C extends Contract> {
  readonly name: string;
  readonly state: WorkerState;
  /** Starts after the first. */
  readonly restarts: number;
  /**
   * Never rejects. Fails immediately with WORKER_GONE while the worker is not ready and when it dies meanwhile, with
   * DEADLINE_EXCEEDED at the first tick after the deadline.
   */
  request<N extends RequestName<C>>(
    name: N,
    params: Params<C['requests'], N>,
    deadlineMs: number,
  ): Promise<Outcome<Answer<C['requests'], N>>>;
  /** Sends changed settings to the running worker; the next instance gets them too. */
  reconfigure(settings: WorkerSettings<C>): void;
  /** Drains the worker, kills it at the stop deadline, settles when it is gone. It is not restarted. */
  stop(): Promise<void>;
}

/** None of these may throw. */
export interface SupervisionObserver {
  workerReady(name: string): void;
  /**
   * An instance ended without an order; its restart is already scheduled. `quickFailures`: how many in a row, this one
   * included, ended by their own fault without a stable one between them; 0 when this one was not at fault.
   */
  workerLost(name: string, reason: LossReason, message: string, quickFailures: number): void;
  /** A process was lost, with members that are not known to be at fault; `workerLost` is called for each of them too. */
  processLost(message: string): void;
  /** A record of a worker, in order; `logger` is the worker's name. */
  log(record: LogRecord): void;
}
