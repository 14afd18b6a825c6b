// Local time to Unix time. In the hour that a change from summer time doubles, the order of the lines decides which is meant.
import type { ReadTime } from './time-format.js';

/** Changes of the clock that zones have: half an hour to two hours. */
const shifts = [1800, 3600, 7200];
const hour = 3600;

export class LocalTimes {
  /** The Unix time of the hour last used, where it is plain: each local time in it exists once. */
  #hour = -1;
  #start = 0;

  /**
   * Unix seconds; null for a local time that a change to summer time skips. `previous`: the time of the line before. Of two
   * possible times the earlier one counts until the lines have gone back by half of the shift or more; then the later one.
   */
  at(time: ReadTime, previous: number): number | null {
    if (time.unix !== null) return time.unix;
    if (time.offsetSeconds !== null) return utc(time) - time.offsetSeconds;
    const key = ((time.year * 12 + time.month) * 32 + time.day) * 24 + time.hour;
    const within = time.minute * 60 + time.second;
    if (key === this.#hour) return this.#start + within;
    const start = candidates({ ...time, minute: 0, second: 0 });
    const end = candidates({ ...time, minute: 59, second: 59 });
    if (start.length === 1 && end.length === 1 && end[0] === (start[0] ?? 0) + hour - 1) {
      this.#hour = key;
      this.#start = start[0] ?? 0;
      return this.#start + within;
    }
    const [first, second] = candidates(time);
    if (first === undefined) return null;
    if (second === undefined || previous <= first) return first;
    const hasChanged = offsetAt(previous) === offsetAt(second);
    return hasChanged || previous - first >= (second - first) / 2 ? second : first;
  }
}

function offsetAt(at: number): number {
  return new Date(at * 1000).getTimezoneOffset();
}

function utc({ year, month, day, hour: h, minute, second }: ReadTime): number {
  return Date.UTC(year, month - 1, day, h, minute, second) / 1000;
}

/** Every Unix time that the local clock shows so, in order: none, one or two. */
function candidates(time: ReadTime): readonly number[] {
  const { year, month, day, hour: h, minute, second } = time;
  const first = new Date(year, month - 1, day, h, minute, second).getTime() / 1000;
  const all = [first, ...shifts.flatMap((shift) => [first - shift, first + shift])];
  return all.filter((at) => shows(at, time)).sort((a, b) => a - b);
}

function shows(at: number, { year, month, day, hour: h, minute, second }: ReadTime): boolean {
  const local = new Date(at * 1000);
  return (
    local.getFullYear() === year &&
    local.getMonth() === month - 1 &&
    local.getDate() === day &&
    local.getHours() === h &&
    local.getMinutes() === minute &&
    local.getSeconds() === second
  );
}
