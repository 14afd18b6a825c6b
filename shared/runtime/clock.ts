// The two clocks. Decisions run on the monotonic one; wall time is only for people and records.

export interface Clock {
  /**
   * Milliseconds, fractional, of CLOCK_MONOTONIC: the same value in every process and thread of the machine,
   * counted from boot, standing still while the machine is suspended, never set.
   */
  monotonicMs(): number;
  /** Unix time in seconds, fractional. */
  wallSeconds(): number;
}

export const systemClock: Clock = {
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  wallSeconds: () => Date.now() / 1000,
};
