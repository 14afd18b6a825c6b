// "A group with its quorum, or with lost monitoring alone, never shuts down; it does when no quorum is possible."
import type { GroupSettings } from '../../../supervisor/policy/base/inputs.js';
import { certainlyMet } from './conditions.js';
import { isFed } from './courses.js';
import { Invariant } from './invariant.js';

/** Two evaluations, a second apart, plus a tick. */
const certainMs = 3_000;
const wellWords = new Set(['OL', 'CHRG', 'RB', 'ALARM']);

export class Quorum extends Invariant {
  /** UPSes whose own trigger was reported, or that met the thresholds of a group, by UPS or group and UPS, since when. */
  readonly #criticalMs = new Map<string, number>();
  readonly #lostSinceMs = new Map<string, number>();
  /** Good readings in a row without any problem. */
  readonly #wellReadings = new Map<string, number>();

  polled(ups: string): void {
    const { last, recent } = this.facts.courses.of(ups);
    if (last === null || last !== recent.at(-1)) return;
    const { status } = last.reading;
    const isWell = status.includes('OL') && status.every((word) => wellWords.has(word));
    this.#wellReadings.set(ups, isWell ? (this.#wellReadings.get(ups) ?? 0) + 1 : 0);
    const keys = [ups, ...this.#groupsOf(ups).map(({ groupId }) => `${groupId} ${ups}`)];
    if (isFed(last.reading) || status.includes('OL')) for (const key of keys) this.#criticalMs.delete(key);
    this.#note(ups);
  }

  daemonStarted(): void {
    for (const map of [this.#criticalMs, this.#lostSinceMs, this.#wellReadings]) map.clear();
  }

  configured(): void {
    this.daemonStarted();
  }

  checked(): void {
    const { nowMs, world } = this.facts;
    for (const { ups, detail } of this.facts.triggers)
      if (!detail.includes(' by the thresholds of ')) this.#criticalMs.set(ups, nowMs);
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

  #checkLoss({ groupId, members, minHealthy }: GroupSettings): void {
    const { nowMs, sequences, courses } = this.facts;
    const isRead = members.every((ups) => courses.of(ups).last !== null);
    const most = members.filter((ups) => !this.#isCritical(groupId, ups)).length;
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
    const { last, failures, lineReadings } = this.facts.courses.of(ups);
    const policy = this.facts.policy(ups);
    const device = this.facts.world.devices.get(ups);
    if (last === null || policy === undefined || device === undefined || failures.length > 0) return false;
    const isSteady = device.volts === device.spec.nominalVolts && device.outputOn && !device.demanded;
    const isFresh = this.facts.nowMs - last.atMs <= policy.checkIntervalMs + policy.pollDeadlineMs;
    const isLong = (this.#wellReadings.get(ups) ?? 0) > Math.max(2, policy.triggers.confirmations);
    const isRested = this.facts.nowMs - this.facts.courses.of(ups).lineSinceMs > 75_000 || lineReadings > 60;
    return isSteady && isFresh && isLong && isRested && !this.#isCritical(groupId, ups);
  }
}
