// Drivers that name the source of power otherwise than by OL and OB: for a while, or from the start.
import type { Random } from '../random.js';
import type { Firmware, Site, TimedWorldEvent } from '../scenario.js';

const usual: Partial<Firmware> = { batteryWords: ['OB'], lineWords: ['OL'], saysDischarge: true };

/** ups.conf(5), pollinterval. */
const usualStatusMs = 2_000;

/** Around the changes of the mains: before them such a driver never shows an outage. */
export function sourceWords(
  random: Random,
  site: Site,
  mains: readonly TimedWorldEvent[],
): readonly TimedWorldEvent[] {
  if (!random.chance(0.4)) return [];
  return site.ups.flatMap(({ policy: { groupId: ups } }) => {
    const first: Partial<Firmware> = {
      ...(random.chance(0.1) ? { lineWords: ['OL', 'OFF'] } : {}),
      ...(random.chance(0.2) ? { saysPack: true } : {}),
    };
    const fromStart: TimedWorldEvent[] = [{ atMs: 0, worldEvent: { kind: 'firmware', ups, change: first } }];
    if (!random.chance(0.7)) return fromStart;
    const atMs = (mains.length === 0 ? 20_000 : random.pick(mains).atMs) + random.integer(500, 60_000);
    const lastsMs = random.integer(1, random.pick([10, 60, 240])) * 1000;
    const change: Partial<Firmware> = {
      batteryWords: random.pick([
        ['OB'],
        ['OB', 'OFF'],
        ['OFF'],
        ['OFF'],
        ['ALARM'],
        ['CHRG'],
        ['X'],
        ['CAL'],
        [],
      ]),
      lineWords: random.pick([['OL'], ['TRIM'], ['BOOST'], ['BYPASS'], ['BYPASS']]),
      saysDischarge: random.chance(0.6),
      ...(random.chance(0.2) ? { saysCharge: false, saysRuntime: false } : {}),
    };
    return [
      ...fromStart,
      { atMs, worldEvent: { kind: 'firmware', ups, change } },
      { atMs: atMs + lastsMs, worldEvent: { kind: 'firmware', ups, change: usual } },
    ];
  });
}

/**
 * A wrong first sample, with OFF beside OL or without it, and outputs that are off while the mains are fine. No daemon can know how
 * long a driver holds it that shows no `pollinterval` and is slower than usual.
 */
export function firstSamples(random: Random, site: Site, lastMs: number): readonly TimedWorldEvent[] {
  if (!random.chance(0.15)) return [];
  return site.ups.flatMap(({ policy: { groupId: ups }, driver }): readonly TimedWorldEvent[] => {
    const words = random.pick([['OL'], ['OL', 'OFF'], null]);
    const isKnown = driver.showsStatus || driver.statusMs <= usualStatusMs || driver.name === 'snmp-ups';
    const glitches: TimedWorldEvent[] = isKnown
      ? [{ atMs: 0, worldEvent: { kind: 'glitch', ups, glitch: { words } } }]
      : [];
    const change: Partial<Firmware> = random.chance(0.5)
      ? { lineWords: ['OL', 'OFF'] }
      : { namesLineWhenOff: random.chance(0.8) };
    const firmware: TimedWorldEvent = { atMs: 0, worldEvent: { kind: 'firmware', ups, change } };
    if (!random.chance(0.4)) return [...glitches, firmware];
    const atMs = random.integer(2_000, Math.max(2_000, lastMs));
    const thenMs = atMs + random.integer(1, 90) * 1000;
    return [
      ...glitches,
      firmware,
      { atMs, worldEvent: { kind: 'output', ups, on: false } },
      { atMs: thenMs, worldEvent: { kind: 'output', ups, on: true } },
    ];
  });
}
