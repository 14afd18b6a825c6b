// What a score would be by the true battery, and answers that must be there.
import type { BatteryHealth, TermName } from '../../shared/domain/battery/health.js';
import { scoreOf, valueOfAge, valueOfRatio } from '../../shared/domain/battery/score.js';
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

export function value<A>(outcome: Outcome<A>): A {
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.value;
}

export function missing(): never {
  throw new Error('missing');
}
