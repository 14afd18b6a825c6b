// The world of one run as data: what stands where, and what happens when. Written by a seed, played, and shrunk.
import type { PollFailure } from '../../shared/domain/states.js';
import type { GroupPolicy, UpsPolicy } from '../../supervisor/policy/inputs.js';
import type { BatterySpec } from './battery.js';
import type { Plant } from './plant/plant.js';
import type { Thrower } from './throwing.js';

/** How truthfully a UPS reports itself, until changed. */
export interface Firmware {
  /** The charge is reported in steps of this many points. */
  readonly chargeStep: number;
  /** The reported runtime is the true one times this. */
  readonly runtimeFactor: number;
  readonly saysCharge: boolean;
  readonly saysRuntime: boolean;
  readonly saysVolts: boolean;
  /** Reports 0 for charge and runtime while on line power. */
  readonly zeroOnLine: boolean;
  /** LB comes at this charge. */
  readonly lowFlagPercent: number;
  /** A transfer is reported this much later. */
  readonly lagMs: number;
  /** The charge stays where it is. */
  readonly stuckCharge: boolean;
  /** A battery test or calibration is shown as TEST or CAL; cheap firmware shows nothing but OB. */
  readonly showsExercise: boolean;
  /** TEST or CAL stays after the exercise has ended. */
  readonly stuckExercise: boolean;
  /** Words that are always there, known and unknown ones: RB, BYPASS, OVER, ALARM. */
  readonly words: readonly string[];
}

/** What the next poll, and only that one, gets instead of the truth. */
export interface Glitch {
  readonly words: readonly string[] | null;
  readonly chargePercent?: number | null;
  readonly runtimeSeconds?: number | null;
}

export interface UpsSpec {
  readonly policy: UpsPolicy;
  /** The mains it hangs on, and the NUT server that serves it. */
  readonly feed: string;
  readonly server: string;
  readonly battery: BatterySpec;
  readonly loadPercent: number;
  readonly nominalVolts: number;
  /** A poll takes this long. */
  readonly latencyMs: number;
  readonly firmware: Firmware;
}

export type ServerState =
  | { readonly kind: 'up' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** Accepts and never answers: every poll ends at its deadline. */
  | { readonly kind: 'hangs' }
  /** Answers with an error. */
  | { readonly kind: 'fails'; readonly detail: PollFailure }
  /** The driver has said nothing yet. */
  | { readonly kind: 'waits' };

/** What a run of the power-off command comes to. */
export type CommandBehaviour =
  | { readonly kind: 'succeeds'; readonly afterMs: number; readonly downMs: number }
  /** It says that it succeeded, and the host stays up. */
  | { readonly kind: 'deceives'; readonly afterMs: number }
  | { readonly kind: 'fails'; readonly afterMs: number }
  | { readonly kind: 'hangs' };

/** What goes wrong with the poller of a UPS, or with the process it lives in. */
export type WorkerFault =
  | 'dies'
  | 'hangs'
  | 'floods'
  | 'babbles'
  | 'process-dies'
  | 'process-hangs'
  /** The process dies, and the next two say nothing at all. */
  | 'never-ready';

export interface Policies {
  readonly ups: readonly UpsPolicy[];
  readonly groups: readonly GroupPolicy[];
}

export interface Site {
  readonly ups: readonly UpsSpec[];
  readonly groups: readonly GroupPolicy[];
  readonly voltageHysteresisMs: number;
  readonly dryRun: boolean;
  readonly localShutdown: {
    readonly enabled: boolean;
    readonly triggerOn: 'any' | 'none';
    readonly fallback: boolean;
  };
  /** groupIds of the UPSes that feed the machine of the daemon: it is up while one of them has output. */
  readonly hostFeeds: readonly string[];
  /** What the runs of the power-off command come to, one after the other; the last one from then on. */
  readonly powerOff: readonly CommandBehaviour[];
  /** What else its plans bring down. */
  readonly plant: Plant;
  /** Pollers live in processes that the real supervision keeps alive. */
  readonly supervised: boolean;
  /** From power to a started daemon. */
  readonly bootMs: number;
}

/** Something that happens in the world; who is meant is named by groupId. */
export type WorldEvent =
  | { readonly kind: 'mains'; readonly feed: string; readonly volts: number }
  | { readonly kind: 'load'; readonly ups: string; readonly percent: number }
  | { readonly kind: 'glitch'; readonly ups: string; readonly glitch: Glitch }
  | { readonly kind: 'firmware'; readonly ups: string; readonly change: Partial<Firmware> }
  | {
      readonly kind: 'exercise';
      readonly ups: string;
      readonly exercise: 'test' | 'calibration';
      readonly lastsMs: number;
    }
  /** The primary of a NUT server demands a forced shutdown, or takes that back. */
  | { readonly kind: 'demand'; readonly ups: string; readonly on: boolean }
  | { readonly kind: 'output'; readonly ups: string; readonly on: boolean }
  | { readonly kind: 'server'; readonly server: string; readonly state: ServerState }
  | { readonly kind: 'worker'; readonly ups: string; readonly fault: WorkerFault }
  /** The worker that logs in to servers; `awayMs`: how long none comes up, beyond what a start takes. */
  | { readonly kind: 'remoteWorker'; readonly fault: 'dies' | 'hangs'; readonly awayMs: number }
  /** The daemon is killed and is back after that long. */
  | { readonly kind: 'crash'; readonly downMs: number }
  /** The supervisor stands still; its workers, the clock and the world do not. */
  | { readonly kind: 'stall'; readonly ms: number }
  /** The machine sleeps, and its clock with it. */
  | { readonly kind: 'suspend'; readonly ms: number }
  | { readonly kind: 'wallStep'; readonly seconds: number }
  | { readonly kind: 'disk'; readonly full: boolean }
  | { readonly kind: 'reload'; readonly policies: Policies }
  | { readonly kind: 'cancel' }
  /** A call of something that the daemon works with throws: the one after `skipped` others. */
  | { readonly kind: 'throws'; readonly call: Thrower; readonly skipped: number };

export interface TimedWorldEvent {
  readonly atMs: number;
  readonly worldEvent: WorldEvent;
}

export interface Scenario {
  readonly site: Site;
  readonly worldEvents: readonly TimedWorldEvent[];
  readonly durationMs: number;
}
