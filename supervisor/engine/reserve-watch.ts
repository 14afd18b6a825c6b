// What the reserve knows: it sees every input of policy, so that its rules can decide at any of them, and answers for policy where
// policy's state is old.
import type { SequenceCause } from '../../shared/domain/status/states.js';
import { mainsVoltageOf } from '../../shared/domain/ups/mains-voltage.js';
import { hasNoData, powerSource } from '../../shared/domain/ups/status-words.js';
import { unreachable } from '../../shared/domain/base/unreachable.js';
import { sumOf } from './battery-sum.js';
import { decidedByReserve } from './lost-reading.js';
import type { Reading, Variables } from '../../shared/domain/ups/reading.js';
import type { HoldSettings } from '../../shared/domain/triggers/hold.js';
import { holdsOf, longestHoldMs } from '../../shared/domain/triggers/hold.js';
import type { GoodReading, Input, PolicySettings, UpsSettings } from '../policy/base/inputs.js';
import type { UpsState } from '../policy/state/ups-state.js';
import type { Clock } from '../reserve/clock.js';
import { advanced } from '../reserve/clock.js';
import type { UpsGroup, Seen, Watched } from '../reserve/reserve.js';
import { afterValues, withOutage, withoutOutage, withUnknownSource } from '../reserve/outage-end.js';
import { afterReading, newlySeen, nothingMet } from '../reserve/reserve.js';
import { isBlind, staleMsOf } from '../reserve/silence.js';

/** A UPS as the group of itself, or a redundancy group. */
type Group = Watched & PolicySettings['ups' | 'redundancyGroups'][number];
export type Followed = Pick<UpsState, 'line' | 'batteryTime' | 'met'>;

/** Plain data, for the file. */
export interface Known {
  readonly clock: Clock;
  readonly ups: Readonly<Record<string, Seen>>;
}

/** Policy evaluates a quorum once a second, and a lost one twice. */
const quorumMs = 2_000;
const unknownNominalVolts = 100;
/** The longest of usual drivers, `pollfreq` 30 and `pollinterval` 2; a sum is kept for the longest that a server may ask for. */
const heldLongest = { valueMs: 32_000, statusMs: 32_000, longestMs: 60_000 };

export class ReserveWatch {
  #clock: Clock = { atMs: 0, askedMs: 0, watchedMs: 0, lookingMs: 0 };
  #seen = new Map<string, Seen>();
  #ups = new Map<string, UpsSettings>();
  /** Those that start sequences. */
  #groups: ReadonlyMap<string, Group> = new Map();
  /** By UPS: itself as a group, then the redundancy groups that it is a member of. */
  #watchedWith = new Map<string, readonly Watched[]>();
  readonly #holds = new Map<string, UpsGroup['holds']>();
  /** Since when a redundancy group has too few members left. */
  readonly #shortMs = new Map<string, number>();

  readonly #isAlone = ({ groupId }: Watched): boolean => this.#ups.has(groupId);

  get clock(): Clock {
    return this.#clock;
  }

  get nowMs(): number {
    return this.#clock.atMs;
  }

  get groups(): ReadonlyMap<string, Group> {
    return this.#groups;
  }

  /** Those with this UPS that start sequences. */
  groupsWith(ups: string): readonly Watched[] {
    return (this.#watchedWith.get(ups) ?? []).filter(({ groupId }) => this.#groups.has(groupId));
  }

  get known(): Known {
    return { clock: this.#clock, ups: Object.fromEntries(this.#seen) };
  }

  /** It may be older than what the daemon was killed in: only readings from now on show that power is back. */
  restore({ clock, ups }: Known): void {
    this.#clock = clock;
    const restored = Object.entries(ups).map(([name, seen]) => [name, { ...seen, lineReadings: 0 }] as const);
    this.#seen = new Map(restored);
  }

  configure({ ups, redundancyGroups }: PolicySettings): void {
    this.#holds.clear();
    const alone = (own: UpsSettings): Group => ({ ...own, members: [own.groupId], minHealthy: 1 });
    const groupsOf = ({ groupId }: UpsSettings) =>
      redundancyGroups.filter(({ members }) => members.includes(groupId));
    this.#ups = new Map(ups.map((own) => [own.groupId, own]));
    const groups = [...ups.filter(({ advisory }) => !advisory).map(alone), ...redundancyGroups];
    this.#groups = new Map(groups.map((group) => [group.groupId, group]));
    this.#watchedWith = new Map(ups.map((own) => [own.groupId, [alone(own), ...groupsOf(own)]]));
    for (const known of this.#seen.keys()) if (!this.#ups.has(known)) this.#seen.delete(known);
  }

  /** True when something of it must survive a restart. */
  see(input: Input): boolean {
    this.#clock = advanced(this.#clock, input.at.monotonicMs);
    const { atMs, watchedMs } = this.#clock;
    switch (input.kind) {
      case 'polled': {
        const { groupId, outcome, askedMs = atMs } = input;
        this.#clock = { ...this.#clock, askedMs: Math.min(askedMs, atMs) };
        if (outcome.kind === 'reading') return this.#read(groupId, outcome);
        this.#set(groupId, (seen) => {
          const staleMs = outcome.detail === 'DATA_STALE' ? seen.staleMs : 0;
          return { ...seen, replyMs: watchedMs, failed: seen.failed + 1, staleMs };
        });
        return this.#lookFor(groupId);
      }
      case 'ticked':
        return [...this.#seen.keys()].filter((ups) => this.#lookFor(ups)).length > 0;
      case 'tested':
        this.#set(input.groupId, (seen) => ({ ...seen, ownTestMs: input.running ? atMs : null }));
        return true;
      case 'forcedShutdown':
        this.#set(input.groupId, (seen) => {
          if (seen.fsd === 'acting') return seen;
          if (input.state !== 'refused') return { ...seen, fsd: 'own', ownFsdMs: atMs };
          return seen.fsd === 'own' ? { ...seen, fsd: 'absent' } : seen;
        });
        return true;
      case 'configured':
      case 'assessed':
      case 'gaugesRecalled':
      case 'openSequenceFound':
      case 'sequenceEnded':
        return false;
      default:
        return unreachable(input);
    }
  }

