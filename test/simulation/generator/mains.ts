// Draws the changes of the mains: at least one outage, except in runs without any.
import type { Random } from '../random.js';
import type { Site, TimedWorldEvent } from '../scenario.js';

export interface MainsChanges {
  readonly worldEvents: readonly TimedWorldEvent[];
  /** The last change of the mains. */
  readonly untilMs: number;
}

export function quietMains(random: Random): MainsChanges {
  return { worldEvents: [], untilMs: random.integer(180, 360) * 1000 };
}

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
      // Some outages start with a brownout that the UPS corrects.
      if (random.chance(0.15))
        worldEvents.push({ atMs, worldEvent: { kind: 'mains', feed, volts: nominal * 0.85 } });
      const volts = random.chance(0.85) ? 0 : nominal * random.pick([0.6, 1.3]);
      worldEvents.push({ atMs: atMs + spreadMs, worldEvent: { kind: 'mains', feed, volts } });
      worldEvents.push({
        atMs: atMs + spreadMs + lastsMs,
        worldEvent: { kind: 'mains', feed, volts: nominal },
      });
    }
    // Within a minute after the return it is the same outage, later another one.
    atMs += lastsMs + random.pick([5_000, 30_000, 70_000, 120_000]) + random.integer(0, 20_000);
  }
  const untilMs = Math.max(...worldEvents.map((one) => one.atMs));
  return { worldEvents, untilMs };
}
