// What tests cost: seconds, and seconds of processor time with all programs that were started and have ended.
import { readFileSync } from 'node:fs';

export interface Cost {
  /** Seconds by the monotonic clock. */
  readonly wall: number;
  /** Seconds of all processors. */
  readonly cpu: number;
}

/** USER_HZ: 100 on every architecture of Node.js. */
const ticksInSecond = 100;

/** Of this process, since its start. */
export function spent(): Cost {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Behind the name, which may contain anything, from the third field on: utime, stime, cutime, cstime are 14 to 17 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { wall: performance.now() / 1000, cpu: ticks / ticksInSecond };
}
