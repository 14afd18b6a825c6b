// "A group with its quorum, or with lost monitoring alone, never shuts down; it does when no quorum is possible."
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { GroupSettings, UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { certainlyMet, isOff } from './conditions.js';
import type { Answer } from './courses.js';
import { isFed, namesSource } from './courses.js';
import { holdsOf } from './holds.js';
import type { Invariant } from './invariant.js';

/** Two evaluations, a second apart, plus a tick. */
const certainMs = 3_000;
/** Line power, a voltage that is normal again, and a UPS that is read again are confirmed within this. */
const restedMs = 75_000;
/** Readings from which policy learns the nominal voltage, for good (specification/policy.md#nominal-voltage). */
const learnedFrom = 10;
/** Farther off the median replaces a nominal voltage that the UPS reports. */
const mismatchVolts = 25;
/** ... and is itself within so much of one of these. */
const snapWithinVolts = 15;
const grids = [100, 110, 115, 120, 127, 200, 208, 220, 230, 240, 277, 380, 400, 415, 480];
const wellWords = new Set(['OL', 'CHRG', 'RB', 'ALARM']);

export const quorum: Invariant = (facts) => {
  const { world, courses, sequences } = facts;
  /** UPSes whose own trigger was reported; group and UPS: that met the thresholds of the group. */
  const critical = new Set<string>();
  const lostSinceMs = new Map<string, number>();
  /** Since when each UPS has been without any problem, by its readings and in truth. */
  const wellSinceMs = new Map<string, number>();
  /** Readings in a row with OB alone, of each UPS; null once they have confirmed an outage, until line power. */
  const obReadings = new Map<string, number | null>();

  function confirmOb(ups: string, { status }: Reading, confirmations: number): void {
    const known = obReadings.get(ups) ?? (obReadings.has(ups) ? null : 0);
    const isPlain = status.includes('OB') && !status.includes('OL');
    if (status.includes('OL')) obReadings.set(ups, 0);
    else if (known !== null)
      obReadings.set(ups, isPlain ? (known + 1 >= confirmations ? null : known + 1) : 0);
  }
  /** UPSes that have shown OL without OFF: OFF beside OL may mean that their output is off. */
  const plainOnLine = new Set<string>();

  /**
   * Of each UPS, which of the readings that the nominal voltage is learned from show that of another grid: of mains that are too low or too
   * high, or of an outage by a driver that shows it for longer than it says.
   */
  const learned = new Map<string, readonly boolean[]>();

  function learn(ups: string, answer: Answer, policy: UpsSettings): void {
    const { inputVolts, nominalVolts, status } = answer.reading;
    const known = learned.get(ups) ?? [];
    const device = world.devices.get(ups);
    const isOnLine = status.includes('OL') && !status.includes('OB');
    if (!isOnLine || known.length >= learnedFrom || inputVolts === null || device === undefined) return;
    const { volts, spec } = device;
    const isHeld = spec.driver.valuesMs + spec.driver.lateMs > holdsOf(answer, policy, 0).valueMs;
    const isFar = Math.abs(inputVolts - spec.nominalVolts) > (nominalVolts === null ? 0 : mismatchVolts);
    const isGrid =
      nominalVolts === null || grids.some((one) => Math.abs(inputVolts - one) <= snapWithinVolts);
    learned.set(ups, [...known, isFar && isGrid && (isHeld || volts !== spec.nominalVolts)]);
  }

  /** The median may be one of them: normal mains are out of the band of another nominal voltage for the rest of the boot. */
  const isMisled = (ups: string) => 2 * (learned.get(ups) ?? []).filter(Boolean).length >= learnedFrom;

  const isCritical = ({ groupId }: GroupSettings, ups: string) =>
    critical.has(ups) || critical.has(`${groupId} ${ups}`);

  function isSeen(ups: string): boolean {
    const { last, failures } = courses.of(ups);
    const { checkIntervalMs = 0, pollDeadlineMs = 0 } = facts.policy(ups) ?? {};
    const isFresh = last !== null && facts.nowMs - last.atMs <= checkIntervalMs + pollDeadlineMs;
    return isFresh && failures.length === 0;
  }

  const isWell = (group: GroupSettings, ups: string) =>
    isSeen(ups) && facts.nowMs - (wellSinceMs.get(ups) ?? facts.nowMs) > restedMs && !isCritical(group, ups);

  /** Critical, or on battery where that counts as critical. */
  function isDown(group: GroupSettings, ups: string): boolean {
    if (isCritical(group, ups)) return true;
    const { last, answers, isClear } = courses.of(ups);
    const policy = facts.policy(ups);
    const [first] = answers;
    if (group.degradedCountsAs !== 'critical' || !isClear || !isSeen(ups)) return false;
    if (policy === undefined || first === undefined || last === null || last === first) return false;
    const { statusMs } = holdsOf(last, policy, policy.triggers.criticalRuntimeSeconds);
    return last.reading.status.includes('OB') && last.askedMs - first.atMs > statusMs;
  }

  /** The last thing that any daemon of this boot heard of it may be OB, FSD or OFF. */
  const mayBeOut = (ups: string) =>
    courses.of(ups).recent.some((answer) => {
      const { status } = answer.reading;
      if (!isFed(answer.reading) || status.includes('FSD')) return true;
      return isOff(answer) && (!status.includes('OL') || plainOnLine.has(ups));
    });

  function check(group: GroupSettings): void {
    const { groupId, members, minHealthy } = group;
    const { nowMs } = facts;
    const started = facts.detail(groupId, 'SHUTDOWN_TRIGGERED');
    const fallen = started ?? facts.detail(groupId, 'QUORUM_LOST');
    if (fallen !== null && members.filter((ups) => isWell(group, ups)).length >= minHealthy)
      facts.violated('a group never falls while its quorum holds', `${groupId}: ${fallen}`);
    const mayFall = () => sequences.hasLost || members.some((ups) => mayBeOut(ups) || isCritical(group, ups));
    if (started !== null && !mayFall())
      facts.violated('lost monitoring alone shuts nothing down', `${groupId}: ${started}`);
    const isRead = members.every((ups) => courses.of(ups).last !== null);
    const isArmed = sequences.last(groupId) === undefined && !sequences.hasLost;
    const isLost = members.filter((ups) => !isDown(group, ups)).length < minHealthy;
    const sinceMs = lostSinceMs.get(groupId) ?? nowMs;
    if (isLost && isRead && isArmed) lostSinceMs.set(groupId, sinceMs);
    else lostSinceMs.delete(groupId);
    if (lostSinceMs.has(groupId) && nowMs - sinceMs > certainMs && facts.isUninterruptedSince(sinceMs))
      facts.violated('a quorum that cannot hold starts the sequence', groupId);
  }

  function forget(): void {
    for (const kept of [critical, lostSinceMs, wellSinceMs]) kept.clear();
  }

  return {
    answered(ups, answer, course, policy) {
      const { reading, atMs } = answer;
      const { status } = reading;
      learn(ups, answer, policy);
      const hasWord = status.some((word) => !wellWords.has(word));
      if (!status.includes('OL') || hasWord || isMisled(ups)) wellSinceMs.delete(ups);
      // Nothing came before its first reading on a boot that is still to be over.
      else if (!wellSinceMs.has(ups)) wellSinceMs.set(ups, course.recent.length === 1 ? -Infinity : atMs);
      if (status.includes('OL') && !status.includes('OFF')) plainOnLine.add(ups);
      confirmOb(ups, reading, policy.triggers.confirmations);
      // Words that name no source end an outage whose OB was not confirmed.
      const isUnconfirmed = !namesSource(reading) && obReadings.get(ups) !== null;
      const isOver = isFed(reading) || status.includes('OL') || isUnconfirmed;
      if (isOver) critical.delete(ups);
      for (const { groupId, triggers } of facts.groupsOf(ups)) {
        if (isOver) critical.delete(`${groupId} ${ups}`);
        if (certainlyMet(course, triggers, policy) !== null) critical.add(`${groupId} ${ups}`);
      }
    },
    polled(ups, { outcome }) {
      if (outcome.kind === 'failed') wellSinceMs.delete(ups);
    },
    daemonStarted: forget,
    /** What is to be learned begins again. */
    lost() {
      for (const ups of learned.keys()) if (!isMisled(ups)) learned.delete(ups);
    },
    hostDown() {
      plainOnLine.clear();
      obReadings.clear();
      learned.clear();
    },
    configured: forget,
    triggered(ups, _trigger, _detail, group) {
      if (group === null) critical.add(ups);
    },
    checked() {
      for (const [ups, { volts, spec, outputOn, demanded }] of world.devices)
        if (volts !== spec.nominalVolts || !outputOn || demanded) wellSinceMs.delete(ups);
      for (const group of world.policies.groups) check(group);
    },
  };
};
