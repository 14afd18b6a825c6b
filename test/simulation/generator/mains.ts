// What the mains do in a run: at least one outage, unless the run is a calm one.
import type { Random } from '../random.js';
import type { Site, TimedWorldEvent } from '../site.js';

export interface MainsChanges {
  readonly worldEvents: readonly TimedWorldEvent[];
  /** The last moment at which the mains change. */
  readonly untilMs: number;
}

export function quietMains(random: Random): MainsChanges {
  return { worldEvents: [], untilMs: random.integer(180, 360) * 1000 };
}

/** One disturbance of the mains after the other. */
export function outages(random: Random, site: Site, quick: boolean): MainsChanges {
  const worldEvents: TimedWorldEvent[] = [];
  const feeds = [...new Set(site.ups.map(({ feed }) => feed))];
  let atMs = random.integer(20, 110) * 1000;
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  for (let number = 0; number < count; number += 1) {
    const struck = random.chance(0.6) ? feeds : [random.pick(feeds)];
    const kind = random.weighted({ blink: 15, short: 20, long: 65 });
    const lastsMs =
      kind === 'blink'
        ? random.integer(500, 8_000)
        : kind === 'short'
          ? random.integer(8, 90) * 1000
          : random.integer(quick ? 90 : 600, quick ? 400 : 1_500) * 1000;
    for (const feed of struck) {
      const spreadMs = random.chance(0.5) ? 0 : random.integer(0, 60_000);
      const nominal = site.ups.find((ups) => ups.feed === feed)?.nominalVolts ?? 230;
      // A brownout that the UPS can still correct comes before some outages.
      if (random.chance(0.15))
        worldEvents.push({ atMs, worldEvent: { kind: 'mains', feed, volts: nominal * 0.85 } });
      const volts = random.chance(0.85) ? 0 : nominal * random.pick([0.6, 1.3]);
      worldEvents.push({ atMs: atMs + spreadMs, worldEvent: { kind: 'mains', feed, volts } });
      worldEvents.push({
        atMs: atMs + spreadMs + lastsMs,
        worldEvent: { kind: 'mains', feed, volts: nominal },
      });
    }
    // Within a minute of the return it is the same disturbance, after it another one.
    atMs += lastsMs + random.pick([5_000, 30_000, 70_000, 120_000]) + random.integer(0, 20_000);
  }
  const untilMs = Math.max(...worldEvents.map((one) => one.atMs));
  return { worldEvents, untilMs };
}
