// What a checker knows of a UPS besides its answers.

/** The battery of a UPS as its gauges show it without a wrong sample; null: it has no such gauge. */
export interface BatteryTruth {
  readonly chargePercent: number | null;
  readonly runtimeSeconds: number | null;
  /** Below the mark of LB. */
  readonly isLow: boolean;
  /** Points that the battery loses; 0 on line power. */
  readonly drainPerMinute: number;
  /** Samples with a wrong charge or runtime, up to the one that the driver shows, since the last that had both right. */
  readonly wrongSamples: number;
}

/** The true state of a UPS at the time of an answer. */
export interface Truth {
  readonly atMs: number;
  readonly onBattery: boolean;
  /** The status words that a correct answer contains: TEST or CAL. */
  readonly words: readonly string[];
  readonly battery: BatteryTruth;
}

interface TrueState {
  readonly exercise: 'test' | 'calibration' | null;
  readonly onBattery: boolean;
}

export function truthOf(
  atMs: number,
  { exercise = null, onBattery = false }: Partial<TrueState> = {},
  reporter: { battery(atMs: number): BatteryTruth },
): Truth {
  const words = exercise === null ? [] : [exercise === 'test' ? 'TEST' : 'CAL'];
  return { atMs, onBattery, words, battery: reporter.battery(atMs) };
}
