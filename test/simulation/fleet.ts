// The pollers of a daemon, whoever keeps them: what the world asks of them, and what they are given.
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import type { Reporter } from './firmware.js';
import type { ServerState, UpsSpec, WorkerFault } from './site.js';

/** How a UPS really is at the moment of an answer. */
export interface Truth {
  /** World time. */
  readonly atMs: number;
  readonly onBattery: boolean;
  /** What has to be said of it: TEST or CAL. */
  readonly words: readonly string[];
}

/** What a poller polls, and whom it tells. */
export interface Polled {
  readonly spec: UpsSpec;
  readonly reporter: Reporter;
  server(): ServerState;
  /** The truth of this moment, which the poll that begins now is going to tell. */
  truth(): Truth;
  report(poll: UpsPolled, truth: Truth): void;
}

export interface Fleet {
  /** The pollers of `configuration`: those that stay go on, new ones begin at once. */
  apply(configuration: Configuration): void;
  /** With every tick of the daemon, before policy's. */
  tick(): void;
  /** They die with their supervisor. */
  die(): void;
  fault(groupId: string, fault: WorkerFault): void;
}
