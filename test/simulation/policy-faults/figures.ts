// What the plays of a campaign add up to.
import type { FaultSpec } from './fault.js';

export interface BrokenPlay {
  readonly run: number;
  readonly rule: string;
  readonly text: string;
  readonly fault: FaultSpec;
}

export interface FaultFigures {
  /** Plays with a fault. */
  runs: number;
  /** Failures of mains in them. */
  outages: number;
  /** Plays in which policy threw at all, and its exceptions. */
  struck: number;
  thrown: number;
  /** Sequences that a healthy policy starts in them: met at the same time, later by so much, and not. */
  met: number;
  readonly lateMs: number[];
  notMet: number;
  unruled: number;
  /** Those not met. */
  readonly missed: Omit<BrokenPlay, 'rule'>[];
  readonly broken: BrokenPlay[];
}

export const blankFigures = (): FaultFigures => ({
  runs: 0,
  outages: 0,
  struck: 0,
  thrown: 0,
  met: 0,
  lateMs: [],
  notMet: 0,
  unruled: 0,
  missed: [],
  broken: [],
});

export function addFigures(into: FaultFigures, part: FaultFigures): void {
  for (const name of ['runs', 'outages', 'struck', 'thrown', 'met', 'notMet', 'unruled'] as const)
    into[name] += part[name];
  into.missed.push(...part.missed);
  into.lateMs.push(...part.lateMs);
  into.broken.push(...part.broken);
}

export function inWords({ lateMs, ...figures }: FaultFigures): readonly string[] {
  const later = lateMs.filter((ms) => ms > 0).sort((a, b) => a - b);
  const seconds = (ms: number | undefined) => `${((ms ?? 0) / 1000).toFixed(1)} s`;
  const inTime = lateMs.length - later.length;
  return [
    `${String(figures.runs)} plays with ${String(figures.outages)} failures of mains; policy threw ${String(figures.thrown)} times in ${String(figures.struck)} of them`,
    `${String(figures.met)} sequences that a healthy policy starts: ${String(inTime)} at the same time, ${String(later.length)} later (median ${seconds(later[later.length >> 1])}, at most ${seconds(later.at(-1))}), ` +
      `${String(figures.notMet)} not before power was back or the host off, ${String(figures.unruled)} by what the reserve has no rule for`,
  ];
}
