// A moment on both clocks. Policy decides by the monotonic clock; wall-clock time is only recorded.

export interface Instant {
  /** CLOCK_MONOTONIC of the machine in ms. */
  readonly monotonicMs: number;
  /** Unix time in seconds. */
  readonly unixSeconds: number;
}
