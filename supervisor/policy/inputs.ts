// Everything policy can be told. Time, configuration and every report of a worker are inputs; nothing else reaches it.
import type { Instant } from '../../shared/domain/instant.js';
import type { Reading, Variables } from '../../shared/domain/reading.js';
import type { PollFailure } from '../../shared/domain/states.js';
import type { TriggerSettings } from '../../shared/domain/triggers/table.js';
import type { ShutdownRequest } from './shutdown.js';

/** What policy needs to know of one UPS. */
export interface UpsPolicy {
  readonly groupId: string;
  readonly name: string;
  readonly label: string;
  readonly isLocal: boolean;
  readonly transport: 'network' | 'tools';
  readonly checkIntervalMs: number;
  /** A poll's own deadline; a silent poller counts one failed poll per such period since its last good reading. */
  readonly pollDeadlineMs: number;
  readonly maxStaleDataTolerance: number;
  readonly grace: { readonly enabled: boolean; readonly durationMs: number; readonly flapThreshold: number };
  readonly triggers: TriggerSettings;
  /** True for a member of a redundancy group: its triggers are advisory and start no sequence of its own. */
  readonly advisory: boolean;
}

export interface GroupPolicy {
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
  readonly ups: readonly UpsPolicy[];
  readonly redundancyGroups: readonly GroupPolicy[];
  readonly voltageHysteresisMs: number;
}

/** How one poll ended; see `shared/protocol/poller.ts`. */
export type PollOutcome =
  | { readonly kind: 'reading'; readonly reading: Reading; readonly variables: Variables }
  | { readonly kind: 'failed'; readonly detail: PollFailure; readonly message: string };

/** `at` is the moment the input is handled; it never goes back. */
export type Input =
  /** First input of all, and again at every reload. Machines of UPSes that stay keep their state. */
  | { readonly kind: 'configured'; readonly at: Instant; readonly settings: PolicySettings }
  | {
      readonly kind: 'polled';
      readonly at: Instant;
      readonly groupId: string;
      readonly outcome: PollOutcome;
      /** How long the poll took, where it was measured: a slow server is reported. */
      readonly tookMs?: number;
    }
  /** At least every 250 ms: what happens by the mere passing of time happens here. */
  | { readonly kind: 'ticked'; readonly at: Instant }
  /** A battery test of ours runs (or has ended) on this UPS. */
  | { readonly kind: 'tested'; readonly at: Instant; readonly groupId: string; readonly running: boolean }
  /** A sequence of `group` is taken up that a daemon before this one had begun, and that nothing else tells of. */
  | {
      readonly kind: 'openSequenceFound';
      readonly at: Instant;
      readonly group: string;
      readonly request: ShutdownRequest;
      readonly sinceUnixSeconds: number;
    }
  /** The sequence of `group` has ended: by itself, or because it was cancelled. */
  | {
      readonly kind: 'sequenceEnded';
      readonly at: Instant;
      readonly group: string;
      readonly cancelled: boolean;
    };
