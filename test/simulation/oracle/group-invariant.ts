// Checks redundancy groups in the clear cases: certainly healthy members keep the quorum, certainly critical members lose
// it. The unit tests cover the cases between.
import type { RedundancyRow } from '../../../shared/domain/status/status-model.js';
import { connectionState } from '../../../supervisor/policy/connection/connection.js';
import type { GroupSettings, UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { groupOf, upsOf } from '../../../supervisor/policy/state/state.js';
import { holds, hasOutlasted } from './doubt.js';
import { failsafeWait, goodBatteryMs } from './stale.js';
import type { OracleContext } from './oracle-context.js';
import type { MemberMemory, UpsMemory } from './memory.js';
import { memberKey } from './memory.js';

/** Two evaluations, a second apart, plus a tick. */
const certainMs = 3_000;
const evaluationMs = 1_000;

const healthyWords = new Set(['OL', 'CHRG', 'RB', 'ALARM']);

export class GroupInvariant {
  readonly #context: OracleContext;
  /** Watched time since which too few members can be healthy, by group. */
  readonly #lostSinceMs = new Map<string, number>();
  /** Watched time since which the group counts as armed. */
  readonly #armedSinceMs = new Map<string, number>();
  /** Watched time since which the quorum holds again. */
  readonly #backSinceMs = new Map<string, number>();
  #checkedMs = 0;
  #policies: object | null = null;
  /** Watched time since which the daemon has them: until the next evaluation a row shows those before. */
  #configuredMs = 0;
  /** Consecutive good readings without a problem, by UPS. */
  readonly #healthyReadings = new Map<string, number>();

  constructor(context: OracleContext) {
    this.#context = context;
  }

  isDoubtful(groupId: string): boolean {
    return this.#context.memory.doubtful.has(groupId);
  }

  daemonStarted(): void {
    this.#lostSinceMs.clear();
    this.#armedSinceMs.clear();
    this.#backSinceMs.clear();
    this.#healthyReadings.clear();
    this.#checkedMs = 0;
  }

  read(groupId: string, words: readonly string[]): void {
    const isStable = words.includes('OL') && words.every((word) => healthyWords.has(word));
    this.#healthyReadings.set(groupId, isStable ? (this.#healthyReadings.get(groupId) ?? 0) + 1 : 0);
  }

  /** After every poll and tick: the daemon evaluates the groups once a second, and when a member starts its sequence. */
  check(): void {
    const { events, memory, world } = this.#context;
    if (this.#policies !== world.policies) this.#configuredMs = memory.watchedMs;
    this.#policies = world.policies;
    if (events.length === 0 && memory.watchedMs - this.#checkedMs < evaluationMs) return;
    this.#checkedMs = memory.watchedMs;
    for (const group of world.policies.groups) this.#checkGroup(group);
  }

  #checkGroup(group: GroupSettings): void {
    const context = this.#context;
    const { groupId, minHealthy } = group;
    const members = group.members.flatMap((ups) => this.#member(group, ups) ?? []);
    const well = members.filter((member) => this.#isHealthy(member)).length;
    const criticalMembers = members.filter((member) => this.#countsAsCritical(group, member)).length;
    this.#checkStale(groupId, members);
    const started = context.detail(groupId, 'SHUTDOWN_TRIGGERED');
    if (started === null) this.#checkMemberStarts(group, members);
    if (well >= minHealthy && (started !== null || context.has(groupId, 'QUORUM_LOST'))) {
      context.violated(
        'a group never falls while its quorum holds',
        `${groupId}: ${started ?? 'QUORUM_LOST'}`,
      );
    }
    const mayFall = members.some((member) => member.memory.upsHistory.onBattery || this.#isCritical(member));
    if (started !== null) {
      if (!mayFall) {
        context.violated('lost monitoring alone shuts nothing down', `${groupId}: ${started}`);
      }
      if (!context.isArmed(groupId)) context.violated('one sequence per outage', `${groupId} starts again`);
      context.fire(groupId);
      context.memory.doubtful.delete(groupId);
    }
    this.#checkLoss(
      group,
      members.length - criticalMembers,
      members.some((member) => this.#isCritical(member) && !this.#isOnlyOverloaded(member)),
    );
    this.#checkReturn(group, members);
  }

  /** "Its group does not count it UNKNOWN meanwhile." */
  #checkStale(groupId: string, members: readonly Member[]): void {
    const { watchedMs, certainlyWatchingSinceMs } = this.#context.memory;
    for (const { groupId: ups, policy, memory, ageMs } of members) {
      const { upsHistory } = memory;
      const { leastMs } = failsafeWait(upsHistory, policy, watchedMs);
      const waitMs = Math.min(leastMs, goodBatteryMs(upsHistory, policy));
      const isWaiting =
        upsHistory.onlyStale === 'yes' &&
        upsHistory.onBattery &&
        upsHistory.failedPolls > 0 &&
        ageMs < waitMs;
      const health = this.#row(groupId)?.members.find(({ name }) => name === ups)?.health;
      if (
        isWaiting &&
        ageMs > certainMs &&
        watchedMs - Math.max(certainlyWatchingSinceMs, this.#configuredMs) > certainMs &&
        health === 'UNKNOWN'
      )
        this.#context.violated('a driver that is stale on a good battery is no unknown member', ups);
    }
  }

  /** Sequences that fall together begin together: the power-off of the one must wait for the servers of the other. */
  #checkMemberStarts({ groupId, minHealthy }: GroupSettings, members: readonly Member[]): void {
    const context = this.#context;
    if (!members.some((member) => context.has(member.groupId, 'SHUTDOWN_TRIGGERED'))) return;
    const carrying = members.filter(
      ({ memory: { active, upsHistory }, own }) =>
        active === null && own.met === null && upsHistory.fsd !== 'acting',
    );
    if (carrying.length >= minHealthy || !context.isCertainlyArmed(groupId)) return;
    if (this.#row(groupId)?.quorumDeferred === false)
      context.violated('a member takes its groups with it', groupId);
  }

  #checkLoss({ groupId, minHealthy }: GroupSettings, most: number, isCritical: boolean): void {
    const context = this.#context;
    const row = this.#row(groupId);
    const { watchedMs } = context.memory;
    const armedMs = this.#armedForMs(groupId);
    if (most >= minHealthy || row === undefined || row.quorumDeferred || !isCritical) {
      this.#lostSinceMs.delete(groupId);
      return;
    }
    const sinceMs = this.#lostSinceMs.get(groupId) ?? watchedMs;
    this.#lostSinceMs.set(groupId, sinceMs);
    if (watchedMs - sinceMs < certainMs) return;
    if (!row.quorumLost) context.violated('a quorum that cannot hold is lost', groupId);
    if (armedMs >= certainMs && context.isCertainlyArmed(groupId))
      context.violated('a lost quorum starts the sequence', groupId);
  }

  #armedForMs(groupId: string): number {
    const { watchedMs } = this.#context.memory;
    if (!this.#context.isArmed(groupId)) {
      this.#armedSinceMs.delete(groupId);
      return 0;
    }
    const sinceMs = this.#armedSinceMs.get(groupId) ?? watchedMs;
    this.#armedSinceMs.set(groupId, sinceMs);
    return watchedMs - sinceMs;
  }

  /** Re-armed by the quorum with enough members on line power, once the sequence has ended. */
  #checkReturn(group: GroupSettings, members: readonly Member[]): void {
    const context = this.#context;
    const { groupId } = group;
    const { watchedMs } = context.memory;
    const back = members.filter(
      ({ groupId: ups, sight, memory: { upsHistory } }) =>
        sight === 'OK' &&
        !context.memory.unseen.has(ups) &&
        (upsHistory.last?.onLine === true ||
          upsHistory.last?.inBypass === true ||
          (upsHistory.unknown !== null && context.memory.fired.get(groupId)?.sequenceOver === true)) &&
        upsHistory.outageMs === null &&
        upsHistory.fsd !== 'acting',
    );
    if (back.length < group.minHealthy || this.#row(groupId)?.quorumLost !== false) {
      this.#backSinceMs.delete(groupId);
      return;
    }
    const sinceMs = this.#backSinceMs.get(groupId) ?? watchedMs;
    this.#backSinceMs.set(groupId, sinceMs);
    if (watchedMs - sinceMs >= certainMs) context.memory.doubtful.delete(groupId);
    else if (!context.isArmed(groupId)) context.memory.doubtful.add(groupId);
    if (!context.isArmed(groupId)) context.outageOver(groupId);
  }

  #member(group: GroupSettings, groupId: string): Member | null {
    const known = this.#context.ups(groupId);
    const own = this.#context.memory.members.get(memberKey(group.groupId, groupId));
    if (known === null || own === undefined) return null;
    const { state } = this.#context.world.daemon;
    const ups = state === null ? undefined : upsOf(state, groupId);
    if (ups === undefined) return null;
    const { voltageState } = ups.row.powerQuality;
    return {
      groupId,
      policy: known.policy,
      memory: known.memory,
      own,
      ageMs: this.#context.memory.watchedMs - (known.memory.upsHistory.last?.watchedMs ?? 0),
      freshMs: known.policy.checkIntervalMs + known.policy.pollDeadlineMs,
      outputOffMs: group.triggers.outputOffMs,
      // Not the state of its row: on battery the row is FAILED earlier, and groups do not use it.
      sight: connectionState(ups.connection),
      voltsAreFine: voltageState !== 'LOW' && voltageState !== 'HIGH',
    };
  }

  #isHealthy(member: Member): boolean {
    const { upsHistory, active } = member.memory;
    const { last } = upsHistory;
    return (
      last !== null &&
      last.onLine &&
      (this.#healthyReadings.get(member.groupId) ?? 0) >= 2 &&
      upsHistory.outageMs === null &&
      upsHistory.fsd !== 'acting' &&
      upsHistory.failedPolls === 0 &&
      active === null &&
      member.own.met === null &&
      member.ageMs <= member.freshMs &&
      member.sight === 'OK' &&
      member.voltsAreFine
    );
  }

  #isCritical({ memory: { upsHistory, active }, policy, own, outputOffMs }: Member): boolean {
    const { last, fsd, variables } = upsHistory;
    if (active !== null || own.met !== null || fsd === 'acting') return true;
    const isOff =
      last !== null &&
      upsHistory.offMs !== null &&
      last.askedMs - upsHistory.offMs >= outputOffMs &&
      hasOutlasted(
        upsHistory.offMs,
        last.askedMs,
        holds(variables, policy.holds, { criticalRuntimeSeconds: 0 }).status,
      ) &&
      outputOffMs > 0;
    return isOff || (last !== null && last.onBattery && last.words.includes('OVER'));
  }

  /** An overload counts later than this reading: the unit tests have its time. */
  #isOnlyOverloaded({ memory: { upsHistory, active }, own }: Member): boolean {
    const { overloadMs, offMs, fsd, last } = upsHistory;
    return (
      overloadMs !== null &&
      offMs === null &&
      active === null &&
      own.met === null &&
      fsd !== 'acting' &&
      last !== null
    );
  }

  /** Certainly critical, or configured to count as critical. */
  #countsAsCritical(group: GroupSettings, member: Member): boolean {
    const { active, upsHistory } = member.memory;
    if (active !== null || member.own.met !== null || upsHistory.fsd === 'acting') return true;
    if (member.sight === 'FAILED') {
      return (
        group.unknownCountsAs === 'critical' ||
        (group.unknownCountsAs === 'degraded' && group.degradedCountsAs === 'critical')
      );
    }
    const isSeen = member.sight === 'OK' && member.ageMs <= member.freshMs;
    const { batteryMs, last, variables } = upsHistory;
    const { status } = holds(variables, member.policy.holds, member.policy.triggers);
    const isProven = last !== null && batteryMs !== null && hasOutlasted(batteryMs, last.askedMs, status);
    return isSeen && group.degradedCountsAs === 'critical' && upsHistory.batteryReadings >= 2 && isProven;
  }

  #row(groupId: string): Pick<RedundancyRow, 'quorumLost' | 'quorumDeferred' | 'members'> | undefined {
    const { state } = this.#context.world.daemon;
    return state === null ? undefined : groupOf(state, groupId)?.row;
  }
}

interface Member {
  readonly groupId: string;
  readonly policy: UpsSettings;
  readonly memory: UpsMemory;
  readonly own: MemberMemory;
  /** Watched time since the last good reading. */
  readonly ageMs: number;
  readonly freshMs: number;
  readonly outputOffMs: number;
  readonly sight: string;
  readonly voltsAreFine: boolean;
}
