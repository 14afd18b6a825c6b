// Draws what devices and drivers do to their samples: coarse gauges, values that lie, mains that flicker.
import type { Random } from '../random.js';
import type { Glitch, Site, TimedWorldEvent } from '../scenario.js';

/** Some gauges have few steps, and tell the runtime in minutes. */
export function withGauges(random: Random, site: Site): Site {
  const ups = site.ups.map((one) => {
    if (random.chance(0.65)) return one;
    const chargeStep = random.pick([1, 5, 10, 20, 25]);
    const runtimeStep = random.pick([1, 60, 60]);
    return { ...one, firmware: { ...one.firmware, chargeStep, runtimeStep } };
  });
  return { ...site, ups };
}

/** From the failure of the mains of one feed to their return. */
interface Outage {
  readonly feed: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly volts: number;
}

/** Around the outages of the run. */
export function samples(
  random: Random,
  site: Site,
  mains: readonly TimedWorldEvent[],
): readonly TimedWorldEvent[] {
  const outages = outagesOf(site, mains);
  const events: TimedWorldEvent[] = [];
  for (const { policy, feed } of site.ups) {
    const { groupId: ups } = policy;
    const struck = outages.filter((one) => one.feed === feed);
    if (struck.length === 0) continue;
    const outage = random.pick(struck);
    const moment = () => random.integer(outage.fromMs - 10_000, outage.untilMs);
    const lies = random.pick([0, 0, 1, 1, 2]);
    for (let number = 0; number < lies; number += 1)
      events.push({ atMs: moment(), worldEvent: { kind: 'glitch', ups, glitch: lie(random) } });
  }
  for (const outage of outages) if (random.chance(0.15)) events.push(...flicker(random, site, outage));
  return events;
}

/** A charge, a runtime or both that are 0 or low, in one sample. */
function lie(random: Random): Glitch {
  const chargePercent = random.pick([0, 0, 1, 5, 12]);
  const runtimeSeconds = random.pick([0, 0, 5, 60]);
  switch (random.weighted({ charge: 35, runtime: 35, both: 30 })) {
    case 'charge':
      return { words: null, chargePercent };
    case 'runtime':
      return { words: null, runtimeSeconds };
    case 'both':
      return { words: null, chargePercent, runtimeSeconds };
  }
}

/** The mains come back for moments in the outage. */
function flicker(random: Random, site: Site, { feed, fromMs, untilMs, volts }: Outage): TimedWorldEvent[] {
  const nominal = site.ups.find((ups) => ups.feed === feed)?.nominalVolts ?? 230;
  const events: TimedWorldEvent[] = [];
  let atMs = fromMs + random.integer(500, 20_000);
  for (let left = random.integer(2, 12); left > 0; left -= 1) {
    const backMs = random.integer(200, 4_000);
    if (atMs + backMs >= untilMs) break;
    events.push({ atMs, worldEvent: { kind: 'mains', feed, volts: nominal } });
    events.push({ atMs: atMs + backMs, worldEvent: { kind: 'mains', feed, volts } });
    atMs += backMs + random.integer(500, random.pick([5_000, 20_000]));
  }
  return events;
}

function outagesOf(site: Site, mains: readonly TimedWorldEvent[]): readonly Outage[] {
  const nominal = new Map(site.ups.map(({ feed, nominalVolts }) => [feed, nominalVolts]));
  const failed = new Map<string, { readonly atMs: number; readonly volts: number }>();
  const outages: Outage[] = [];
  for (const { atMs, worldEvent } of [...mains].sort((a, b) => a.atMs - b.atMs)) {
    if (worldEvent.kind !== 'mains') continue;
    const { feed, volts } = worldEvent;
    const begun = failed.get(feed);
    if (volts !== nominal.get(feed)) failed.set(feed, { atMs, volts });
    else if (begun !== undefined) {
      outages.push({ feed, fromMs: begun.atMs, untilMs: atMs, volts: begun.volts });
      failed.delete(feed);
    }
  }
  return outages;
}
