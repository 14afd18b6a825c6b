// How often each property runs: briefly in the unit tests, N times with `npm run fuzz -- --runs N`.
// A failure prints its seed and path; `npm run fuzz -- --seed S --path P` repeats it.
import type { Parameters } from 'fast-check';

const { RIDETHROUGH_FUZZ_RUNS: runs, RIDETHROUGH_FUZZ_SEED: seed } = process.env;

export function tried<T>(usualRuns: number): Parameters<T> {
  return {
    numRuns: runs === undefined ? usualRuns : Number(runs),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
