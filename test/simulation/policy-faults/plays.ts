// Plays scenarios with a policy that works, and again with faults of policy.
import type { Block } from '../campaign.js';
import { generateScenario } from '../generator/scenario.js';
import { Random } from '../random.js';
import type { Scenario, TimedWorldEvent } from '../scenario.js';
import { compare } from './compare.js';
import { drawFault } from './fault.js';
import type { FaultFigures } from './figures.js';
import { blankFigures } from './figures.js';
import { play } from './history.js';

/** A healthy play serves several faulty ones. */
const faultsOfScenario = 4;
/** In which the daemon is killed. */
const longestOutageMs = 180_000;

/** A separate random stream: faults change nothing else in a scenario. */
const streamOfFaults = 0x66_61_75_6c;

export async function playWithFaults(
  { seed, from, to }: Block,
  places: readonly string[],
): Promise<FaultFigures> {
  const figures = blankFigures();
  for (let number = Math.floor(from / faultsOfScenario); number * faultsOfScenario < to; number += 1) {
    const scenario = comparable(generateScenario(seed, number), new Random(seed ^ streamOfFaults, number));
    const healthy = await play(scenario, null);
    const upses = scenario.site.ups.map(({ policy }) => policy.groupId);
    for (let run = number * faultsOfScenario; run < (number + 1) * faultsOfScenario; run += 1) {
      const fault = drawFault(new Random(~seed ^ streamOfFaults, run), places, upses, scenario.durationMs);
      if (run < from || run >= to) continue;
      const faulty = await play(scenario, fault);
      const { broken, met, lateMs, notMet, unruled } = compare(scenario, healthy, faulty);
      figures.runs += 1;
      figures.outages += faulty.outages;
      figures.thrown += faulty.thrown;
      figures.struck += faulty.thrown > 0 ? 1 : 0;
      figures.met += met;
      figures.lateMs.push(...lateMs);
      figures.notMet += notMet.length;
      for (const text of notMet) figures.missed.push({ run, text, fault });
      figures.unruled += unruled;
      if (broken !== null) figures.broken.push({ run, ...broken, fault });
    }
  }
  return figures;
}

/** What would make two worlds differ by more than their policy is left out; tests and stale FSD are added. */
export function comparable({ site, worldEvents, durationMs }: Scenario, random: Random): Scenario {
  const kept = worldEvents.filter(({ worldEvent: { kind } }) => kind !== 'throws' && kind !== 'cancel');
  const { groupId: ups } = random.pick(site.ups).policy;
  const atMs = random.integer(0, durationMs);
  const added: TimedWorldEvent[] = random.chance(0.2)
    ? [
        { atMs: random.pick([0, atMs]), worldEvent: { kind: 'demand', ups, on: true } },
        { atMs: atMs + 60_000, worldEvent: { kind: 'demand', ups, on: false } },
      ]
    : [];
  const lastsMs = random.integer(5, 120) * 1000;
  const exercise = random.pick(['test', 'calibration'] as const);
  if (random.chance(0.2)) added.push({ atMs, worldEvent: { kind: 'exercise', ups, exercise, lastsMs } });
  const failures = worldEvents.filter(
    ({ worldEvent }) => worldEvent.kind === 'mains' && worldEvent.volts === 0,
  );
  for (const { downMs } of site.plant.kills) {
    const beganMs = failures.length === 0 ? atMs : random.pick(failures).atMs;
    added.push({ atMs: beganMs + random.integer(0, longestOutageMs), worldEvent: { kind: 'crash', downMs } });
  }
  return {
    // What happens at a record of a sequence happens at another time where it is started at another time: mains come back, the
    // daemon is killed and polls at other moments.
    site: {
      ...site,
      plant: { ...site.plant, mainsBackAtRecord: null, kills: [] },
      losses: [],
      dryRun: site.dryRun || random.chance(0.06),
      supervised: false,
    },
    worldEvents: [...kept, ...added].sort((a, b) => a.atMs - b.atMs),
    durationMs,
  };
}
