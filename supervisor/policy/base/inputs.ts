// All inputs of policy: time, configuration and every report of a worker.
import type { RuntimeEstimate } from '../../../shared/domain/ups/battery/health.js';
import type { Instant } from '../../../shared/domain/base/instant.js';
import type { Reading, Variables } from '../../../shared/domain/ups/reading.js';
import type { PollFailure } from '../../../shared/domain/status/states.js';
import type { HoldSettings } from '../../../shared/domain/triggers/hold.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { Settings } from '../../../shared/domain/base/keys.js';
import type { policyKeys } from './ups-keys.js';
import type { ShutdownRequest } from './effects.js';

/** The settings of one UPS. */
export interface UpsSettings extends Settings<typeof policyKeys> {
  readonly groupId: string;
  readonly name: string;
  readonly label: string;
  readonly transport: 'network' | 'tools';
  /** The deadline of a poll; a silent poller counts one failed poll per such period since its last good reading. */
  readonly pollDeadlineMs: number;
  readonly grace: { readonly enabled: boolean; readonly durationMs: number; readonly flapThreshold: number };
  readonly triggers: TriggerSettings;
  /** `trust = "charge"`: a contradicted OL counts as an outage. */
  readonly trustsCharge: boolean;
  readonly holds: HoldSettings;
  /** The names of the redundancy groups that it is a member of. */
  readonly groups: readonly string[];
  /** A member that owns nothing: its triggers are advisory and start no sequence. */
  readonly advisory: boolean;
}

export interface GroupSettings {
  /** `redundancy-` + id. */
  readonly groupId: string;
  readonly name: string;
  readonly isLocal: boolean;
  /** groupIds of the members, in configuration order. */
  readonly members: readonly string[];
  readonly minHealthy: number;
  readonly degradedCountsAs: 'healthy' | 'critical';
  readonly unknownCountsAs: 'critical' | 'degraded' | 'healthy';
  readonly triggers: TriggerSettings;
}

export interface PolicySettings {
  readonly ups: readonly UpsSettings[];
  readonly redundancyGroups: readonly GroupSettings[];
  readonly voltageHysteresisMs: number;
}

/** FSD of this daemon: asked for, set, or not set. */
export type ForcedShutdownState = 'asked' | 'set' | 'refused';

/** The result of a poll; see `shared/protocol/poller.ts`. */
export type PollOutcome =
  | { readonly kind: 'reading'; readonly reading: Reading; readonly variables: Variables }
  | { readonly kind: 'failed'; readonly detail: PollFailure; readonly message: string };
export type GoodReading = Extract<PollOutcome, { kind: 'reading' }>;

/** `at`: when the input is handled; it never goes back. */
export type Input =
  /** Before every other input, and at every reload. UPSes that stay keep their state. */
  | { readonly kind: 'configured'; readonly at: Instant; readonly settings: PolicySettings }
  | {
      readonly kind: 'polled';
      readonly at: Instant;
      readonly groupId: string;
      readonly outcome: PollOutcome;
      /** The duration of the poll, for the report of a slow server. */
      readonly tookMs?: number;
      /** When it began, on the clock of `at`: what its answer shows may be as old. Without it: when it is handled. */
      readonly askedMs?: number;
    }
  /** Every 250 ms, or every 500 ms while policy is quiet (attention.ts): handles timeouts. */
  | { readonly kind: 'ticked'; readonly at: Instant }
  /** A battery test of this daemon has started or ended. */
  | { readonly kind: 'tested'; readonly at: Instant; readonly groupId: string; readonly running: boolean }
  /** A step of a plan sets FSD at the server of the UPS. */
  | {
      readonly kind: 'forcedShutdown';
      readonly at: Instant;
      readonly groupId: string;
      readonly state: ForcedShutdownState;
    }
  /** Storage has assessed the battery from its history. */
  | {
      readonly kind: 'assessed';
      readonly at: Instant;
      readonly groupId: string;
      readonly estimate: RuntimeEstimate | null;
    }
  /** The history has values above 0 of the UPS: it has a gauge of charge, of runtime. */
  | {
      readonly kind: 'gaugesRecalled';
      readonly at: Instant;
      readonly groupId: string;
      readonly read: { readonly charge: boolean; readonly runtime: boolean };
    }
  /** A journal shows a sequence of the group that a previous daemon started and policy does not know. */
  | {
      readonly kind: 'openSequenceFound';
      readonly at: Instant;
      readonly groupId: string;
      readonly request: ShutdownRequest;
      readonly sinceUnixSeconds: number;
    }
  /** The sequence of the group has ended or was cancelled. */
  | {
      readonly kind: 'sequenceEnded';
      readonly at: Instant;
      readonly groupId: string;
      readonly cancelled: boolean;
    };
