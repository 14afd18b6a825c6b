// One running instance of a worker: a process, or one of several workers in a process.
import type { DownFrame } from '../../shared/protocol/frame.js';
import type { Port } from '../../shared/runtime/port.js';

/**
 * `own`: the instance caused its end. `possible`: it or another worker of its process did. `none`: its process ended
 * because of another worker.
 */
export type Fault = 'own' | 'possible' | 'none';

/** How an instance ended. */
export interface End {
  readonly reason: 'ended' | 'not-started' | 'silent' | 'host-lost';
  readonly message: string;
  readonly fault: Fault;
}

export interface WorkerInstance {
  readonly port: Port<DownFrame>;
  /** The process it runs in; null when none could be started. */
  readonly pid: number | null;
  /**
   * Ends it without a drain. The end is reported when it is over. May be called again. `finishedByItself`:
   * others in its process need not end.
   */
  kill(how?: { readonly finishedByItself: boolean }): void;
  /**
   * One listener, called once, after `onEnd` has returned: after the last frame, or shortly after the end of the
   * process.
   */
  onEnd(listener: (end: End) => void): void;
}

export interface ProcessOrder {
  readonly name: string;
  /** Compiled module, absolute path. */
  readonly entry: string;
  readonly user: string | null;
  readonly heapLimitMb: number;
  readonly inheritStderr: boolean;
  /** Hosting has its meaning. */
  readonly writesAsRoot: boolean;
}

/** Starts a process. Never throws: a failed start is reported as an end. */
export type LaunchProcess = (order: ProcessOrder) => WorkerInstance;
