// Sets the wall clock: at any time, while the daemon is down, and at each boot of a machine whose clock has no battery.
import type { Random } from '../random.js';
import type { Site, TimedWorldEvent } from '../scenario.js';

const share = 0.25;
/** A leap of a second and of a summer time, a day, years. */
const steps = [-400_000_000, -86_400, -3_600, -61, -1, 1, 61, 3_600, 86_400, 400_000_000];

export function withClock(random: Random, site: Site): Site {
  return random.chance(share / 2) ? { ...site, clockAtBootSeconds: random.pick(steps) } : site;
}

/** `others`: the events of the world, of which each crash may hide a step. */
export function clocks(
  random: Random,
  others: readonly TimedWorldEvent[],
  untilMs: number,
): readonly TimedWorldEvent[] {
  if (!random.chance(share)) return [];
  const setAt = (atMs: number): TimedWorldEvent => ({
    atMs,
    worldEvent: { kind: 'wallStep', seconds: random.pick(steps) },
  });
  const whileDown = others.flatMap(({ atMs, worldEvent }) =>
    worldEvent.kind === 'crash' && random.chance(0.6) ? [setAt(atMs + 100)] : [],
  );
  const anyTime = Array.from({ length: random.integer(1, 4) }, () => setAt(random.integer(0, untilMs)));
  return [...whileDown, ...anyTime];
}
