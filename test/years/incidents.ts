// What happens in the generated years: failures of mains, battery tests, calibrations, times without readings, and the clock
// that is set back. Times are true seconds; the clock of the daemon differs from them after it is set back.
import type { Random } from '../simulation/random.js';

const hour = 3600;
const day = 86_400;

/** `ups`: null for all. `seconds`: until power is back. `backSeconds`: power is back for a moment after half of the time. */
export interface Incident {
  readonly kind: 'outage' | 'self-test' | 'calibration' | 'gap';
  readonly ups: string | null;
  readonly at: number;
  readonly seconds: number;
  readonly backSeconds?: number;
}

const outages = 30;
/** Battery and rest are as before when the next incident begins. */
const apart = 14 * hour;
const calibrationSeconds = 900;

/** `local`: Unix time of a local date and time, which gives the dates that matter to a calendar. */
export function incidentsOf(
  random: Random,
  from: number,
  until: number,
  units: readonly string[],
  local: (text: string) => number,
): readonly Incident[] {
  const chosen: Incident[] = [
    // In the night in which the clocks go forward, in the one in which 02:30 is twice, over midnight, and on the leap day.
    { kind: 'outage', ups: null, at: local('2024-03-31T01:55:00'), seconds: 500 },
    { kind: 'outage', ups: null, at: local('2024-10-27T02:30:00'), seconds: 400, backSeconds: 20 },
    { kind: 'outage', ups: null, at: local('2025-06-10T23:55:00'), seconds: 600 },
    { kind: 'outage', ups: null, at: local('2024-02-29T12:00:00'), seconds: 300 },
    { kind: 'gap', ups: null, at: local('2024-07-05T10:00:00'), seconds: 2 * day },
    { kind: 'gap', ups: null, at: local('2025-10-25T20:00:00'), seconds: 9 * hour },
    { kind: 'gap', ups: units[0] ?? null, at: local('2025-02-11T03:00:00'), seconds: 5 * hour },
  ];
  const isFree = (at: number): boolean => chosen.every((one) => Math.abs(one.at - at) > apart + one.seconds);
  for (let at = from + 20 * day; at < until - 20 * day; at += 182 * day) {
    for (const [place, ups] of units.entries())
      chosen.push({ kind: 'calibration', ups, at: at + (1 + place) * hour, seconds: calibrationSeconds });
  }
  for (let at = from + 10 * day; at < until - 2 * day; at += 30 * day)
    for (const [place, ups] of units.entries()) {
      const start = at + 3 * hour + place * 1800;
      if (chosen.every((one) => Math.abs(one.at - start) > apart + one.seconds || one.kind === 'self-test'))
        chosen.push({ kind: 'self-test', ups, at: start, seconds: 15 });
    }
  while (chosen.filter(({ kind }) => kind === 'outage').length < outages) {
    const at = Math.floor(random.between(from + 5 * day, until - 5 * day));
    const seconds = Math.round(Math.exp(random.between(Math.log(20), Math.log(700))));
    if (isFree(at)) chosen.push({ kind: 'outage', ups: null, at, seconds });
  }
  return chosen.filter(({ at, seconds }) => at > from && at + seconds < until).sort((a, b) => a.at - b.at);
}
