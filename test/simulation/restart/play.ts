// Plays a world of a host that may restart, and the same world with recovery off: where that one powers off while power is out, this one
// does too.
import { passThrough } from '../play.js';
import type { Scenario } from '../scenario.js';
import { World } from '../world.js';
import type { Broken, FirstAct } from './judge.js';
import { RestartJudge } from './judge.js';

export interface RestartResult {
  readonly broken: Broken | null;
  readonly figures: RestartJudge['figures'];
}

/** Kills and answers that come otherwise may move an act by this much. */
const shiftMs = 60_000;

export async function playRestart(scenario: Scenario): Promise<RestartResult> {
  const judge = await judged(scenario);
  if (judge.broken !== null || judge.first !== null) return judge;
  const today = await judged({ ...scenario, site: { ...scenario.site, restart: null } });
  const { first } = today;
  if (first?.what !== 'power-off' || first.isPowerBack || first.atMs > scenario.durationMs - shiftMs)
    return judge;
  if (isKilledEarlier(judge, first.atMs) || isCancelled(judge, first)) return judge;
  const text = `with recovery off it powers off after ${String(first.atMs)} ms`;
  const broken = { atMs: first.atMs, rule: 'never a power-off less than without recovery', text };
  return { broken, figures: judge.figures };
}

/** The record is a step more: a kill at the same entry of the journal comes earlier, and before the next daemon acts the battery is empty. */
function isKilledEarlier({ blackout }: RestartJudge, actMs: number): boolean {
  if (blackout === null || blackout.killedMs === null) return false;
  const { atMs, killedMs } = blackout;
  return Math.abs(killedMs - actMs) <= shiftMs && atMs - killedMs <= shiftMs;
}

/** The record is a step more in which nothing is stopped yet: power that comes back in it cancels. */
function isCancelled({ cancelledMs }: RestartJudge, { askedBy }: FirstAct): boolean {
  return (
    askedBy.length > 0 &&
    askedBy.every(({ group, triggeredMs }) => (cancelledMs.get(group) ?? 0) > triggeredMs)
  );
}

async function judged(scenario: Scenario): Promise<RestartJudge> {
  let judge: RestartJudge | undefined;
  const world = new World(scenario.site, (one) => {
    judge = new RestartJudge(one);
    return judge.observer;
  });
  if (judge === undefined) throw new Error('a world has a witness');
  for (const { atMs, worldEvent } of scenario.worldEvents) world.at(atMs, () => world.perform(worldEvent));
  await passThrough(world, scenario.durationMs, judge);
  return judge;
}
