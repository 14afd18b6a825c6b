// Draws the worlds of a host that may restart in place of its power-off: those of every campaign, with mains that return at any second
// after the point of no return, outputs that cut on mains or not, FSD, kills, and restarts that work or do not.
import { generateScenario } from '../generator/scenario.js';
import { withRoles } from '../generator/site.js';
import type { OutputSpec, Plant } from '../plant/plant.js';
import { Random } from '../random.js';
import type { CommandBehaviour, RestartSpec, Scenario, Site, TimedWorldEvent } from '../scenario.js';

/** A separate random stream: the rest of a scenario is that of the same run. */
const streamOfRestarts = 0x72_65_73_74;

export function generateRestartScenario(seed: number, run: number): Scenario {
  const { site: plain, worldEvents } = smallScenario(seed, run);
  const random = new Random(~seed ^ streamOfRestarts, run);
  const plant = plantOf(random, plain);
  const site = withRoles({
    ...{ ...plain, dryRun: false, supervised: false, losses: [], plant },
    localShutdown: { ...plain.localShutdown, enabled: true, triggerOn: 'any' },
    restart: restartOf(random, plain),
  });
  const kept = worldEvents.filter(({ worldEvent: { kind } }) => !isLossOfRecords(kind) && kind !== 'reload');
  const [first] = kept.filter(({ worldEvent }) => worldEvent.kind === 'mains' && worldEvent.volts === 0);
  const more = first === undefined ? [] : flickers(random, site, first.atMs);
  const all = [...kept, ...more].sort((a, b) => a.atMs - b.atMs);
  const lastMs = all.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
  return { site, worldEvents: all, durationMs: lastMs + random.integer(60, 200) * 1000 };
}

/** Of one UPS or two: a world of more takes longer, and the rule asks the same of each. */
function smallScenario(seed: number, run: number): Scenario {
  const all = [0, 1, 2, 3].map((part) => generateScenario(seed, run * 4 + part));
  const [first] = all;
  if (first === undefined) throw new Error('a run has scenarios');
  return all.find(({ site }) => site.ups.length <= 2) ?? first;
}

/** What was chosen is lost with the journal, and an exception may take an entry of it: other campaigns judge those. */
const isLossOfRecords = (kind: string): boolean => kind === 'disk' || kind === 'throws';

function plantOf(random: Random, { plant, hostFeeds, ups }: Site): Plant {
  // As long as power needs to count as back, or less.
  const guests = {
    ...{ maxWaitSeconds: 60, guests: [random.integer(1, 50) * 1000] },
    virsh: { afterMs: 50, code: 0 },
  };
  const feeding = ups.filter(({ policy }) => hostFeeds.includes(policy.groupId));
  const outputs = feeding.flatMap(({ policy: { groupId } }): readonly OutputSpec[] =>
    random.chance(0.75)
      ? [
          {
            ups: groupId,
            offDelaySeconds: random.pick([60, 60, 120]),
            behaviour: random.weighted({ cuts: 85, refuses: 8, hangs: 7 }),
          },
        ]
      : [],
  );
  const own = new Set(outputs.map((output) => output.ups));
  const first = random.integer(1, 22);
  return {
    ...plant,
    delegate: null,
    // Without a step before the power-off the return of power cancels.
    machines: random.chance(0.8) ? guests : (plant.machines ?? guests),
    outputs: [...plant.outputs.filter((output) => !own.has(output.ups)), ...outputs],
    kills: random.chance(0.45)
      ? [{ record: first, after: random.chance(0.5), downMs: random.pick([200, 1_000, 5_000, 20_000]) }]
      : [],
    mainsBackAtRecord: random.chance(0.6) ? random.integer(1, random.pick([4, 8, 20])) : null,
  };
}

function restartOf(random: Random, { hostFeeds }: Site): RestartSpec {
  const cutsOnMains = hostFeeds.filter(() => random.chance(0.4));
  return {
    command: restartBehaviours(random),
    cutsOnMains,
    known: cutsOnMains.filter(() => random.chance(0.3)),
    diskMs: random.pick([20, 20, 50, 50, 100, 100, 1_500, 1_990, 2_010, 5_000, null]),
  };
}

function restartBehaviours(random: Random): readonly CommandBehaviour[] {
  const succeeds: CommandBehaviour = {
    kind: 'succeeds',
    afterMs: random.integer(10, 3_000),
    downMs: random.integer(1, 60) * 1000,
  };
  switch (random.weighted({ succeeds: 75, fails: 9, hangs: 6, deceives: 10 })) {
    case 'succeeds':
      return [succeeds];
    case 'fails':
      return [{ kind: 'fails', afterMs: random.integer(1, 2_000) }, succeeds];
    case 'hangs':
      return [{ kind: 'hangs' }, succeeds];
    case 'deceives':
      return [{ kind: 'deceives', afterMs: 500 }, succeeds];
  }
}

/** Mains that return for a while, again and again, from the first failure on. */
function flickers(random: Random, { ups }: Site, fromMs: number): readonly TimedWorldEvent[] {
  const events: TimedWorldEvent[] = [];
  const feeds = [...new Map(ups.map(({ feed, nominalVolts }) => [feed, nominalVolts]))];
  let atMs = fromMs;
  // A storm: one outage after the other, each long enough for a shutdown, and each return for a boot.
  const isStorm = random.chance(0.25);
  const count = isStorm ? 5 : random.pick([0, 1, 2, 3]);
  for (let number = 0; number < count; number += 1) {
    const outSeconds = isStorm ? random.integer(50, 110) : random.integer(1, random.pick([20, 60, 150]));
    atMs += outSeconds * 1000 + random.integer(0, 999);
    const backMs = (isStorm ? random.integer(70, 110) : random.integer(1, random.pick([10, 60, 120]))) * 1000;
    for (const [feed, volts] of feeds) {
      events.push({ atMs, worldEvent: { kind: 'mains', feed, volts } });
      events.push({ atMs: atMs + backMs, worldEvent: { kind: 'mains', feed, volts: 0 } });
    }
    atMs += backMs;
  }
  return events;
}
