// What a fault is, what a moment is, and what a case is: data. The course inflicts them, the judge knows what is excused.
import type { Testbed } from './testbed.js';
import type { Need, Target, Ups } from './site.js';

/** On line power; on battery before the threshold; with a sequence in progress. */
export const moments = ['mains', 'outage', 'sequence'] as const;
export type Moment = (typeof moments)[number];

/** Parts of the system a fault can hit. Two faults of a pair never hit the same one. */
export const parts = [
  'poller',
  'nut',
  'remote',
  'storage',
  'api',
  'prober',
  'log',
  'mqtt',
  'notify',
  'outbound',
  'upsd',
  'sshd',
  'broker',
  'notification server',
  'disk',
  'descriptors',
  'clock',
  'daemon',
] as const;
export type Part = (typeof parts)[number];

/** What a fault may cost. Everything that is not named here must go on as if nothing had happened. */
export interface Allowance {
  /** UPSes whose polls may stop while it lasts: it hits them. */
  readonly polls?: readonly Ups[];
  /** Targets that cannot be reached while it lasts. */
  readonly targets?: readonly Target[];
  /** The API may be away while it lasts. */
  readonly api?: true;
  /** Commands may come this much later: they have to wait for a worker, or for a server that is slow. */
  readonly lateMs?: number;
  /** Everything may come this much later: nobody could act. */
  readonly stoppedMs?: number;
  /** A command that was under way may be given once more. */
  readonly again?: true;
  /** The UPS of this host cannot be seen: on battery the failsafe is to act. */
  readonly blind?: true;
}

/** How much later than promised commands, and everything, may come while these faults last, in ms. */
export function delays(allowances: readonly Allowance[]): {
  readonly commands: number;
  readonly all: number;
} {
  const all = allowances.reduce((sum, { stoppedMs = 0 }) => sum + stoppedMs, 0);
  return { commands: allowances.reduce((sum, { lateMs = 0 }) => sum + lateMs, all), all };
}

/** Ends what was inflicted; called once. */
export type Heal = () => Promise<void> | void;

export interface Fault {
  /** `api: floods its link`. */
  readonly name: string;
  readonly part: Part;
  readonly allowance: Allowance;
  /** Told at once and over with it; else how long it is left to last on line power, in ms. */
  readonly lastsMs: number;
  /** True when it lasts until the sequence is over, where there is one; false when it ends after `lastsMs` at any rate. */
  readonly persists: boolean;
  /** What the daemon must be laid out on: a disk of its own, a clock that can be set. */
  readonly needs?: Need;
  /** The worker that must be seen lost, or the fault did not take hold. */
  readonly expectedLoss?: 'poller' | Part;
  readonly inject: (testbed: Testbed, random: () => number) => Promise<Heal>;
}

export interface Case {
  readonly faults: readonly string[];
  readonly moment: Moment;
  /** Decides the moments at which faults come and what they draw. */
  readonly seed: number;
}

export function caseName({ faults, moment }: Case): string {
  return `${moment}: ${faults.join(' + ')}`;
}
