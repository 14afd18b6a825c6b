// The state of remote health, its inputs and its effects. Types and initial values only; step.ts holds the transitions.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { Instant } from '../../../shared/domain/base/instant.js';
import type { FailedServer } from '../../../shared/protocol/storage.js';
import type { Obstacle } from '../../../shared/protocol/remote.js';

/** One configured server. */
export interface ProbedServer {
  readonly name: string;
  readonly host: string;
  readonly user: string;
  /** The groupId of the UPS or redundancy group it belongs to. */
  readonly group: string;
  readonly groupKind: 'ups' | 'redundancy';
  readonly probed: boolean;
  /** Identifies the machine: with another place nothing is known of it. */
  readonly place: string;
  /** Everything a probe depends on. When it changes, the next probe is due immediately. */
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
  /** Different in every daemon, so that two of them do not probe one server at the same time. */
  readonly seed: string;
}

/**
 *              success                    failure                 failure number failure_threshold
 *   UNKNOWN ------------> HEALTHY ----------------> DEGRADED ----------------------------> FAILED
 *                            ^                          |                                     |
 *                            +---------- success -------+---------------- success ------------+
 *
 * A failure also leads from UNKNOWN to DEGRADED, and with failure_threshold = 1 from every state to FAILED. Only the
 * configuration sets DISABLED. A probe changes nothing until it has ended.
 */
export type Health =
  | { readonly kind: 'DISABLED' }
  | { readonly kind: 'UNKNOWN' }
  /** `slow`: the last probe took too long, and an event recorded it. `unchecked`: why its commands could not be checked. */
  | {
      readonly kind: 'HEALTHY';
      readonly latencyMs: number;
      readonly slow: boolean;
      readonly unchecked: string;
    }
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
  /** The number of the probe in flight; null for none. */
  readonly probe: number | null;
  /** Unix seconds. */
  readonly lastCheckedAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly pause: Pause;
  readonly failed: FailedPeriod | null;
  /** This daemon has sent a message about it, which supersedes a stored one. */
  readonly notified: boolean;
}

/** From FAILED to the next HEALTHY, over restarts of the daemon. */
export interface FailedPeriod {
  /** The failure message was sent. */
  readonly notified: boolean;
  /** `down`: this host has no network to it, and such servers share their messages. `over`: another of them is back. */
  readonly ownNetwork: 'no' | 'down' | 'over';
  /** It started before this daemon: the first status here is UNKNOWN. */
  readonly isOlder: boolean;
}

/**
 * The failed servers stored by previous daemons. `awaited`: failure messages wait for them, since they may have been
 * sent already. `overdue`: messages no longer wait. `there`: they were read.
 */
export type Memory =
  | { readonly kind: 'awaited'; readonly untilMs: number | null }
  | { readonly kind: 'overdue' }
  | { readonly kind: 'there' };

/** Why it is not probed: its UPS is on battery, or a sequence ran since, which may have shut it down. */
export type Pause = 'none' | 'onBattery' | 'sequence';

export interface HealthState {
  readonly settings: HealthSettings;
  readonly servers: readonly ServerHealth[];
  readonly memory: Memory;
  /** The number of the last probe. */
  readonly probes: number;
}

export type Finding =
  | { readonly ok: true; readonly latencyMs: number; readonly unchecked: string }
  /** `obstacle`: no probe succeeds until an operator corrects it. `ownNetwork`: this host has no route or link to it. */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly obstacle: Obstacle | null;
      readonly ownNetwork: boolean;
    };

export type HealthInput =
  /** Before every other input, and at every reload. */
  | { readonly kind: 'configured'; readonly at: Instant; readonly settings: HealthSettings }
  /** `isProberReady`: the prober accepts requests. `onBattery`: groupIds with a UPS on battery. `down`: servers that are shut down. */
  | {
      readonly kind: 'ticked';
      readonly at: Instant;
      readonly isProberReady: boolean;
      readonly sequenceRuns: boolean;
      readonly onBattery: ReadonlySet<string>;
      readonly down: Pick<ReadonlySet<string>, 'has'>;
    }
  | { readonly kind: 'probed'; readonly at: Instant; readonly probe: number; readonly finding: Finding }
  /** The servers stored by a previous daemon. Once, possibly never. */
  | { readonly kind: 'recalled'; readonly failed: readonly FailedServer[] }
  /** No result: the prober was lost. */
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
  /** `status`: the short row of the group has changed too. */
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
