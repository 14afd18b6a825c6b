// The types of faults, moments and cases. case-run.ts injects them; checker.ts applies the allowances.
import type { Testbed } from './testbed.js';
import type { Allowance } from './allowance.js';
import type { Need } from './case-configuration.js';
import { lostIn } from '../fixtures/losses.js';
import { ownProcesses } from './workers.js';

/** On line power; on battery above the threshold; during a sequence. */
export const moments = ['mains', 'outage', 'sequence'] as const;
export type Moment = (typeof moments)[number];

/** Parts of the system a fault can hit. Two faults of a pair never hit the same one. */
export const parts = [
  'nut-local',
  'nut-1',
  ...ownProcesses,
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

/** Ends a fault; called once. */
export type Heal = () => Promise<void> | void;

export interface Fault {
  /** `the api worker floods its link` */
  readonly name: string;
  readonly part: Part;
  readonly allowance: Allowance;
  /** Duration on line power, in ms; 0 for a fault that is over immediately. */
  readonly lastsMs: number;
  /** True: lasts until the end of the sequence, if there is one. False: always ends after `lastsMs`. */
  readonly persists: boolean;
  /** What the testbed must provide: a private disk, a settable clock. */
  readonly needs?: Need;
  /** The worker whose loss the log must report; otherwise the fault had no effect. */
  readonly expectedLoss?: 'poller' | Part;
  readonly inject: (testbed: Testbed, random: () => number) => Promise<Heal>;
}

export interface Case {
  readonly faults: readonly string[];
  readonly moment: Moment;
  /** Determines all random numbers of the case. */
  readonly seed: number;
  /** What times may be multiplied by: beside other tests they measure the processors. Default 1. */
  readonly patience?: number;
}

export function caseName({ faults, moment }: Case): string {
  return `${moment}: ${faults.join(' + ')}`;
}

/** Whether the log reports the loss that the fault must cause. */
export function tookHold({ expectedLoss }: Fault, log: string): boolean {
  return expectedLoss === undefined || lostIn(log).some((name) => name.split(':')[0] === expectedLoss);
}
