// Replaces Node's timers by timers on another clock: setTimeout, setInterval and the timers/promises version.
import { createRequire, syncBuiltinESMExports } from 'node:module';

export interface TimeSource {
  nowMs(): number;
  /** Its milliseconds per real millisecond. */
  speed(): number;
}

export interface NativeTimers {
  readonly setTimeout: typeof setTimeout;
  readonly setInterval: typeof setInterval;
}

/** The clock may change its speed or stop, so a long wait checks again. */
const longestWaitMs = 50;
const native = { setTimeout, clearTimeout, setInterval };

type Run = (...args: unknown[]) => void;

class CompressedTimer {
  readonly #time: TimeSource;
  readonly #run: () => void;
  readonly #ms: number;
  readonly #again: boolean;
  #dueMs: number;
  #native: NodeJS.Timeout | undefined;
  #referenced = true;

  constructor(time: TimeSource, run: () => void, ms: number, again: boolean) {
    this.#time = time;
    this.#run = run;
    // As in Node: an invalid time is 1 ms.
    this.#ms = ms >= 1 && ms <= 2 ** 31 - 1 ? ms : 1;
    this.#again = again;
    this.#dueMs = time.nowMs() + this.#ms;
    this.#arm();
  }

  ref(): this {
    this.#referenced = true;
    this.#native?.ref();
    return this;
  }

  unref(): this {
    this.#referenced = false;
    this.#native?.unref();
    return this;
  }

  hasRef(): boolean {
    return this.#referenced;
  }

  refresh(): this {
    this.close();
    this.#dueMs = this.#time.nowMs() + this.#ms;
    this.#arm();
    return this;
  }

  close(): this {
    native.clearTimeout(this.#native);
    this.#native = undefined;
    return this;
  }

  #arm(): void {
    const leftMs = (this.#dueMs - this.#time.nowMs()) / this.#time.speed();
    this.#native = native.setTimeout(() => this.#look(), Math.min(longestWaitMs, Math.max(1, leftMs)));
    if (!this.#referenced) this.#native.unref();
  }

  #look(): void {
    if (this.#time.nowMs() < this.#dueMs) {
      this.#arm();
      return;
    }
    this.#native = undefined;
    if (this.#again) {
      this.#dueMs = this.#time.nowMs() + this.#ms;
      this.#arm();
    }
    this.#run();
  }
}

/** Replaces the timers of this thread; returns the original ones. */
export function compressTimers(time: TimeSource): NativeTimers {
  const timer =
    (again: boolean) =>
    (run: Run, ms = 1, ...args: unknown[]): CompressedTimer =>
      new CompressedTimer(time, () => run(...args), ms, again);
  const clear = (timer: unknown): void => {
    if (timer instanceof CompressedTimer) timer.close();
    else native.clearTimeout(timer as NodeJS.Timeout);
  };
  const replaced = {
    setTimeout: timer(false),
    setInterval: timer(true),
    clearTimeout: clear,
    clearInterval: clear,
  };
  Object.assign(globalThis, replaced);
  const require = createRequire(import.meta.url);
  Object.assign(require('node:timers') as object, replaced);
  Object.assign(require('node:timers/promises') as object, { setTimeout: pauseOn(time) });
  syncBuiltinESMExports();
  return native;
}

function pauseOn(time: TimeSource) {
  return (ms = 1, value?: unknown, options: { signal?: AbortSignal; ref?: boolean } = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { signal, ref = true } = options;
      const aborted = (): void => {
        timer.close();
        reject(new DOMException('The operation was aborted', 'AbortError'));
      };
      const timer = new CompressedTimer(
        time,
        () => {
          signal?.removeEventListener('abort', aborted);
          resolve(value);
        },
        ms,
        false,
      );
      if (!ref) timer.unref();
      if (signal?.aborted === true) aborted();
      else signal?.addEventListener('abort', aborted, { once: true });
    });
}