  /** Policy knows a fall that began an outage, OL with OB that is none any more, mains that are back (after a restart too, with the sum), and a silence that was none. */
  follow(ups: string, { line, batteryTime, met }: Followed): void {
    const seen = this.of(ups);
    const { [ups]: own } = seen.met;
    if (own?.by === 'FAILSAFE' && met === null)
      this.#set(ups, () => ({ ...seen, met: { ...seen.met, [ups]: { ...own, by: null } } }));
    const [{ nowMs }, sum] = [this, sumOf(batteryTime)];
    if (line.kind === 'mains' && seen.outageMs !== null)
      this.#set(ups, (open) => ({ ...withoutOutage(open, nowMs), sum }));
    if (line.kind === 'unknown' && seen.ob >= 0) this.#set(ups, (open) => withUnknownSource(open, nowMs));
    if (line.kind !== 'outage') return;
    this.#set(ups, (open) => ({ ...open, lows: line.lows }));
    if (line.bypass !== null || (seen.ob >= 0 && seen.outageMs === null)) return;
    const { startedMs: outageMs } = line.clock;
    if (seen.ob < 0 || seen.outageMs !== outageMs)
      this.#set(ups, (known) => withOutage(known, outageMs, sum));
  }

  /** The UPSes and groups about which a step would have decided. */
  concerned(input: Input): ReadonlySet<string> {
    if (input.kind === 'polled') return new Set([input.groupId]);
    if (input.kind !== 'ticked') return new Set();
    return new Set([...this.#ups.keys(), ...this.#groups.keys()]);
  }

  /** Those that the rules shut down now. A redundancy group waits as long as policy does, unless a sequence starts beside it (`isBeside`: of policy). */
  decided(all: readonly Watched[], isBeside = false): readonly Watched[] {
    const alone = all.filter((group) => this.#isAlone(group) && this.#isShort(group));
    const redundant = all.filter((group) => !this.#isAlone(group) && this.#isShort(group));
    const isLong = ({ groupId }: Watched) =>
      this.nowMs - (this.#shortMs.get(groupId) ?? this.nowMs) >= quorumMs;
    return [...alone, ...redundant.filter((group) => isBeside || alone.length > 0 || isLong(group))];
  }

  causeOf(group: Watched): { readonly trigger: SequenceCause; readonly why: string } {
    const { groupId, members, minHealthy } = group;
    const causes = members.map((ups) => causeOf(this.of(ups), ups, groupId));
    const why = decidedByReserve;
    if (this.#isAlone(group)) return { trigger: causes[0] ?? 'FAILSAFE', why };
    const words = members.map(
      (ups, place) => `${this.#ups.get(ups)?.label ?? ups} ${causes[place] ?? 'left'}`,
    );
    const left = `fewer than ${String(minHealthy)} left: ${words.join(', ')}`;
    return { trigger: 'QUORUM_LOST', why: `${left}; ${why}` };
  }

  isKnown(id: string): boolean {
    return this.#ups.has(id) || this.#groups.has(id);
  }

  membersOf(group: string): readonly string[] {
    return this.#groups.get(group)?.members ?? [group];
  }

  /**
   * Enough members have shown OL, without OB and an acting FSD, in `confirmations` readings, and no other member shows OB or FSD. Where
   * it counts as critical, one that is degraded keeps the outage of its group open: why policy has lost a quorum is not known here.
   */
  powerIsBack(group: string): boolean {
    const members = this.membersOf(group);
    if (members.some((ups) => this.#isOnBattery(ups))) return false;
    const { degradedCountsAs, minHealthy = 1 } = this.#groups.get(group) ?? {};
    const powered = members.filter((ups) => {
      const { lineReadings, fsd, isDegraded } = this.of(ups);
      if (isDegraded && degradedCountsAs === 'critical') return false;
      return lineReadings >= (this.#ups.get(ups)?.triggers.confirmations ?? 2) && fsd !== 'acting';
    });
    return powered.length >= minHealthy;
  }

  isSeen(group: string, sinceMs: number): boolean {
    return this.membersOf(group).some((ups) => (this.of(ups).readMs ?? -Infinity) >= sinceMs);
  }

  isSeenOnBattery(group: string, sinceMs: number): boolean {
    return this.membersOf(group).some((ups) => this.isSeen(ups, sinceMs) && this.#isOnBattery(ups));
  }

  #isOnBattery(ups: string): boolean {
    const { isOnBattery, fsd } = this.of(ups);
    return isOnBattery || fsd === 'acting';
  }

  /** Fewer members are left than the group needs: all others are decided. */
  #isShort({ groupId, members, minHealthy }: Watched): boolean {
    const left = members.filter((ups) => causeOf(this.of(ups), ups, groupId) === null);
    if (left.length >= minHealthy) this.#shortMs.delete(groupId);
    else if (!this.#shortMs.has(groupId)) this.#shortMs.set(groupId, this.nowMs);
    return left.length < minHealthy;
  }

  of(ups: string): Seen {
    return this.#seen.get(ups) ?? newlySeen(this.#clock);
  }

  #set(ups: string, change: (seen: Seen) => Seen): void {
    if (this.#ups.has(ups)) this.#seen.set(ups, change(this.of(ups)));
  }

  #read(ups: string, { reading, variables }: GoodReading): boolean {
    const [[own, ...groups], settings] = [this.#watchedWith.get(ups) ?? [], this.#ups.get(ups)];
    if (own === undefined || settings === undefined) return false;
    if (hasNoData(reading.status)) {
      this.#set(ups, (seen) => ({ ...seen, staleMs: 0 }));
      return false;
    }
    const before = this.of(ups);
    const held = (group: Watched): UpsGroup => {
      return { ...group, holds: this.#heldBy(ups, group, variables, settings.holds) };
    };
    const read = afterReading(before, reading, [held(own), ...groups.map(held)], this.#clock);
    const staleMs = staleMsOf(read, reading.status, settings.triggers);
    const after = afterValues({ ...read, staleMs }, reading.status, this.#clock);
    this.#seen.set(ups, after);
    this.#countBypass(ups, reading, variables, settings.triggers.bypassEndMs);
    const { fsd, outageMs, refused } = after;
    if (outageMs !== null || before.outageMs !== null || before.fsd !== fsd) return true;
    return before.refused.charge !== refused.charge || before.refused.runtime !== refused.runtime;
  }

  /** Where a function throws, by the last reading at which it did not, else the longest: what waits waits longer rather than for ever. */
  #heldBy(
    ups: string,
    { groupId, triggers }: Watched,
    variables: Variables,
    set: HoldSettings,
  ): UpsGroup['holds'] {
    const key = `${ups} ${groupId}`;
    try {
      const longestMs = longestHoldMs(variables, set);
      const holds = { ...holdsOf(variables, set, triggers.criticalRuntimeSeconds), longestMs };
      this.#holds.set(key, holds);
      return holds;
    } catch {
      const { valueMs, statusMs, longestMs } = this.#holds.get(key) ?? heldLongest;
      return { valueMs: set.valueMs ?? valueMs, statusMs: set.statusMs ?? statusMs, longestMs };
    }
  }

  /** BYPASS with mains ends an outage in the end. */
  #countBypass(ups: string, reading: Reading, variables: Variables, endMs: number): void {
    const { bypassMs: before } = this.of(ups);
    const isBypass = powerSource(reading.status) === 'bypass';
    // So it is at nearly every reading.
    if (!isBypass && before === null) return;
    const volts = mainsVoltageOf(reading, variables, null).highestVolts;
    const hasMains = volts === null || volts > (reading.nominalVolts ?? unknownNominalVolts) / 2;
    const bypassMs = isBypass && hasMains ? (before ?? this.nowMs) : null;
    this.#set(ups, (seen) => ({ ...seen, bypassMs }));
    if (bypassMs !== null && endMs > 0 && this.#clock.askedMs - bypassMs >= endMs)
      this.#set(ups, (seen) => withoutOutage(seen, this.nowMs));
  }

  /** Rule (e), after a failed poll or at a tick. */
  #lookFor(ups: string): boolean {
    const seen = this.#seen.get(ups);
    const polling = this.#ups.get(ups);
    if (seen?.isOnBattery !== true || polling === undefined) return false;
    const own = seen.met[ups] ?? nothingMet;
    if (own.by !== null || !isBlind(seen, polling, this.#clock)) return false;
    this.#seen.set(ups, { ...seen, met: { ...seen.met, [ups]: { ...own, by: 'FAILSAFE' } } });
    return true;
  }
}

/** What has decided the UPS, by its own rules or by the thresholds of `group`. */
function causeOf({ fsd, met }: Seen, ups: string, group: string): SequenceCause | null {
  return fsd === 'acting' ? 'FSD' : (met[ups]?.by ?? met[group]?.by ?? null);
}
