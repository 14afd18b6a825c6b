// The two clocks. Decisions use the monotonic clock; wall time is only for display and records.

export interface Clock {
  /**
   * CLOCK_MONOTONIC in fractional ms: counted from boot, the same in every process and thread, paused during suspend,
   * never set.
   */
  monotonicMs(): number;
  /** Unix time in seconds, fractional. */
  wallSeconds(): number;
}

export const systemClock: Clock = {
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  wallSeconds: () => Date.now() / 1000,
};
