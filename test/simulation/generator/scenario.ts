// Generates the scenario of a run from the seed and the number of the run.
import { Random } from '../random.js';
import type { Scenario, Site, TimedWorldEvent } from '../scenario.js';
import { clocks, withClock } from './clocks.js';
import { disturbance, exceptions, remoteFaults } from './disturbances.js';
import { generateDelegate, generatePlant } from './plant.js';
import { quietMains, outages } from './mains.js';
import { withDelays } from './settings.js';
import { generateSite, withRoles } from './site.js';
import { staleDrivers, withShares } from './stale-drivers.js';
import { losses } from './losses.js';
import { firstSamples, sourceWords } from './source-words.js';
import { unknownSources } from './unknown-sources.js';
import { withDrivers } from './drivers.js';
import { samples, withGauges } from './samples.js';

/** Share of runs without an outage: only FSD and failsafe may shut anything down. */
const noOutageShare = 0.08;
const usualShare = 0.01;

/** A separate random stream: exceptions change nothing else in a scenario. */
const streamOfExceptions = 0x74_68_72_6f;
/** What restarts find missing, and the container, change nothing else either. */
const streamOfLosses = 0x6c_6f_73_73;
/** Nor do the NUT drivers, and the keys for what they hold. */
const streamOfDrivers = 0x64_72_69_76;
/** Nor does how long LB waits that charge and runtime contradict. */
const streamOfDelays = 0x64_65_6c_61;
/** Nor do coarse gauges, values that lie and mains that flicker. */
const streamOfSamples = 0x73_61_6d_70;
/** Nor do the words that name the source. */
const streamOfWords = 0x77_6f_72_64;
const streamOfUnknown = 0x6f_6c_6f_62;
const streamOfFirst = 0x66_69_72_73;
/** Nor do clocks that are set. */
const streamOfClocks = 0x63_6c_6f_63;
/** Nor do drivers that are stale, and how long the failsafe waits for them. */
const streamOfStale = 0x73_74_61_6c;

export function generateScenario(seed: number, run: number): Scenario {
  const random = new Random(seed, run);
  const quick = !random.chance(usualShare);
  const withLateFlags = withDelaysOf(generateSite(random, quick), new Random(~seed ^ streamOfDelays, run));
  const stale = new Random(~seed ^ streamOfStale, run);
  const ofSamples = new Random(~seed ^ streamOfSamples, run);
  const ofClocks = new Random(~seed ^ streamOfClocks, run);
  const timed = withClock(ofClocks, withLateFlags);
  const driven = withDrivers(new Random(~seed ^ streamOfDrivers, run), timed);
  const bare = withShares(stale, withGauges(ofSamples, driven));
  // A separate random stream: the resources of a site change nothing else in a scenario.
  const others = new Random(~seed, run);
  const restarts = new Random(~seed ^ streamOfLosses, run);
  const site = withRoles({
    ...bare,
    losses: losses(restarts),
    plant: { ...generatePlant(others, bare), delegate: generateDelegate(restarts, bare) },
  });
  const isStable = random.chance(noOutageShare);
  const mains = isStable ? quietMains(random) : outages(random, site, quick);
  const worldEvents: TimedWorldEvent[] = [...mains.worldEvents];
  const count = random.pick([0, 1, 1, 2, 3, 4, 6]);
  for (let number = 0; number < count; number += 1) {
    worldEvents.push(...disturbance(random, site, 5_000, mains.untilMs + 30_000));
  }
  const words = sourceWords(new Random(~seed ^ streamOfWords, run), site, mains.worldEvents);
  const unknown = unknownSources(new Random(~seed ^ streamOfUnknown, run), site, mains.untilMs);
  const first = firstSamples(new Random(~seed ^ streamOfFirst, run), site, mains.untilMs);
  worldEvents.push(...(unknown.length > 0 ? unknown : [...words, ...first]));
  worldEvents.push(...staleDrivers(stale, site, mains.worldEvents));
  worldEvents.push(...samples(ofSamples, site, mains.worldEvents));
  worldEvents.push(...remoteFaults(others, site, mains.worldEvents));
  const lastMs = worldEvents.reduce((latest, { atMs }) => Math.max(latest, atMs), mains.untilMs);
  worldEvents.push(...clocks(ofClocks, worldEvents, lastMs));
  worldEvents.push(...exceptions(new Random(~seed ^ streamOfExceptions, run), lastMs));
  worldEvents.sort((a, b) => a.atMs - b.atMs);
  return { site, worldEvents, durationMs: lastMs + random.integer(30, 110) * 1000 };
}

function withDelaysOf(site: Site, random: Random): Site {
  return {
    ...site,
    ups: site.ups.map((one) => ({ ...one, policy: withDelays(random, one.policy) })),
    groups: site.groups.map((group) => withDelays(random, group)),
  };
}
