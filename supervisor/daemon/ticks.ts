// When the daemon ticks: every 250 ms, and every 500 ms while nothing is under way that a tick has to end. Every moment is a
// multiple of the period, when the workers send their heartbeats: a daemon at rest wakes once for all of them.
import type { Clock } from '../../shared/runtime/clock.js';
import { untilNextMs } from '../../shared/runtime/period.js';
import type { SetTimer } from '../host/timer.js';

/** Bounds how late the timers of policy and supervision can be. */
const usualMs = 250;
/** One input adds at most 1 s to policy's watched time: a quiet tick may be late by half a second and loses none of it. */
const quietMs = 500;

export class Ticks {
  readonly #clock: Clock;
  readonly #setTimer: SetTimer;
  readonly #tick: () => boolean;
  #isQuiet = false;
  #isOver = false;
  #cancel: () => void = () => undefined;

  /** `tick` returns whether all is quiet after it. */
  constructor({ clock, setTimer }: { clock: Clock; setTimer: SetTimer }, tick: () => boolean) {
    this.#clock = clock;
    this.#setTimer = setTimer;
    this.#tick = tick;
    this.#arm();
  }

  /** Something is under way that a tick has to end. */
  useShortInterval(): void {
    if (!this.#isQuiet || this.#isOver) return;
    this.#isQuiet = false;
    this.#cancel();
    this.#arm();
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #arm(): void {
    const waitMs = untilNextMs(this.#isQuiet ? quietMs : usualMs, this.#clock.monotonicMs());
    this.#cancel = this.#setTimer(waitMs, () => this.#run());
  }

  #run(): void {
    this.#isQuiet = false;
    try {
      this.#isQuiet = this.#tick();
    } finally {
      if (!this.#isOver) this.#arm();
    }
  }
}
