// The compressed clock as a file in memory: the driver writes it, every process of the daemon reads it.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A linear function: `fakeMs` at `realMs` of CLOCK_MONOTONIC, with `speed` seconds per second up to `limitMs`. */
export interface Moment {
  readonly realMs: number;
  readonly fakeMs: number;
  readonly speed: number;
  /** The clock stops here until the next update. */
  readonly limitMs: number;
  /** Added to `fakeMs`, gives Unix time. */
  readonly wallOffsetMs: number;
}

/** The environment variable that names the directory of the clock. */
export const clockVariable = 'RIDETHROUGH_COMPRESSED_CLOCK';
/** Daemon hours between two memory samples. */
export const sampleHours = 0.1;
export const hourMs = 3_600_000;

/** A serial number before and after the five values detects a partial write. */
const numbers = 7;

const momentFile = (directory: string): string => join(directory, 'moment');
export const placesOf = (directory: string): string => join(directory, 'places');
export const memoryOf = (directory: string): string => join(directory, 'memory');

/** CLOCK_MONOTONIC in ms, captured before its replacement. */
const hrtime = process.hrtime.bigint.bind(process.hrtime);
export function realMonotonicMs(): number {
  return Number(hrtime()) / 1e6;
}

export class MomentWriter {
  readonly #file: number;
  readonly #values = new Float64Array(numbers);
  #serial = 0;

  constructor(directory: string) {
    this.#file = openSync(momentFile(directory), 'w+');
  }

  write({ realMs, fakeMs, speed, limitMs, wallOffsetMs }: Moment): void {
    this.#serial += 1;
    this.#values.set([this.#serial, realMs, fakeMs, speed, limitMs, wallOffsetMs, this.#serial]);
    writeSync(this.#file, this.#values, 0, this.#values.byteLength, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

export class MomentReader {
  readonly #file: number;
  readonly #values = new Float64Array(numbers);

  constructor(directory: string) {
    this.#file = openSync(momentFile(directory), 'r');
  }

  read(): Moment {
    do readSync(this.#file, this.#values, 0, this.#values.byteLength, 0);
    while (this.#values[0] !== this.#values[numbers - 1]);
    const [, realMs = 0, fakeMs = 0, speed = 1, limitMs = 0, wallOffsetMs = 0] = this.#values;
    return { realMs, fakeMs, speed, limitMs, wallOffsetMs };
  }
}

/** The fake time for a real time. */
export function fakeAt({ realMs, fakeMs, speed, limitMs }: Moment, nowMs: number): number {
  return Math.min(fakeMs + (nowMs - realMs) * speed, limitMs);
}
