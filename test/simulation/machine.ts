// The machine of the daemon: its two clocks, its boots and suspends, and its timers.
import type { Clock } from '../../shared/runtime/clock.js';
import { EventQueue } from './event-queue.js';

/** The machine has been up for a while; after a boot the clock starts at 0. */
const monotonicAtFirstMs = 5_000_000;
const wallAtFirstSeconds = 1_700_000_000;

export class Machine implements Clock {
  /** In the monotonic time of this boot, which stops during a suspend. */
  readonly eventQueue = new EventQueue();
  readonly #worldMs: () => number;
  /** World time at which the monotonic clock was 0. */
  #zeroMs = -monotonicAtFirstMs;
  #asleepSinceMs: number | null = null;
  #wallOffsetSeconds = 0;
  #up = true;
  boots = 1;

  constructor(worldMs: () => number) {
    this.#worldMs = worldMs;
  }

  get up(): boolean {
    return this.#up;
  }

  get asleep(): boolean {
    return this.#asleepSinceMs !== null;
  }

  monotonicMs(): number {
    // An integer, so that its judge and policy never differ by a rounding error.
    return Math.round((this.#asleepSinceMs ?? this.#worldMs()) - this.#zeroMs);
  }

  wallSeconds(): number {
    return wallAtFirstSeconds + this.#worldMs() / 1000 + this.#wallOffsetSeconds;
  }

  stepWall(seconds: number): void {
    this.#wallOffsetSeconds += seconds;
  }

  /** World time of its next timer. */
  get nextAtMs(): number {
    return this.asleep ? Infinity : this.eventQueue.nextAt + this.#zeroMs;
  }

  after(ms: number, run: () => void): () => void {
    return this.eventQueue.enter(this.monotonicMs() + ms, run);
  }

  sleep(): void {
    if (this.#up) this.#asleepSinceMs ??= this.#worldMs();
  }

  wake(): void {
    if (this.#asleepSinceMs === null) return;
    this.#zeroMs += this.#worldMs() - this.#asleepSinceMs;
    this.#asleepSinceMs = null;
  }

  /** Orderly or not: all processes and the memory are lost. */
  goDown(): void {
    this.#up = false;
    this.#asleepSinceMs = null;
    this.eventQueue.clear();
  }

  boot(): void {
    this.#up = true;
    this.#zeroMs = this.#worldMs();
    this.boots += 1;
  }
}
