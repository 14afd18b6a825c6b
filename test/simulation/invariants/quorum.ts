// "A group with its quorum, or with lost monitoring alone, never shuts down; it does when no quorum is possible."
import type { GroupSettings } from '../../../supervisor/policy/base/inputs.js';
import { certainlyMet } from './conditions.js';
import { isFed } from './courses.js';
import { holdsOf } from './holds.js';
import { Invariant } from './invariant.js';

/** Two evaluations, a second apart, plus a tick. */
const certainMs = 3_000;
/** Line power, and a voltage that is normal again, are confirmed within this. */
const restedMs = 75_000;
const wellWords = new Set(['OL', 'CHRG', 'RB', 'ALARM']);

export class Quorum extends Invariant {
  /** UPSes whose own trigger was reported, or that met the thresholds of a group, by UPS or group and UPS, since when. */
  readonly #criticalMs = new Map<string, number>();
  readonly #lostSinceMs = new Map<string, number>();
  /** Since when each UPS has been without any problem, by its readings and in truth. */
  readonly #wellSinceMs = new Map<string, number>();

  polled(ups: string): void {
    const { last, recent } = this.facts.courses.of(ups);
    if (last === null || last !== recent.at(-1)) return;
    const { status } = last.reading;
    const isWell = status.includes('OL') && status.every((word) => wellWords.has(word));
    if (!isWell) this.#wellSinceMs.delete(ups);
    else if (!this.#wellSinceMs.has(ups)) this.#wellSinceMs.set(ups, last.atMs);
    const keys = [ups, ...this.#groupsOf(ups).map(({ groupId }) => `${groupId} ${ups}`)];
    if (isFed(last.reading) || status.includes('OL')) for (const key of keys) this.#criticalMs.delete(key);
    this.#note(ups);
  }

  daemonStarted(): void {
    for (const map of [this.#criticalMs, this.#lostSinceMs, this.#wellSinceMs]) map.clear();
  }

  configured(): void {
    this.daemonStarted();
  }

  checked(): void {
    const { nowMs, world } = this.facts;
    for (const { ups, detail } of this.facts.triggers)
      if (!detail.includes(' by the thresholds of ')) this.#criticalMs.set(ups, nowMs);
    for (const [ups, { volts, spec, outputOn, demanded }] of world.devices)
      if (volts !== spec.nominalVolts || !outputOn || demanded) this.#wellSinceMs.delete(ups);
    for (const group of world.policies.groups) this.#check(group);
  }

  #groupsOf(ups: string): readonly GroupSettings[] {
    return this.facts.world.policies.groups.filter(({ members }) => members.includes(ups));
  }

  #note(ups: string): void {
    const policy = this.facts.policy(ups);
    const course = this.facts.courses.of(ups);
    if (policy === undefined) return;
    for (const { groupId, triggers } of this.#groupsOf(ups)) {
      const key = `${groupId} ${ups}`;
      if (!this.#criticalMs.has(key) && certainlyMet(course, triggers, policy) !== null)
        this.#criticalMs.set(key, this.facts.nowMs);
    }
  }

  #check(group: GroupSettings): void {
    const { groupId, members, minHealthy } = group;
    const started = this.facts.detail(groupId, 'SHUTDOWN_TRIGGERED');
    const fallen = started ?? this.facts.detail(groupId, 'QUORUM_LOST');
    const well = members.filter((ups) => this.#isWell(groupId, ups)).length;
    if (fallen !== null && well >= minHealthy)
      this.facts.violated('a group never falls while its quorum holds', `${groupId}: ${fallen}`);
    const mayFall = members.some((ups) => this.#mayBeOut(ups) || this.#isCritical(groupId, ups));
    if (started !== null && !mayFall)
      this.facts.violated('lost monitoring alone shuts nothing down', `${groupId}: ${started}`);
    this.#checkLoss(group);
  }

  #checkLoss(group: GroupSettings): void {
    const { groupId, members, minHealthy } = group;
    const { nowMs, sequences, courses } = this.facts;
    const isRead = members.every((ups) => courses.of(ups).last !== null);
    const most = members.filter((ups) => !this.#isDown(group, ups)).length;
    const isArmed = sequences.last(groupId) === undefined && !sequences.hasLost;
    if (most >= minHealthy || !isRead || !isArmed) {
      this.#lostSinceMs.delete(groupId);
      return;
    }
    const sinceMs = this.#lostSinceMs.get(groupId) ?? nowMs;
    this.#lostSinceMs.set(groupId, sinceMs);
    if (nowMs - sinceMs > certainMs && this.facts.isUninterruptedSince(sinceMs))
      this.facts.violated('a quorum that cannot hold starts the sequence', groupId);
  }

  #isCritical(groupId: string, ups: string): boolean {
    return this.#criticalMs.has(ups) || this.#criticalMs.has(`${groupId} ${ups}`);
  }

  /** The last thing that any daemon of this boot heard of it may be OB or FSD. */
  #mayBeOut(ups: string): boolean {
    const { recent } = this.facts.courses.of(ups);
    const isOut = recent.some(({ reading }) => !isFed(reading) || reading.status.includes('FSD'));
    return isOut || this.facts.sequences.hasLost;
  }

  #isWell(groupId: string, ups: string): boolean {
    const { nowMs, courses } = this.facts;
    if (!this.#isSeen(ups) || courses.of(ups).failures.length > 0) return false;
    return nowMs - (this.#wellSinceMs.get(ups) ?? nowMs) > restedMs && !this.#isCritical(groupId, ups);
  }

  #isSeen(ups: string): boolean {
    const { nowMs, courses } = this.facts;
    const { last } = courses.of(ups);
    const { checkIntervalMs = 0, pollDeadlineMs = 0 } = this.facts.policy(ups) ?? {};
    return last !== null && nowMs - last.atMs <= checkIntervalMs + pollDeadlineMs;
  }

  /** Critical, or on battery where that counts as critical. */
  #isDown({ groupId, degradedCountsAs }: GroupSettings, ups: string): boolean {
    if (this.#isCritical(groupId, ups)) return true;
    const { last, answers, isClear, failures } = this.facts.courses.of(ups);
    const policy = this.facts.policy(ups);
    const [first] = answers;
    if (degradedCountsAs !== 'critical' || !isClear || !this.#isSeen(ups) || failures.length > 0) return false;
    if (policy === undefined || first === undefined || last === null || last === first) return false;
    const { statusMs } = holdsOf(last, policy, policy.triggers.criticalRuntimeSeconds);
    return last.reading.status.includes('OB') && last.atMs - first.atMs > statusMs;
  }
}
