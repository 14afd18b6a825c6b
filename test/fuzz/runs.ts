// How often each property is tried: a moment's worth by itself, as often as `npm run fuzz -- --runs N` says by hand.
// A failure prints its seed and path; `npm run fuzz -- --seed S --path P` shows it again.
import type { Parameters } from 'fast-check';

const { RIDETHROUGH_FUZZ_RUNS: runs, RIDETHROUGH_FUZZ_SEED: seed } = process.env;

/** For `fc.assert`. */
export function tried<T>(usualRuns: number): Parameters<T> {
  return {
    numRuns: runs === undefined ? usualRuns : Number(runs),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}

/** Nothing of it takes seconds; what hangs is ended by this, whatever the runs. */
export const hangMs = runs === undefined ? 60_000 : 3_600_000;
