// The machine the daemon runs on: its two clocks, its boots and sleeps, and what is going to happen on it.
import type { Clock } from '../../shared/runtime/clock.js';
import { EventQueue } from './event-queue.js';

/** On a machine that has been up for a while; after a boot the clock begins at 0. */
const monotonicAtFirstMs = 5_000_000;
const wallAtFirstSeconds = 1_700_000_000;

export class Machine implements Clock {
  /** By the monotonic clock of this boot: a sleeping machine does nothing and misses nothing. */
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
    // Whole, so that no oracle ever argues with policy about the last bit of a sum.
    return Math.round((this.#asleepSinceMs ?? this.#worldMs()) - this.#zeroMs);
  }

  wallSeconds(): number {
    return wallAtFirstSeconds + this.#worldMs() / 1000 + this.#wallOffsetSeconds;
  }

  stepWall(seconds: number): void {
    this.#wallOffsetSeconds += seconds;
  }

  /** World time of the next thing that happens on it. */
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

  /** Orderly or not: whatever ran on it is gone, and what it kept in memory. */
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
