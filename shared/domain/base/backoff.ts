// The exponential backoff of everything that tries again.

/** Thirty doublings exceed every maximum; more would overflow after a year of failures. */
const maxDoublings = 30;

/** The pause after `failures` consecutive failures (from 1): `firstMs`, doubled with each further one, at most `maxMs`. */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, maxDoublings), maxMs);
}
