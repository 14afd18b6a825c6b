// What is promised, in ms, whatever is broken. Nominal figures are those of an idle machine; the limits leave room for the
// other cases that run on the same cores.
export const limits = {
  /** Two polls are half a second apart. Policy misses a UPS after three failed polls and fifteen seconds. */
  pollGapMs: 3_000,
  /**
   * From upsd's word to the first command on a target: two readings that confirm (1 s), a login over SSH (0.3 s). Nominal
   * 1.5 s.
   */
  firstCommandMs: 4_000,
  /** A hung NUT server: three polls of five seconds, and at least fifteen seconds without a reading. */
  failsafeMs: 20_000,
  /** Without an answer of the API, when nothing has hit it. */
  apiAwayMs: 3_000,
  /** All workers ready and all UPSes polled again. A worker that died three times is started after 4 s. */
  recoveredMs: 20_000,
} as const;

/** The exit code of a case whose servers or daemon did not start: nothing was inflicted yet, so it may be tried once more. */
export const setupFailed = 3;
