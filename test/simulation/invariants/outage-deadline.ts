// The first harm: no load is on when its battery ends, unless no reading could have told and FAILSAFE was not due. And by the clock
// of the world: an outage beyond its thresholds has its sequence in time.
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { Answer } from './courses.js';
import { holdsOf } from './holds.js';
import { Invariant } from './invariant.js';

/** Ticks, the evaluation of groups, and slow answers. */
const slackMs = 4_000;
/** "failsafe_share of the last runtime, at most 60 s". */
const longestStaleMs = 60_000;

/** Readings in a row that are beyond a threshold, without a reason to wait. */
interface Stretch {
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly count: number;
  readonly holdMs: number;
}

export class OutageDeadline extends Invariant {
  /** By UPS, or by group and UPS: each has its own thresholds. */
  readonly #beyond = new Map<string, Stretch>();
  readonly #triggered = new Set<string>();
  readonly #dead = new Set<string>();
  /** Of the daemon that has just died with its host. */
  #wereLost: readonly string[] = [];
  #checkedMs = 0;

  polled(ups: string, { outcome }: UpsPolled): void {
    const { last, recent, fedReadings } = this.facts.courses.of(ups);
    if (outcome.kind === 'failed' || last === null || last !== recent.at(-1)) return;
    const own = this.facts.policy(ups);
    if (own === undefined) return;
    const { groups } = this.facts.world.policies;
    const settings = groups.filter(({ members }) => members.includes(ups));
    this.#note(ups, last, own.triggers, holdsOf(last, own, 0).valueMs);
    for (const { groupId, triggers } of settings)
      this.#note(`${groupId} ${ups}`, last, triggers, holdsOf(last, own, 0).valueMs);
    // BYPASS ends no outage before `bypass_end_delay`.
    const isInBypass = last.reading.status.includes('BYPASS');
    if (fedReadings >= own.triggers.confirmations && !isInBypass) this.#triggered.delete(ups);
  }

  configured(): void {
    this.#beyond.clear();
  }

  daemonDied(): void {
    const all = this.facts.world.policies.ups.map(({ groupId }) => groupId);
    this.#wereLost = all.filter((ups) => this.#isLost(ups, 0));
  }

  daemonStarted(): void {
    this.#beyond.clear();
    this.#wereLost = [];
  }

  worldChanged({ kind }: { readonly kind: string }): void {
    if (kind === 'stall' || kind === 'suspend') this.#beyond.clear();
  }

  checked(): void {
    for (const { ups, detail } of this.facts.triggers)
      if (!detail.includes(' by the thresholds of ')) this.#triggered.add(ups);
  }

