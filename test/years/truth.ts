// What a score would be by the true battery, and answers that must be there.
import type { BatteryHealth, TermName } from '../../shared/domain/ups/battery/health.js';
import { scoreOf, valueOfAge, valueOfRatio } from '../../shared/domain/ups/battery/score.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { batterySettings } from './feed.js';
import type { World } from './world.js';

const year = 365.25 * 86_400;

/** By the terms that `health` has, from the true battery at its time. */
export function trueScore(world: World, name: string, health: BatteryHealth): number {
  const { capacity, batteryDate } = world.unit(name).options;
  const { ts, terms } = health;
  const isNew = name === 'desk' && ts >= world.replacedAt;
  const base = capacity(isNew ? world.replacedAt : world.from);
  const ratio = valueOfRatio(capacity(ts) / base);
  const date = batteryDate?.(ts);
  const years = date === undefined ? (health.ageYears ?? 0) : (ts - Date.parse(date) / 1000) / year;
  const age = valueOfAge(years, batterySettings(name).expectedLifeYears);
  const truth: Partial<Record<TermName, number>> = { capacity: ratio, runtime: ratio, age };
  const of = (term: TermName): number | null =>
    terms[term].value === null ? null : (truth[term] ?? terms[term].value);
  const { score } = scoreOf({
    ...{ capacity: of('capacity'), runtime: of('runtime'), selfTest: of('selfTest') },
    ...{ anomalies: of('anomalies'), age: of('age') },
  });
  return score ?? missing();
}

/** kWh that the load drew between two times of the daemon's clock, outside of gaps. */
export function drawnKwh(world: World, name: string, from: number, to: number): number {
  const late = world.wall(to) - to;
  const gaps = world.incidents.filter(({ kind, ups }) => kind === 'gap' && (ups === null || ups === name));
  let joules = 0;
  for (let at = from - late + 5; at < to - late; at += 10)
    if (!gaps.some((gap) => at >= gap.at && at < gap.at + gap.seconds))
      joules += world.unit(name).options.watts(at) * 10;
  return joules / 3_600_000;
}

/** The time of all gaps of a UPS between two times of the daemon's clock. */
export function gapSeconds(world: World, name: string, from: number, to: number): number {
  return world.incidents
    .filter(({ kind, ups }) => kind === 'gap' && (ups === null || ups === name))
    .reduce((sum, { at, seconds }) => {
      const [begin, end] = [world.wall(at), world.wall(at + seconds)];
      return sum + Math.max(0, Math.min(end, to) - Math.max(begin, from));
    }, 0);
}

export function value<A>(outcome: Outcome<A>): A {
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.value;
}

export function missing(): never {
  throw new Error('missing');
}
