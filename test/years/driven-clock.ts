// Loaded into the storage worker before its own code: its clocks are the number in a file, which the driver writes, and
// what it does every ten seconds or more follows that clock.
import { openSync, readSync } from 'node:fs';

/** The environment variable that names the file: Unix time in ms, one Float64. */
export const clockFileVariable = 'RIDETHROUGH_DRIVEN_CLOCK';
/** Shorter intervals, as those of heartbeats, stay those of the machine. */
const leastDrivenMs = 10_000;
const lookMs = 5;

const path = process.env[clockFileVariable];
if (path !== undefined) driveBy(openSync(path, 'r'));

function driveBy(file: number): void {
  const value = new Float64Array(1);
  const wallMs = (): number => {
    readSync(file, value, 0, value.byteLength, 0);
    return value[0] ?? 0;
  };
  const RealDate = Date;
  class DrivenDate extends RealDate {
    constructor(...given: [] | ConstructorParameters<typeof Date>) {
      if (given.length === 0) super(wallMs());
      else super(...(given as [number]));
    }
    static override now(): number {
      return wallMs();
    }
  }
  globalThis.Date = DrivenDate as DateConstructor;

  // The monotonic clock passes with it, and is never set back: the retention needs both.
  let [lastMs, passedMs] = [wallMs(), 0];
  process.hrtime.bigint = () => {
    const now = wallMs();
    passedMs += Math.max(0, now - lastMs);
    lastMs = now;
    return BigInt(Math.round(passedMs)) * 1_000_000n;
  };

  const every = setInterval;
  globalThis.setInterval = ((work: () => void, ms: number) => {
    if (ms < leastDrivenMs) return every(work, ms);
    let doneMs = wallMs();
    return every(() => {
      const now = wallMs();
      if (Math.abs(now - doneMs) < ms) return;
      doneMs = now;
      work();
    }, lookMs);
  }) as typeof setInterval;
}
