// Detects a flood by counting frames: no port has backpressure against a sender that ignores it.

/**
 * worker-link.ts bounds the burst of a correct worker: a queue of 1000 events as fast as they are acknowledged, 100 log
 * records, its answers. Twice that within a second is a flood.
 */
export const framesPerWindow = 2400;
export const windowMs = 1000;
/** Frequent frames, readings and log records, are shorter; the longest frame counts as half a window. */
const bytesPerFrame = 4096;

export class FloodGauge {
  readonly #limit: number;
  #windowStart = 0;
  #count = 0;

  constructor(limit: number = framesPerWindow) {
    this.#limit = limit;
  }

  /**
   * Counts a frame received at `nowMs`; true for a flood. A long frame counts as several, because it takes as long to
   * decode.
   */
  count(nowMs: number, bytes = 0): boolean {
    if (nowMs - this.#windowStart >= windowMs) {
      this.#windowStart = nowMs;
      this.#count = 0;
    }
    this.#count += 1 + Math.floor(bytes / bytesPerFrame);
    return this.#count > this.#limit;
  }

  /** The receiver stood still for `stalledMs`: frames that arrived meanwhile are no flood. */
  allowForStall(nowMs: number, stalledMs: number): void {
    this.#windowStart = nowMs;
    this.#count = -Math.ceil((this.#limit * stalledMs) / windowMs);
  }
}
