// Drives the compressed clock, at most `aheadMs` ahead of the slowest thread of the daemon, so that a thread waiting for a
// core does not look hung. A busy machine slows the clock down and does not make the daemon late.
import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../fixtures/processes.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Moment } from './clock-file.js';
import { MomentWriter, fakeAt, memoryOf, placesOf, realMonotonicMs } from './clock-file.js';

/**
 * How far the clock may be ahead of the slowest thread. The heartbeat limit is 2 s, the interval 0.5 s, and a heartbeat
 * passes through two threads, each of which may be late by this.
 */
const aheadMs = 120;
const driveMs = 1;
/** Interval of the search for new threads. */
const searchMs = 4;
/** After this long without progress of a thread, checks whether its process is alive. */
const stillMs = 1_000;
/** A tmpfs if there is one: each thread writes its progress 500 times a second. */
const memoryFolder = '/dev/shm';

interface Place {
  readonly file: number;
  fakeMs: number;
  movedAtMs: number;
}

export class CompressedClock implements Clock {
  readonly directory: string;
  readonly #writer: MomentWriter;
  readonly #places = new Map<string, Place>();
  readonly #lost = new Set<string>();
  readonly #waiting: { readonly dueMs: number; readonly resolve: () => void }[] = [];
  readonly #timer: NodeJS.Timeout;
  #moment: Moment;
  #searchedAtMs = 0;

  constructor() {
    this.directory = mkdtempSync(join(folder(), 'ridethrough-clock-'));
    mkdirSync(placesOf(this.directory));
    mkdirSync(memoryOf(this.directory));
    this.#writer = new MomentWriter(this.directory);
    const realMs = realMonotonicMs();
    this.#moment = { realMs, fakeMs: realMs, speed: 1, limitMs: Infinity, wallOffsetMs: Date.now() - realMs };
    this.#writer.write(this.#moment);
    this.#timer = setInterval(() => this.#drive(), driveMs);
  }

  monotonicMs(): number {
    return fakeAt(this.#moment, realMonotonicMs());
  }

  wallSeconds(): number {
    return (this.monotonicMs() + this.#moment.wallOffsetMs) / 1000;
  }

  /** Maximum seconds per real second; 1 is real time, without waiting for threads. */
  run(speed: number): void {
    this.#set(speed, speed === 1 ? Infinity : this.monotonicMs() + aheadMs);
  }

  /** Settles after `ms` of this clock. */
  pass(ms: number): Promise<void> {
    const dueMs = this.monotonicMs() + ms;
    return new Promise((resolve) => this.#waiting.push({ dueMs, resolve }));
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { file } of this.#places.values()) closeSync(file);
    this.#writer.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #set(speed: number, limitMs: number): void {
    const realMs = realMonotonicMs();
    this.#moment = { ...this.#moment, realMs, fakeMs: fakeAt(this.#moment, realMs), speed, limitMs };
    this.#writer.write(this.#moment);
  }

  #drive(): void {
    const now = this.monotonicMs();
    const due = this.#waiting.filter(({ dueMs }) => dueMs <= now);
    for (const one of due) this.#waiting.splice(this.#waiting.indexOf(one), 1);
    for (const { resolve } of due) resolve();
    if (this.#moment.speed === 1) return;
    const slowest = this.#slowest();
    if (slowest + aheadMs > this.#moment.limitMs) this.#set(this.#moment.speed, slowest + aheadMs);
  }

  /** The progress of the slowest thread. */
  #slowest(): number {
    const realMs = realMonotonicMs();
    if (realMs - this.#searchedAtMs > searchMs) this.#search(realMs);
    const told = new Float64Array(1);
    let slowest = Infinity;
    for (const [name, place] of this.#places) {
      readSync(place.file, told, 0, told.byteLength, 0);
      const fakeMs = told[0] ?? 0;
      if (fakeMs !== place.fakeMs) {
        place.fakeMs = fakeMs;
        place.movedAtMs = realMs;
      }
      // The process was killed. A live thread is waited for without a limit.
      if (realMs - place.movedAtMs > stillMs && !isAlive(Number.parseInt(name, 10)))
        this.#dropFromPageCache(name, place);
      else slowest = Math.min(slowest, fakeMs);
    }
    return slowest;
  }

  #search(realMs: number): void {
    this.#searchedAtMs = realMs;
    const present = readdirSync(placesOf(this.directory));
    for (const [name, place] of this.#places)
      if (!present.includes(name)) this.#dropFromPageCache(name, place);
    for (const name of present) {
      if (this.#places.has(name) || this.#lost.has(name)) continue;
      const file = openSync(join(placesOf(this.directory), name), 'r');
      this.#places.set(name, { file, fakeMs: this.monotonicMs(), movedAtMs: realMs });
    }
  }

  #dropFromPageCache(name: string, { file }: Place): void {
    closeSync(file);
    this.#places.delete(name);
    this.#lost.add(name);
  }
}

function folder(): string {
  try {
    readdirSync(memoryFolder);
    return memoryFolder;
  } catch {
    return tmpdir();
  }
}
