// The first harm: no load is on when its battery ends, unless no reading could have told and FAILSAFE was not due. And by the clock
// of the world: an outage beyond its thresholds has its sequence in time.
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { holdsOf } from './holds.js';
import type { Invariant } from './invariant.js';

/** Ticks, the evaluation of groups, and slow answers. */
const slackMs = 4_000;
/** "failsafe_share of the last runtime, at most 60 s". */
const longestStaleMs = 60_000;
const spoils = ['OL', 'TEST', 'CAL', 'BYPASS', 'FSD'];

/** A value of each is in doubt for itself: one that jumps after another waits again. */
const quantities = [
  ['chargePercent', 'lowBatteryPercent'],
  ['runtimeSeconds', 'criticalRuntimeSeconds'],
] as const;

/** Readings in a row in which one quantity is beyond its threshold, without a reason to wait. */
interface Stretch {
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly count: number;
  readonly holdMs: number;
}

/** On battery. */
const isPlain = ({ status }: Reading): boolean =>
  status.includes('OB') && !spoils.some((word) => status.includes(word));

export const outageDeadline: Invariant = (facts) => {
  const { world, sequences } = facts;
  /** By UPS, or by group and UPS, and by quantity: each has its own thresholds. */
  const beyond = new Map<string, Stretch>();
  /** UPSes that have met a trigger of their own in their outage. */
  const triggered = new Set<string>();
  const dead = new Set<string>();
  /** Of the daemon that has just died with its host. */
  let wereLost: readonly string[] = [];
  let checkedMs = 0;
  const forget = () => {
    beyond.clear();
    wereLost = [];
  };

  function wasTold(key: string, ups: UpsSettings, settings: TriggerSettings, slack: number): boolean {
    if (world.devices.get(ups.groupId)?.outageSinceMs === null) return false;
    const { stabilizationMs, confirmations } = settings;
    return quantities.some(([quantity]) => {
      const stretch = beyond.get(`${key} ${quantity}`);
      if (stretch === undefined) return false;
      const waitMs = stabilizationMs + stretch.holdMs + ups.pollDeadlineMs + confirmations * slack;
      return stretch.count > confirmations + 1 && stretch.lastMs - stretch.sinceMs > waitMs;
    });
  }

  /** Out of sight on battery for as long as FAILSAFE ever waits. */
  function isLost(ups: UpsSettings, slack: number): boolean {
    const { groupId, maxStaleDataTolerance, checkIntervalMs, pollDeadlineMs, triggers } = ups;
    const { last, answers } = facts.courses.of(groupId);
    if (last === null || last !== answers.at(-1) || !last.reading.status.includes('OB')) return false;
    const countMs = maxStaleDataTolerance * Math.max(checkIntervalMs, pollDeadlineMs);
    const latestMs = Math.max(triggers.failsafeMs, longestStaleMs, countMs) + checkIntervalMs;
    const isLong = facts.nowMs - last.atMs > latestMs + 2 * pollDeadlineMs + slackMs + slack;
    return isLong && facts.isUninterruptedSince(last.atMs);
  }

  /** Its sequence has not begun, and by what its UPSes told, or told no more, it must have. */
  function isMissed(groupId: string, slack: number): boolean {
    const isOut = facts.devices(groupId).every(({ outageSinceMs }) => outageSinceMs !== null);
    if (!isOut || sequences.hasLost || sequences.last(groupId) !== undefined) return false;
    const group = facts.group(groupId);
    return facts.feeds(groupId).every((name) => {
      const ups = facts.policy(name);
      if (ups === undefined) return false;
      if (group !== undefined) return wasTold(`${groupId} ${name}`, ups, group.triggers, slack);
      const isTold = wasTold(groupId, ups, ups.triggers, slack) || isLost(ups, slack);
      return !ups.advisory && (isTold || wereLost.includes(groupId));
    });
  }

  /** A battery has ended: whatever it alone has fed was being shut down. */
  function emptied(): void {
    const on = world.site.plant.servers.filter(({ name }) => !facts.steps.commandedMs.has(name));
    for (const group of new Set([...facts.hostGroups, ...on.map(({ owner }) => owner)])) {
      const isOff = facts.devices(group).every(({ feeds }) => !feeds);
      if (isOff && isMissed(group, 0))
        facts.violated('no load is on when its battery ends', `${group} has no sequence`);
    }
  }

  return {
    answered(ups, answer, { fedReadings }, policy) {
      const { reading, atMs } = answer;
      const { valueMs } = holdsOf(answer, policy, 0);
      for (const { groupId, triggers } of [policy, ...facts.groupsOf(ups)]) {
        for (const [quantity, threshold] of quantities) {
          const key = `${groupId === ups ? ups : `${groupId} ${ups}`} ${quantity}`;
          const value = reading[quantity];
          // A 0 may be that of a UPS without a gauge.
          const isLow = value !== null && value > 0 && value < triggers[threshold];
          const { sinceMs = atMs, count = 0, holdMs = 0 } = beyond.get(key) ?? {};
          if (!isLow || !isPlain(reading)) beyond.delete(key);
          else
            beyond.set(key, { sinceMs, lastMs: atMs, count: count + 1, holdMs: Math.max(holdMs, valueMs) });
        }
      }
      // BYPASS ends no outage before `bypass_end_delay`, and nothing is armed again while its sequence runs.
      const isHeld = reading.status.includes('BYPASS') || sequences.last(ups)?.endedMs === null;
      if (fedReadings >= policy.triggers.confirmations && !isHeld) triggered.delete(ups);
    },
    configured: forget,
    daemonStarted: forget,
    daemonDied() {
      wereLost = world.policies.ups.flatMap((ups) => (isLost(ups, 0) ? ups.groupId : []));
    },
    worldChanged({ kind }) {
      if (kind === 'stall' || kind === 'suspend') beyond.clear();
    },
    triggered(ups, _trigger, _detail, group) {
      if (group === null) triggered.add(ups);
    },
    checked() {
      for (const [ups, device] of world.devices) {
        if (device.dead && !dead.has(ups)) emptied();
        if (device.dead) dead.add(ups);
        else dead.delete(ups);
      }
      if (facts.nowMs - checkedMs < 1_000) return;
      checkedMs = facts.nowMs;
      for (const ups of world.policies.ups)
        if (!triggered.has(ups.groupId) && wasTold(ups.groupId, ups, ups.triggers, slackMs))
          facts.violated('an outage beyond its thresholds ends in time', ups.groupId);
      for (const { groupId } of world.policies.groups)
        if (isMissed(groupId, slackMs)) facts.violated('an outage of all members ends in time', groupId);
    },
    hostDown(why) {
      if (why === 'blackout') emptied();
      beyond.clear();
      triggered.clear();
      dead.clear();
    },
  };
};
