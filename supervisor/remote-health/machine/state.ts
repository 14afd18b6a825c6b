// All that is known of the health of remote servers, what may be told about it and what it may ask for. Types and first
// values only; what follows from what is step.ts.
import type { EventType } from '../../../shared/domain/events.js';
import type { Instant } from '../../../shared/domain/instant.js';
import type { FailedServer } from '../../../shared/protocol/storage.js';
import type { Obstacle } from '../../../shared/protocol/remote.js';

/** What the machine needs to know of one configured server. */
export interface ProbedServer {
  readonly name: string;
  readonly host: string;
  readonly user: string;
  /** The groupId of the UPS or redundancy group it belongs to. */
  readonly group: string;
  readonly groupKind: 'ups' | 'redundancy';
  readonly probed: boolean;
  /** Which machine it is: another place is another machine, of which nothing is known yet. */
  readonly place: string;
  /** All a probe goes by. When it changes, the last finding says little, and the next is due at once. */
  readonly access: string;
  readonly connectTimeoutMs: number;
}

export interface HealthSettings {
  readonly servers: readonly ProbedServer[];
  readonly startupCheck: boolean;
  readonly intervalMs: number;
  readonly failureThreshold: number;
  readonly notifyOnFailure: boolean;
  readonly notifyOnRecovery: boolean;
  /** Another one in every daemon, so that two of them do not probe one server in step. */
  readonly seed: string;
}

/**
 *              success                    failure                 failure number failure_threshold
 *   UNKNOWN ------------> HEALTHY ----------------> DEGRADED ----------------------------> FAILED
 *                            ^                          |                                     |
 *                            +---------- success -------+---------------- success ------------+
 *
 * A failure leads from UNKNOWN to DEGRADED as well, and with failure_threshold = 1 from anywhere to FAILED. DISABLED is
 * left and entered by the configuration alone. A probe that runs changes nothing until it has ended.
 */
export type Health =
  | { readonly kind: 'DISABLED' }
  | { readonly kind: 'UNKNOWN' }
  /** `slow`: the last probe took too long, and that was recorded. */
  | { readonly kind: 'HEALTHY'; readonly latencyMs: number; readonly slow: boolean }
  | {
      readonly kind: 'DEGRADED' | 'FAILED';
      readonly failures: number;
      readonly error: string;
      readonly obstacle: Obstacle | null;
    };

export interface ServerHealth {
  readonly server: ProbedServer;
  readonly health: Health;
  /** Monotonic. */
  readonly dueMs: number;
  /** Number of the probe under way; null while none is. */
  readonly probe: number | null;
  /** Unix seconds. */
  readonly lastCheckedAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly pause: Pause;
  readonly failed: FailedPeriod | null;
  /** This daemon has sent a message about it: what it recalls later is older than that. */
  readonly notified: boolean;
}

/** From FAILED to the next HEALTHY, over restarts of the daemon. */
export interface FailedPeriod {
  /** The message of the failure was sent. */
  readonly notified: boolean;
  /** It began before this daemon: its first status here is UNKNOWN. */
  readonly isOlder: boolean;
}

/**
 * What daemons before this one have kept of failed servers. `awaited`: messages of failures wait for it, since they may
 * have been sent. `overdue`: they wait no longer. `there`: it has been read.
 */
export type Memory =
  | { readonly kind: 'awaited'; readonly untilMs: number | null }
  | { readonly kind: 'overdue' }
  | { readonly kind: 'there' };

/** Why it is left alone: its UPS is on battery, or a sequence has run meanwhile, which may have brought it down. */
export type Pause = 'none' | 'onBattery' | 'sequence';

export interface HealthState {
  readonly settings: HealthSettings;
  readonly servers: readonly ServerHealth[];
  readonly memory: Memory;
  /** Number of the last probe begun. */
  readonly probes: number;
}

export type Finding =
  | { readonly ok: true; readonly latencyMs: number }
  /** `obstacle`: no probe succeeds until an operator corrects it. */
  | { readonly ok: false; readonly reason: string; readonly obstacle: Obstacle | null };

export type HealthInput =
  /** First of all, and at every reload. */
  | { readonly kind: 'configured'; readonly at: Instant; readonly settings: HealthSettings }
  /** `able`: there is a prober that takes requests. `onBattery`: groupIds of the groups of which a UPS is. */
  | {
      readonly kind: 'ticked';
      readonly at: Instant;
      readonly isProberReady: boolean;
      readonly sequenceRuns: boolean;
      readonly onBattery: ReadonlySet<string>;
    }
  | { readonly kind: 'probed'; readonly at: Instant; readonly probe: number; readonly finding: Finding }
  /** What was kept before this daemon; once, and possibly never. */
  | { readonly kind: 'recalled'; readonly failed: readonly FailedServer[] }
  /** Nothing was found out: the prober was lost. */
  | { readonly kind: 'interrupted'; readonly at: Instant; readonly probe: number };

export type HealthEffect =
  | { readonly kind: 'probe'; readonly probe: number; readonly server: ProbedServer }
  | {
      readonly kind: 'recordEvent';
      readonly source: string;
      readonly server: string;
      readonly type: EventType;
      readonly detail: string;
    }
  | { readonly kind: 'notify'; readonly source: string; readonly type: EventType; readonly text: string }
  /** `status`: also what the rows of the group show has changed, not only when the server was probed last. */
  | { readonly kind: 'publish'; readonly group: string; readonly status: boolean };

export interface HealthStep {
  readonly state: HealthState;
  readonly effects: readonly HealthEffect[];
}

export const nothingProbed: HealthState = {
  settings: {
    servers: [],
    startupCheck: false,
    intervalMs: 3_600_000,
    failureThreshold: 1,
    notifyOnFailure: false,
    notifyOnRecovery: false,
    seed: '',
  },
  servers: [],
  memory: { kind: 'awaited', untilMs: null },
  probes: 0,
};
