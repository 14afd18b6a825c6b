// Drivers that lose their UPS in an outage and find it again: the server answers DATA-STALE, sometimes with another failure between.
import type { Random } from '../random.js';
import type { ServerState, Site, TimedWorldEvent } from '../scenario.js';

/** Shares of the last runtime that the failsafe waits; batteries of the worlds are small. */
export function withShares(random: Random, site: Site): Site {
  const share = () => random.pick([0, 0.02, 0.02, 0.1, 0.3]);
  return {
    ...site,
    ups: site.ups.map((one) => {
      const triggers = { ...one.policy.triggers, failsafeShare: share() };
      return { ...one, policy: { ...one.policy, triggers } };
    }),
  };
}

/** After a change of the mains. */
export function staleDrivers(
  random: Random,
  site: Site,
  mains: readonly TimedWorldEvent[],
): readonly TimedWorldEvent[] {
  if (mains.length === 0 || !random.chance(0.3)) return [];
  const { server } = random.pick(site.ups);
  const atMs = random.pick(mains).atMs + random.integer(500, random.pick([10_000, 60_000, 240_000]));
  const lastsMs = random.integer(1, random.pick([20, 70, 120])) * 1000;
  const at = (ms: number, state: ServerState): TimedWorldEvent => ({
    atMs: ms,
    worldEvent: { kind: 'server', server, state },
  });
  const stale: ServerState = { kind: 'fails', detail: 'DATA_STALE' };
  const events = [at(atMs, stale), at(atMs + lastsMs, { kind: 'up' })];
  if (!random.chance(0.4)) return events;
  const other = random.pick<ServerState>([
    { kind: 'fails', detail: 'SERVER_DOWN' },
    { kind: 'fails', detail: 'DRIVER_NOT_CONNECTED' },
    { kind: 'hangs' },
    { kind: 'waits' },
    { kind: 'up' },
  ]);
  const fromMs = atMs + random.integer(500, lastsMs);
  return [
    ...events,
    at(fromMs, other),
    at(Math.min(fromMs + random.integer(500, 10_000), atMs + lastsMs - 1), stale),
  ];
}
