// "Orders keep their order, equal orders run together", by what the servers really do: a server of a later order gets its command
// when those before it are off, past their time, without a command, or the battery does not wait.
import type { ServerSpec } from '../plant/plant.js';
import { isFed } from './courses.js';
import type { Invariant } from './invariant.js';
import { serverKey } from './step-record.js';

const slackMs = 1_000;
/** A daemon gets its first reading of a UPS within this. */
const firstReadingMs = 15_000;
const urgent = /\b(?:FSD|LOW_BATTERY_FLAG|OUTPUT_OFF|FAILSAFE)\b/;

export const serverOrder: Invariant = (facts) => {
  const { world, steps, sequences, courses } = facts;
  /** Servers for which a wait ended early with a good reason. */
  const excused = new Set<string>();
  /** A try gives commands to servers of all orders together. */
  let isTrying = false;
  /** Servers that a try may still reach which its sequence has left behind: until when. */
  const triedUntilMs = new Map<string, number>();
  /** A trigger that leaves no time was met while sequences ran. */
  let isUrgent = false;

  /** Those of one order begin together: at its end none of them is still to begin. */
  function checkTogether({ name, owner, order, when }: ServerSpec): void {
    const own = steps.of(serverKey(name));
    const isSettled = own !== undefined && facts.nowMs - own.beganMs >= slackMs && !world.daemon.stalled;
    if (!isSettled || sequences.only === null) return;
    const late = world.site.plant.servers.find(
      (one) =>
        one.owner === owner && one.order === order && one.when === when && !steps.of(serverKey(one.name)),
    );
    if (late !== undefined) facts.violated('equal orders run together', `${late.name} not with ${name}`);
  }

  /** What follows one that was never reached does not wait. */
  function isSettled(spec: ServerSpec): boolean {
    if (facts.isOff(spec) || facts.isPastItsTime(spec) || excused.has(spec.name)) return true;
    const run = steps.of(serverKey(spec.name));
    const isAwaited = spec.haltSeconds !== null && facts.agoMs(spec) !== null;
    return !isAwaited && (run === undefined || run.endedMs !== null);
  }

  /** By what any UPS has told the daemon, or not told it any more: whose sequence waits does not matter here. */
  function isBatteryShort(followsSeconds: number): boolean {
    const { nowMs } = facts;
    const isFirstDue = nowMs - facts.daemonStartedMs >= firstReadingMs - slackMs;
    return world.policies.ups.some(({ groupId, triggers, grace }) => {
      const { last: ofThisDaemon, recent, failures } = courses.of(groupId);
      const last = recent.at(-1);
      if (last === undefined || (isFirstDue && ofThisDaemon === null)) return isFirstDue;
      const groups = facts.groupsOf(groupId);
      const failsafeMs = Math.min(...[{ triggers }, ...groups].map((one) => one.triggers.failsafeMs));
      const unseenMs = nowMs - last.atMs + slackMs;
      const isGone = grace.enabled ? unseenMs >= grace.durationMs : failures.length > 0;
      if (unseenMs >= failsafeMs || (isGone && groups.length > 0)) return true;
      if (recent.some(({ reading }) => reading.status.includes('FSD'))) return true;
      const { status, runtimeSeconds } = last.reading;
      const isShort = runtimeSeconds !== null && runtimeSeconds < followsSeconds;
      return !isFed(last.reading) && (status.includes('LB') || isShort);
    });
  }

  return {
    recorded({ type, detail }) {
      isUrgent ||= (type === 'SHUTDOWN_TRIGGERED' || type === 'TRIGGER_ADVISORY') && urgent.test(detail);
    },
    began({ action }) {
      isTrying ||= action.kind === 'commandAgain';
    },
    ended({ action }, outcome) {
      if (action.kind === 'commandAgain' && outcome === null)
        for (const { server, connectTimeoutSeconds, commandTimeoutSeconds } of action.works)
          if (steps.of(serverKey(server))?.outcome?.kind !== 'done')
            triedUntilMs.set(server, facts.nowMs + (connectTimeoutSeconds + commandTimeoutSeconds) * 1000);
      if (action.kind !== 'remote' && action.kind !== 'awaitOff') return;
      const spec = facts.server(action.kind === 'remote' ? action.work.server : action.server);
      if (spec === undefined) return;
      if (action.kind === 'remote') checkTogether(spec);
      else if (facts.isOff(spec)) return;
      else if (outcome?.kind === 'done') facts.violated('a server that is said to be off is off', spec.name);
      else if (facts.isPastItsTime(spec) || facts.agoMs(spec) === null) return;
      else if (isUrgent || isBatteryShort(action.followsSeconds)) excused.add(spec.name);
      else facts.violated('a wait ends early only when the battery leaves no time', spec.name);
    },
    commanded(server) {
      const spec = facts.server(server);
      if (spec === undefined || isTrying || facts.nowMs <= (triedUntilMs.get(server) ?? -Infinity)) return;
      const early = world.site.plant.servers.find(
        (one) => one.owner === spec.owner && one.order < spec.order && !isSettled(one),
      );
      if (early !== undefined)
        facts.violated('an order waits for the one before it', `${server} before ${early.name}`);
    },
    hostDown: () => triedUntilMs.clear(),
    checked() {
      if (sequences.hasOpen || steps.running.length > 0) return;
      excused.clear();
      isTrying = isUrgent = false;
    },
  };
};
