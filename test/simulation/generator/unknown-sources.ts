// UPSes whose status never tells line power by OL alone: it has OL and OB at once on mains, or words that name no source.
import type { Random } from '../random.js';
import type { Firmware, Site, TimedWorldEvent } from '../scenario.js';

const share = 0.15;

export function unknownSources(random: Random, site: Site, lastMs: number): readonly TimedWorldEvent[] {
  if (!random.chance(share)) return [];
  return site.ups.flatMap(({ policy: { groupId: ups } }): readonly TimedWorldEvent[] => {
    if (!random.chance(0.7)) return [];
    const change: Partial<Firmware> = random.chance(0.8)
      ? { lineWords: ['OL', 'OB'], batteryWords: random.pick([['OB'], ['OL', 'OB'], ['OL', 'OB']]) }
      : { lineWords: random.pick([['ALARM'], ['CHRG'], ['X']]), batteryWords: ['OB'] };
    const begin: TimedWorldEvent = { atMs: 0, worldEvent: { kind: 'firmware', ups, change } };
    const wrongs = Array.from({ length: random.integer(0, 3) }, (): TimedWorldEvent => {
      const glitch = { words: random.pick([['OB'], ['OL'], ['OL', 'OB', 'LB'], ['OFF']]) };
      return { atMs: random.integer(1_000, lastMs), worldEvent: { kind: 'glitch', ups, glitch } };
    });
    const loads = Array.from({ length: random.integer(0, 6) }, (): TimedWorldEvent => {
      const percent = random.integer(5, 60);
      return { atMs: random.integer(1_000, lastMs), worldEvent: { kind: 'load', ups, percent } };
    });
    return [begin, ...wrongs, ...loads];
  });
}
