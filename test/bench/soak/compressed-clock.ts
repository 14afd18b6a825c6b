// Drives the compressed clock: never further ahead of the slowest thread of the daemon than a moment, so that one that had
// to wait for a core is not taken for one that hangs. A busy machine makes the clock slower, not the daemon late.
import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../fixtures/processes.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Moment } from './clock-file.js';
import { MomentWriter, fakeAt, memoryOf, placesOf, realMonotonicMs } from './clock-file.js';

/**
 * How far the clock may run ahead of the slowest. Silence is two seconds, a heartbeat half of one, and it passes through
 * two others on its way, each of which may be late by this.
 */
const aheadMs = 120;
const driveMs = 1;
/** New threads are looked for so often. */
const searchMs = 4;
/** Of one that has not moved for so long it is looked whether its process lives. */
const stillMs = 1_000;
/** Memory where there is some: the place of each thread is written 500 times a second. */
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

  /** So many seconds pass in one, at the most; 1 is real time, without waiting for anybody. */
  run(speed: number): void {
    this.#set(speed, speed === 1 ? Infinity : this.monotonicMs() + aheadMs);
  }

  /** Settles when so much has passed on this clock. */
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

  /** How far the slowest thread has come. */
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
      // Killed without a word. One that lives is waited for, however long: that is what makes the clock honest.
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
