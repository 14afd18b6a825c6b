// Checks by the clock of the world: a true outage beyond the thresholds has its sequence in time, with readings or without
// any.
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { GroupSettings, UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { OracleContext } from './oracle-context.js';

/** Ticks, the evaluation of groups, and slow answers. */
const slackMs = 4_000;
/** "What a server says is bounded to 60 s"; the worlds set no key above it. */
const longestHoldMs = 60_000;

/** "failsafe_share of the last runtime, at most 60 s". */
const longestStaleMs = 60_000;

interface Answer {
  readonly atMs: number;
  readonly onBattery: boolean;
  readonly runtimeSeconds: number;
}

/** A series of answers that are all beyond a threshold without a reason to wait. World times. */
interface Stretch {
  readonly sinceMs: number;
  readonly lastMs: number;
}

export class OutageDeadlineInvariant {
  readonly #context: OracleContext;
  /** By UPS, or by group and UPS: each has its own thresholds. */
  readonly #beyond = new Map<string, Stretch>();
  /** Last conclusive answer of each UPS, and whether OB was reported last. */
  readonly #seen = new Map<string, Answer>();
  #checkedMs = 0;

  constructor(context: OracleContext) {
    this.#context = context;
  }

  /** The daemon has restarted or stalled, or has other thresholds. */
  beginAnew(): void {
    this.#beyond.clear();
    this.#seen.clear();
  }

  /** Failed polls do not count here; they lead to the failsafe. */
  answered(groupId: string, shown: Reading): void {
    const { policies, nowMs } = this.#context.world;
    const history = this.#context.memory.ups.get(groupId)?.upsHistory;
    const onBattery = history?.onBattery === true;
    const isUnknown = history !== undefined && history.unknown !== null;
    // "0 is no reading" while the source is unknown.
    const reading = isUnknown ? { ...shown, ...history.last } : shown;
    // A source that was unknown: the stabilization delay runs from the transfer.
    const isFresh = onBattery && history.outageMs === history.last?.atMs;
    this.#seen.set(groupId, { atMs: nowMs, onBattery, runtimeSeconds: reading.runtimeSeconds ?? 0 });
    const own = policies.ups.find((ups) => ups.groupId === groupId);
    if (isFresh) this.#beyond.delete(groupId);
    if (own !== undefined) this.#note(groupId, isBeyond(reading, own.triggers), nowMs);
    for (const group of policies.groups.filter(({ members }) => members.includes(groupId))) {
      const key = `${group.groupId} ${groupId}`;
      if (isFresh) this.#beyond.delete(key);
      this.#note(key, isBeyond(reading, group.triggers), nowMs);
    }
  }

  /** At ticks, once a second. */
  check(): void {
    const { nowMs, policies } = this.#context.world;
    if (nowMs - this.#checkedMs < 1_000) return;
    this.#checkedMs = nowMs;
    for (const ups of policies.ups) if (!ups.advisory) this.#checkUps(ups, nowMs);
    for (const group of policies.groups) this.#checkGroup(group, nowMs);
  }

  #note(key: string, isBeyond: boolean, nowMs: number): void {
    if (!isBeyond) this.#beyond.delete(key);
    else this.#beyond.set(key, { sinceMs: this.#beyond.get(key)?.sinceMs ?? nowMs, lastMs: nowMs });
  }

  #checkUps(ups: UpsSettings, nowMs: number): void {
    const { groupId } = ups;
    if (!this.#isArmed(groupId, [groupId])) return;
    if (this.#isOverdue(groupId, groupId, ups, ups.triggers)) {
      this.#context.violated(
        'an outage beyond its thresholds ends in time',
        `${groupId} has no sequence yet`,
      );
    }
    const seen = this.#seen.get(groupId);
    if (seen?.onBattery !== true || !this.#isOut(groupId)) return;
    const { maxStaleDataTolerance, checkIntervalMs, pollDeadlineMs, triggers } = ups;
    const countMs = maxStaleDataTolerance * Math.max(checkIntervalMs, pollDeadlineMs);
    const staleMs = Math.min(longestStaleMs, triggers.failsafeShare * seen.runtimeSeconds * 1000);
    const latestMs =
      Math.max(triggers.failsafeMs, staleMs, countMs) + checkIntervalMs + 2 * pollDeadlineMs + slackMs;
    if (nowMs - seen.atMs > latestMs) {
      this.#context.violated('an outage out of sight ends in time', `${groupId} has no sequence yet`);
    }
  }

  /** All members beyond the thresholds of the group: then no quorum can hold. */
  #checkGroup(group: GroupSettings, nowMs: number): void {
    const keys = group.members.map((member) => `${group.groupId} ${member}`);
    if (!this.#isArmed(group.groupId, keys)) return;
    const { policies } = this.#context.world;
    const isLost = group.members.every((member) => {
      const ups = policies.ups.find(({ groupId }) => groupId === member);
      return ups !== undefined && this.#isOverdue(`${group.groupId} ${member}`, member, ups, group.triggers);
    });
    if (isLost) {
      const text = `${group.groupId} has no sequence yet, ${String(Math.round(nowMs))} ms`;
      this.#context.violated('an outage of all members ends in time', text);
    }
  }

  /** Answers from before the group was armed again do not count: only new readings start sequences. */
  #isArmed(group: string, keys: readonly string[]): boolean {
    const isArmed = this.#context.isCertainlyArmed(group);
    if (!isArmed) for (const key of keys) this.#beyond.delete(key);
    return isArmed;
  }

  #isOverdue(key: string, groupId: string, ups: UpsSettings, triggers: TriggerSettings): boolean {
    const stretch = this.#beyond.get(key);
    if (stretch === undefined || !this.#isOut(groupId)) return false;
    const confirmMs = (triggers.confirmations + 1) * (ups.checkIntervalMs + slackMs);
    return stretch.lastMs - stretch.sinceMs > triggers.stabilizationMs + longestHoldMs + confirmMs;
  }

  #isOut(groupId: string): boolean {
    return this.#context.world.devices.get(groupId)?.outageSinceMs !== null;
  }
}

/** On battery, with a charge or a runtime below the threshold, and no test or calibration to wait for. */
function isBeyond(reading: Reading, triggers: TriggerSettings): boolean {
  const { status, chargePercent, runtimeSeconds } = reading;
  if (!status.includes('OB') || status.includes('TEST') || status.includes('CAL')) return false;
  // A 0 may be that of a UPS without a gauge.
  const isLow = chargePercent !== null && chargePercent > 0 && chargePercent < triggers.lowBatteryPercent;
  return (
    isLow ||
    (runtimeSeconds !== null && runtimeSeconds > 0 && runtimeSeconds < triggers.criticalRuntimeSeconds)
  );
}
