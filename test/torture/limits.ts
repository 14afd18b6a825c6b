// The promised times in ms, with any fault. The nominal figures are those of an idle machine; the limits leave room for
// other cases on the same cores.
export const limits = {
  /** Polls are 0.5 s apart. Policy reports a lost connection after three failed polls and 15 s. */
  pollGapMs: 3_000,
  /**
   * From the report of upsd to the first command on a target: two readings (1 s) and a login by SSH (0.3 s). Nominal
   * 1.5 s.
   */
  firstCommandMs: 4_000,
  /** A hung NUT server: three polls of 5 s, and at least 15 s without a reading. */
  failsafeMs: 20_000,
  /** Time without an answer of an API that no fault hits. */
  apiAwayMs: 3_000,
  /** Until all workers are ready and all UPSes are polled. A worker that died three times restarts after 4 s. */
  recoveredMs: 20_000,
} as const;
