// The scenario of one run as data: the site, and what happens when. Generated from a seed, played, and shrunk.
import type { PollFailure } from '../../shared/domain/status/states.js';
import type { GroupSettings, UpsSettings } from '../../supervisor/policy/base/inputs.js';
import type { BatterySpec } from './battery.js';
import type { Plant } from './plant/plant.js';
import type { Thrower } from './throwing.js';

/** How accurately a UPS reports its state, until changed. */
export interface Firmware {
  /** The charge is reported in steps of this many points. */
  readonly chargeStep: number;
  /** The runtime is reported in steps of this many seconds. */
  readonly runtimeStep: number;
  /** The reported runtime is the true one times this. */
  readonly runtimeFactor: number;
  readonly saysCharge: boolean;
  readonly saysRuntime: boolean;
  readonly saysVolts: boolean;
  /** Reports 0 for charge and runtime while on line power. */
  readonly zeroOnLine: boolean;
  /** Without one charge and runtime are 0 at all times. */
  readonly hasGauge: boolean;
  /** LB comes at this charge. */
  readonly lowFlagPercent: number;
  /** A transfer is reported this much later. */
  readonly lagMs: number;
  /** The reported charge does not change. */
  readonly stuckCharge: boolean;
  /** A battery test or calibration is reported as TEST or CAL; cheap firmware reports only OB. */
  readonly showsExercise: boolean;
  /** TEST or CAL stays after the test or calibration has ended. */
  readonly stuckExercise: boolean;
  /** While its output is off it names the source all the same: OL OFF. */
  readonly namesLineWhenOff: boolean;
  /** DISCHRG stands in the status on battery. */
  readonly saysDischarge: boolean;
  /** `battery.voltage`, of a pack of 24 V. */
  readonly saysPack: boolean;
  /** What stands in the status for OB, and for OL: some drivers name the source otherwise. */
  readonly batteryWords: readonly string[];
  readonly lineWords: readonly string[];
  /** Words in every status, known and unknown ones: RB, BYPASS, OVER, ALARM. */
  readonly words: readonly string[];
}

/** How the NUT driver reads the device: between two reads it shows the last sample. 0: at every poll. */
export interface Driver {
  readonly name: string;
  readonly valuesMs: number;
  readonly statusMs: number;
  /** It is up to this much late with a read of the values: it looks whether one is due at each read of the status only. */
  readonly lateMs: number;
  /** It shows `pollfreq`, `pollinterval`. */
  readonly showsValues: boolean;
  readonly showsStatus: boolean;
}

/** A wrong answer to the next poll, and only to that one; of a driver that holds values, a wrong sample. */
export interface Glitch {
  readonly words: readonly string[] | null;
  readonly chargePercent?: number | null;
  readonly runtimeSeconds?: number | null;
}

export interface UpsSpec {
  readonly policy: UpsSettings;
  /** Its mains, and its NUT server. */
  readonly feed: string;
  readonly server: string;
  readonly battery: BatterySpec;
  readonly loadPercent: number;
  readonly nominalVolts: number;
  /** A poll takes this long. */
  readonly latencyMs: number;
  readonly firmware: Firmware;
  readonly driver: Driver;
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

/** What the runtime directory has lost when a daemon starts again on the same boot. */
export type Loss =
  | { readonly kind: 'snapshot' }
  /** The snapshot is the one of that long ago. */
  | { readonly kind: 'age'; readonly ms: number }
  | { readonly kind: 'journals' };

/** The outcome of a run of the power-off command. */
export type CommandBehaviour =
  | { readonly kind: 'succeeds'; readonly afterMs: number; readonly downMs: number }
  /** It says that it succeeded, and the host stays up. */
  | { readonly kind: 'deceives'; readonly afterMs: number }
  | { readonly kind: 'fails'; readonly afterMs: number }
  | { readonly kind: 'hangs' };

/** A fault of the poller of a UPS, or of its process. */
export type WorkerFault =
  | 'dies'
  | 'hangs'
  | 'floods'
  | 'babbles'
  | 'process-dies'
  | 'process-hangs'
  /** The process has no processor for four seconds. */
  | 'process-starves'
  /** The process dies, and the next two say nothing at all. */
  | 'never-ready';

export interface Policies {
  readonly ups: readonly UpsSettings[];
  readonly groups: readonly GroupSettings[];
}

/** Recovery is enabled: this host may restart in place of its power-off (specification/sequence.md). */
export interface RestartSpec {
  /** The outcomes of the runs of the restart command, in order; the last one repeats. */
  readonly command: readonly CommandBehaviour[];
  /** UPSes that cut and restore their output while mains is there too. */
  readonly cutsOnMains: readonly string[];
  /** Those of them of which the configuration says so. */
  readonly known: readonly string[];
  /** How long the disk takes for the count of restarts; null: for ever. */
  readonly diskMs: number | null;
}

export interface Site {
  readonly ups: readonly UpsSpec[];
  readonly groups: readonly GroupSettings[];
  readonly voltageHysteresisMs: number;
  readonly dryRun: boolean;
  readonly localShutdown: {
    readonly enabled: boolean;
    readonly triggerOn: 'any' | 'none';
    readonly fallback: boolean;
  };
  /** groupIds of the UPSes that feed the machine of the daemon. It runs while one of them has output. */
  readonly hostFeeds: readonly string[];
  /** The outcomes of the runs of the power-off command, in order; the last one repeats. */
  readonly powerOff: readonly CommandBehaviour[];
  /** Null: recovery is off, and each UPS cuts on mains too. */
  readonly restart: RestartSpec | null;
  readonly plant: Plant;
  /** Of the first deaths of the daemon, what each costs. */
  readonly losses: readonly (readonly Loss[])[];
  /** Pollers run in simulated processes under the real supervision. */
  readonly supervised: boolean;
  /** From power to a started daemon. */
  readonly bootMs: number;
  /** Each boot sets the wall clock by this much. */
  readonly clockAtBootSeconds: number;
}

/** An event in the world; UPSes and groups are named by groupId. */
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

/** The greatest age of a snapshot that a restart finds. */
export function lookBackMs({ losses }: Site): number {
  return Math.max(0, ...losses.flat().map((loss) => (loss.kind === 'age' ? loss.ms : 0)));
}
