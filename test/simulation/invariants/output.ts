// "The output of a UPS is cut only with local shutdown on, never in a dry run, never under a target that still needs it", by what is
// on; and where nothing is, it is cut.
import type { ServerSpec } from '../plant/plant.js';
import type { Invariant } from './invariant.js';
import { hostKey, serverKey } from './step-record.js';

/** Line power for longer than two evaluations of groups. */
const restedMs = 60_000;

export const output: Invariant = (facts) => {
  const { world, steps, sequences } = facts;
  let cuts: string[] = [];
  /** When a wait for each server last ended, in whichever sequence. */
  const waitedMs = new Map<string, number>();

  /** A single UPS needs itself; a group needs a member when all others certainly are without power, and do not show it right now. */
  function mustHave(group: string, ups: string): boolean {
    const feeds = facts.feeds(group);
    const isDead = (one: string) => world.devices.get(one)?.dead === true && !isSeenFed(one);
    return feeds.includes(ups) && feeds.every((one) => one === ups || isDead(one));
  }

  function isSeenFed(ups: string): boolean {
    const { last } = facts.courses.of(ups);
    const { checkIntervalMs = 0, pollDeadlineMs = 0 } = facts.policy(ups) ?? {};
    const isFresh = last !== null && facts.nowMs - last.atMs <= checkIntervalMs + pollDeadlineMs;
    return isFresh && isSaidToBeFed(ups);
  }

  /** Off, past its time, or its step has ended where nothing waits for it to be off. */
  function isOver(spec: ServerSpec): boolean {
    const { name, owner, haltSeconds } = spec;
    // Whether its outage is over, and the server on again, is not said here.
    const groups = world.site.plant.drain ? [owner, ...facts.hostGroups] : [owner];
    if (groups.some((group) => (sequences.last(group)?.endedMs ?? null) !== null)) return true;
    if (facts.isOff(spec) || facts.isPastItsTime(spec)) return true;
    const agoMs = facts.agoMs(spec);
    const wait = steps.of(`off ${name}`);
    // A later sequence waits for it too: that of a UPS with a longer runtime.
    if (haltSeconds !== null && agoMs !== null)
      return (
        wait === undefined || wait.endedMs !== null || facts.nowMs - (waitedMs.get(name) ?? -Infinity) < agoMs
      );
    return (steps.of(serverKey(name))?.endedMs ?? null) !== null;
  }

  const isOut = (ups: string) => (world.devices.get(ups)?.outageSinceMs ?? null) !== null;

  /** Its driver may show line power after the mains has failed. */
  const isSaidToBeFed = (ups: string) =>
    facts.courses.of(ups).fedReadings >= (facts.policy(ups)?.triggers.confirmations ?? Infinity);

  function checkCut(ups: string): void {
    if (sequences.hasLost) return;
    const { hostGroups } = facts;
    const on = world.site.plant.servers.filter((one) => mustHave(one.owner, ups) && !isOver(one));
    const isGoing = hostGroups.some((group) => sequences.last(group) !== undefined) || steps.of(hostKey);
    const isHostOn = hostGroups.some((group) => mustHave(group, ups)) && !isGoing;
    const names = [...on.map(({ name }) => name), ...(isHostOn ? ['this host'] : [])].join(', ');
    if (names !== '') facts.violated('no output is cut under what still needs it', `${ups}: ${names}`);
    if (!facts.isPowerBack(ups) || facts.nowMs - facts.courses.of(ups).lineSinceMs <= restedMs) return;
    for (const { groupId, members, minHealthy } of facts.groupsOf(ups)) {
      const fed = members.filter((one) => !isOut(one) || isSaidToBeFed(one));
      if (sequences.last(groupId)?.endedMs === null && fed.length < minHealthy)
        facts.violated('no output is cut where the UPS has power and its group has not', ups);
    }
  }

  /** All that it may feed is over, this host goes, and it has no power itself. */
  function checkKept(ups: string, reason: string): void {
    const { only } = sequences;
    if (only === null || sequences.hasLost || facts.groupsOf(ups).length > 0) return;
    if (reason.startsWith('it is not known') || facts.courses.of(ups).lineReadings > 0) return;
    const own = world.site.plant.servers.filter(({ owner }) => owner === ups);
    const isServerOn = own.some((one) => !isOver(one) || !steps.of(serverKey(one.name)));
    const isHostOn = facts.hostGroups.includes(ups) && only.group !== ups;
    if (isOut(ups) && !isServerOn && !isHostOn)
      facts.violated('an output that nothing needs is cut', `${ups}: ${reason}`);
  }

  return {
    cut(ups) {
      if (!world.site.localShutdown.enabled)
        facts.violated('an output is cut only before a local power-off', ups);
      cuts.push(ups);
      facts.atEnd(() => checkCut(ups));
    },
    ended({ action }, outcome) {
      if (action.kind === 'awaitOff') waitedMs.set(action.server, facts.nowMs);
      if (action.kind !== 'upsOutputOff' || outcome?.kind !== 'skipped') return;
      facts.atEnd(() => {
        if (!cuts.includes(action.ups)) checkKept(action.ups, outcome.reason);
      });
    },
    checked() {
      cuts = [];
    },
    daemonDied() {
      cuts = [];
    },
    hostDown() {
      waitedMs.clear();
    },
  };
};
