// One running instance of a worker, whatever carries it: a process or a thread in a host process.
import type { DownFrame } from '../../shared/protocol/frame.js';
import type { Port } from '../../shared/runtime/port.js';

/** How an instance came to its end. */
export interface End {
  readonly reason: 'ended' | 'not-started' | 'flood' | 'host-lost' | 'thread-lost';
  readonly message: string;
  /** True when something else was to blame: a host process killed for another of its threads; or may have been. */
  readonly notAtFault: boolean;
}

export interface WorkerInstance {
  readonly port: Port<DownFrame>;
  /** The process it lives in; null when none could be started. */
  readonly pid: number | null;
  /**
   * Ends it without asking. The end is told when it is really over. May be called again. `left`: it has finished of itself,
   * so that those who share a thread with it need not end too.
   */
  kill(left?: boolean): void;
  /** One listener, called once, never before `onEnd` has returned; after the last frame, or shortly after the end of the process. */
  onEnd(listener: (end: End) => void): void;
}

/** What a process is started with. */
export interface ProcessOrder {
  readonly name: string;
  /** Compiled module, absolute path. */
  readonly entry: string;
  readonly user: string | null;
  readonly heapLimitMb: number;
  readonly inheritStderr: boolean;
}

/** Starts a process. Never throws: what cannot be started has an end of its own. */
export type LaunchProcess = (order: ProcessOrder) => WorkerInstance;
