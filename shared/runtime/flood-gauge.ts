// Tells a flood from a busy worker by counting frames: no port has back-pressure against a speaker that ignores it.

/**
 * What an honest worker can send at once is bounded by worker-link.ts: a full queue of 1000 events as fast as they are
 * acknowledged, a burst of 100 log records, its answers. Twice that, within a second, is no honest worker.
 */
export const framesPerWindow = 2400;
export const windowMs = 1000;
/** The honest frames that come often, readings and log records, are shorter; the longest then makes half a window. */
const bytesPerFrame = 4096;

export class FloodGauge {
  readonly #limit: number;
  #windowStart = 0;
  #count = 0;

  constructor(limit: number = framesPerWindow) {
    this.#limit = limit;
  }

  /**
   * Counts one frame heard at `nowMs`; true when that makes it a flood. A long one counts as several: reading it takes
   * as long, and the largest 2400 times a second would be all a supervisor does.
   */
  count(nowMs: number, bytes = 0): boolean {
    if (nowMs - this.#windowStart >= windowMs) {
      this.#windowStart = nowMs;
      this.#count = 0;
    }
    this.#count += 1 + Math.floor(bytes / bytesPerFrame);
    return this.#count > this.#limit;
  }

  /** The listener stood still for `stalledMs`: what was said meanwhile arrives at once and is no flood. */
  forgive(nowMs: number, stalledMs: number): void {
    this.#windowStart = nowMs;
    this.#count = -Math.ceil((this.#limit * stalledMs) / windowMs);
  }
}