  ticked(): void {
    const { nowMs, world } = this.facts;
    this.checked();
    for (const [ups, { dead }] of world.devices) {
      if (dead && !this.#dead.has(ups)) this.#emptied();
      if (dead) this.#dead.add(ups);
      else this.#dead.delete(ups);
    }
    if (nowMs - this.#checkedMs < 1_000) return;
    this.#checkedMs = nowMs;
    for (const { groupId } of world.policies.ups)
      if (!this.#triggered.has(groupId) && this.#wasTold(groupId, groupId, slackMs))
        this.facts.violated('an outage beyond its thresholds ends in time', groupId);
    for (const group of world.policies.groups)
      if (this.#isMissed(group.groupId, slackMs))
        this.facts.violated('an outage of all members ends in time', group.groupId);
  }

  hostDown(why: 'power-off' | 'blackout'): void {
    if (why === 'blackout') this.#emptied();
    this.#beyond.clear();
    this.#triggered.clear();
    this.#dead.clear();
  }

  /** A battery has ended: whatever it alone has fed was being shut down. */
  #emptied(): void {
    const { world, hostGroups, steps } = this.facts;
    const on = world.site.plant.servers.filter(({ name }) => !steps.commandedMs.has(name));
    for (const group of new Set([...hostGroups, ...on.map(({ owner }) => owner)])) {
      const isOut = this.facts.devices(group).every(({ feeds }) => !feeds);
      if (isOut && this.#isMissed(group, 0))
        this.facts.violated('no load is on when its battery ends', `${group} has no sequence`);
    }
  }

  /** Its sequence has not begun, and by what its UPSes told, or told no more, it must have. */
  #isMissed(groupId: string, slack: number): boolean {
    const { sequences } = this.facts;
    const group = this.facts.group(groupId);
    const outMs = Math.max(
      ...this.facts.devices(groupId).map(({ outageSinceMs }) => outageSinceMs ?? Infinity),
    );
    if (outMs === Infinity || sequences.hasLost) return false;
    if (sequences.last(groupId) !== undefined || this.facts.policy(groupId)?.advisory === true) return false;
    if (group === undefined)
      return (
        this.#wasTold(groupId, groupId, slack) ||
        this.#isLost(groupId, slack) ||
        this.#wereLost.includes(groupId)
      );
    return group.members.every((ups) => this.#wasTold(`${groupId} ${ups}`, ups, slack));
  }

  #wasTold(key: string, ups: string, slack: number): boolean {
    const stretch = this.#beyond.get(key);
    const policy = this.facts.policy(ups);
    const settings = this.facts.group(key.split(' ')[0] ?? '')?.triggers ?? policy?.triggers;
    const device = this.facts.world.devices.get(ups);
    if (
      stretch === undefined ||
      policy === undefined ||
      settings === undefined ||
      device?.outageSinceMs === null
    )
      return false;
    const { stabilizationMs, confirmations } = settings;
    const waitMs = stabilizationMs + stretch.holdMs + policy.pollDeadlineMs + confirmations * slack;
    return stretch.count > confirmations + 1 && stretch.lastMs - stretch.sinceMs > waitMs;
  }

  /** Out of sight on battery for as long as FAILSAFE ever waits. */
  #isLost(ups: string, slack: number): boolean {
    const { nowMs } = this.facts;
    const { last, answers } = this.facts.courses.of(ups);
    const policy = this.facts.policy(ups);
    if (policy === undefined || last === null || last !== answers.at(-1)) return false;
    if (!this.facts.isUninterruptedSince(last.atMs) || !last.reading.status.includes('OB')) return false;
    const { maxStaleDataTolerance, checkIntervalMs, pollDeadlineMs, triggers } = policy;
    const countMs = maxStaleDataTolerance * Math.max(checkIntervalMs, pollDeadlineMs);
    const latestMs = Math.max(triggers.failsafeMs, longestStaleMs, countMs) + checkIntervalMs;
    return nowMs - last.atMs > latestMs + 2 * pollDeadlineMs + slackMs + slack;
  }

  #note(key: string, { reading, atMs }: Answer, settings: TriggerSettings, holdMs: number): void {
    const before = this.#beyond.get(key);
    if (!isBeyond(reading, settings)) this.#beyond.delete(key);
    else
      this.#beyond.set(key, {
        sinceMs: before?.sinceMs ?? atMs,
        lastMs: atMs,
        count: (before?.count ?? 0) + 1,
        holdMs: Math.max(holdMs, before?.holdMs ?? 0),
      });
  }
}

/** On battery, with a charge or a runtime below the threshold. A 0 may be that of a UPS without a gauge. */
function isBeyond({ status, chargePercent, runtimeSeconds }: Reading, settings: TriggerSettings): boolean {
  if (!status.includes('OB') || ['OL', 'TEST', 'CAL', 'BYPASS', 'FSD'].some((word) => status.includes(word)))
    return false;
  const isLow = (value: number | null, threshold: number) => value !== null && value > 0 && value < threshold;
  return (
    isLow(chargePercent, settings.lowBatteryPercent) || isLow(runtimeSeconds, settings.criticalRuntimeSeconds)
  );
}
