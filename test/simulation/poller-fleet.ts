// The interface of a daemon's pollers, with or without real supervision. Types only.
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import type { Reporter } from './firmware.js';
import type { ServerState, UpsSpec, WorkerFault } from './scenario.js';
import type { Truth } from './truth.js';

/** The source of a poller's readings, and the receiver of its reports. */
export interface Polled {
  readonly spec: UpsSpec;
  readonly reporter: Reporter;
  server(): ServerState;
  /** The true state now, which a poll that starts now reports. */
  truth(): Truth;
  report(poll: UpsPolled, truth: Truth): void;
}

export interface PollerFleet {
  /** Applies a configuration: unchanged pollers continue, new ones start immediately. */
  apply(configuration: Configuration): void;
  /** At every tick of the daemon, before that of policy. True when its supervision is quiet after it. */
  tick(): boolean;
  die(): void;
  fault(groupId: string, fault: WorkerFault): void;
}
