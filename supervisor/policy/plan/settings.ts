// What a plan is made of: the configuration's words as policy wants them. Types only.
import type { CommandLine, PreShutdownAction, RemoteWork, StepAction } from '../../../shared/domain/plan.js';

type Runtime = Extract<StepAction, { kind: 'stopContainers' }>['runtime'];
type Mount = PreShutdownAction['mounts'][number];

/** A server that is shut down over SSH. */
export interface ServerSettings {
  readonly work: RemoteWork;
  readonly order: number;
  readonly when: 'after_local' | 'with_local';
  /** More time for the target as a whole, beyond its commands. */
  readonly marginSeconds: number;
}

/** What is stopped on this host: only where the group feeds it. */
export interface LocalSettings {
  /** Null: none. */
  readonly virtualMachines: { readonly uri: string | null; readonly maxWaitSeconds: number } | null;
  readonly containers: {
    readonly runtime: Runtime;
    readonly stopTimeoutSeconds: number;
    readonly compose: readonly { readonly path: string; readonly stopTimeoutSeconds: number }[];
    readonly allRemaining: boolean;
    readonly includeUserContainers: boolean;
  } | null;
  readonly sync: boolean;
  readonly unmount: { readonly mounts: readonly Mount[]; readonly timeoutSeconds: number };
}

export interface UpsOutputSettings {
  readonly ups: string;
  readonly label: string;
  readonly command: string;
  readonly offDelaySeconds: number;
}

/** What one group's plan is made of. */
export interface PlanSettings {
  /** groupId of the UPS or redundancy group. */
  readonly group: string;
  readonly label: string;
  /** groupIds of the UPSes that feed what the group brings down. */
  readonly fedBy: readonly string[];
  /** Null where the group does not feed this host. */
  readonly local: LocalSettings | null;
  /** The group's own servers, and with `drain_on_local_shutdown` those of the others: a lane for each group. */
  readonly servers: readonly { readonly group: string; readonly servers: readonly ServerSettings[] }[];
  /** Told to cut their outputs at the very end. */
  readonly upsOutputs: readonly UpsOutputSettings[];
  /** True when the end of this group's sequence powers off the host the daemon runs on. */
  readonly powersHost: boolean;
  readonly poweroff: {
    readonly command: CommandLine;
    readonly message: string;
    readonly fallback: CommandLine | null;
    /** Tell the users who are logged in, beside the first phase. */
    readonly wall: boolean;
  };
  /**
   * The host of the container the daemon runs in: what is local is done over SSH there, by the command of `poweroff` where
   * it has no final one of its own. Null outside of containers.
   */
  readonly delegate: ServerSettings | null;
  readonly dryRun: boolean;
}
