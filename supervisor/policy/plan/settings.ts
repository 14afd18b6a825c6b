// The settings a plan is built from. Types only.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { PreShutdownAction, RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type { ContainerRuntime } from '../../../shared/domain/actions/server-action.js';

type Mount = PreShutdownAction['mounts'][number];

/** A server that is shut down over SSH. */
export interface ServerSettings {
  readonly work: RemoteWork;
  readonly order: number;
  readonly when: 'after_local' | 'with_local';
  /** Time for the target in addition to its commands. */
  readonly marginSeconds: number;
  /** The longest wait after its final command until it is off; null: what follows waits only for the command. */
  readonly haltTimeoutSeconds: number | null;
  /** Of a host delegate, in place of its power-off where power is back; absent: none. */
  readonly restart?: string;
}

/** What is stopped on this host, if the group feeds it. */
export interface LocalSettings {
  /** Null: none. */
  readonly virtualMachines: { readonly uri: string | null; readonly maxWaitSeconds: number } | null;
  readonly containers: {
    readonly runtime: ContainerRuntime;
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

/** The settings of one group's plan. */
export interface PlanSettings {
  /** groupId of the UPS or redundancy group. */
  readonly group: string;
  readonly label: string;
  /** groupIds of the UPSes that feed the machines of the group. */
  readonly fedBy: readonly string[];
  /** Null where the group does not feed this host. */
  readonly local: LocalSettings | null;
  /** The group's own servers, and with `drain_on_local_shutdown` those of the others: a lane for each group. */
  readonly servers: readonly { readonly group: string; readonly servers: readonly ServerSettings[] }[];
  /** What follows the servers waits until those of the last order are off. */
  readonly waitsForTargets: boolean;
  /** Cut their outputs at the end of the plan. */
  readonly upsOutputs: readonly UpsOutputSettings[];
  /** UPSes at whose NUT servers this host is the primary. */
  readonly primaries: readonly Pick<UpsOutputSettings, 'ups' | 'label'>[];
  readonly hostsyncSeconds: number;
  /** The file by which NUT's late hook cuts the power; null: none. */
  readonly powerdownFlag: string | null;
  /** The power-off waits a moment for the record of who was up. */
  readonly keepsRecord: boolean;
  /** True when this group's sequence powers off the daemon's host. */
  readonly powersOffHost: boolean;
  readonly poweroff: {
    readonly command: CommandLine;
    readonly message: string;
    readonly fallback: CommandLine | null;
    /** In place of the power-off where power is back; absent: none. */
    readonly restart?: CommandLine;
    /** Send a message to logged-in users. */
    readonly wall: boolean;
  };
  /**
   * The host of the daemon's container: local work is done there over SSH, with the command of `poweroff` unless it has
   * a final one of its own. Null outside of containers.
   */
  readonly delegate: ServerSettings | null;
  readonly dryRun: boolean;
}
