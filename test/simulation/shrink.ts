// Shortens a scenario that breaks a promise as far as it still breaks the same one.
import { play } from './play.js';
import type { Firmware, Site, Scenario, UpsSpec } from './scenario.js';

/** A run takes some 20 ms; the result after this many is reported as it is. */
const mostTries = 400;

export async function shrunk(scenario: Scenario, rule: string): Promise<Scenario> {
  let best = scenario;
  let tries = 0;
  const isBroken = async (candidate: Scenario): Promise<boolean> => {
    tries += 1;
    const { violation, playedMs } = await play(candidate);
    if (violation?.rule !== rule) return false;
    best = { ...candidate, durationMs: Math.min(candidate.durationMs, playedMs) };
    return true;
  };
  await isBroken(scenario);
  for (let size = Math.max(1, best.worldEvents.length >> 1); size >= 1; size = size === 1 ? 0 : size >> 1) {
    for (let from = 0; from < best.worldEvents.length && tries < mostTries;) {
      const worldEvents = [...best.worldEvents.slice(0, from), ...best.worldEvents.slice(from + size)];
      if (!(await isBroken({ ...best, worldEvents }))) from += size;
    }
  }
  for (const simplify of simplifications) {
    for (const { policy } of best.site.ups) {
      const ups = best.site.ups.find((one) => one.policy.groupId === policy.groupId);
      if (ups !== undefined && tries < mostTries) await isBroken({ ...best, site: simplify(best.site, ups) });
    }
  }
  return best;
}

/** Simplifications of a site; each is tried on the best site so far. */
const simplifications: readonly ((site: Site, ups: UpsSpec) => Site)[] = [
  without,
  (site, ups) => having(site, { ...ups, latencyMs: 0 }),
  ...[
    { words: [] },
    { saysVolts: false },
    { saysRuntime: false },
    { saysCharge: false },
    { chargeStep: 1, runtimeStep: 1 },
    { lagMs: 0, zeroOnLine: false, hasGauge: true, stuckCharge: false },
  ].map((change: Partial<Firmware>) => (site: Site, ups: UpsSpec) => {
    return having(site, { ...ups, firmware: { ...ups.firmware, ...change } });
  }),
];

function having(site: Site, changed: UpsSpec): Site {
  const { groupId } = changed.policy;
  return { ...site, ups: site.ups.map((ups) => (ups.policy.groupId === groupId ? changed : ups)) };
}

/** Without this UPS and the groups it belongs to. */
function without(site: Site, { policy }: UpsSpec): Site {
  const group = site.groups.find(({ members }) => members.includes(policy.groupId));
  const gone = group?.members ?? [policy.groupId];
  const ups = site.ups.filter((one) => !gone.includes(one.policy.groupId));
  const [first] = ups;
  if (first === undefined) return site;
  const hostFeeds = site.hostFeeds.filter((feed) => !gone.includes(feed));
  return {
    ...site,
    ups,
    groups: site.groups.filter((one) => one !== group),
    hostFeeds: hostFeeds.length > 0 ? hostFeeds : [first.policy.groupId],
  };
}
