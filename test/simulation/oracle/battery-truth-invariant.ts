// Checks by the true battery alone: one bad sample starts nothing. A sequence in an outage needs a value, a mark or a rate
// that the battery itself had.
import type { Reading, Variables } from '../../../shared/domain/ups/reading.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { BatteryTruth } from '../truth.js';
import type { UpsSpec } from '../scenario.js';
import { holds } from './doubt.js';
import type { OracleContext } from './oracle-context.js';
import type { TrueRate } from './true-rate.js';
import { mayExceed, noRate, rateAfter } from './true-rate.js';

/** Which triggers the true battery has met, since when the world began; a battery recovers in hours only. */
interface Met {
  readonly LOW_BATTERY: boolean;
  readonly CRITICAL_RUNTIME: boolean;
  readonly LOW_BATTERY_FLAG: boolean;
  readonly DEPLETION: boolean;
}

const nothingMet: Met = {
  LOW_BATTERY: false,
  CRITICAL_RUNTIME: false,
  LOW_BATTERY_FLAG: false,
  DEPLETION: false,
};

/** A fall that is no jump: 10 points, a third of the runtime. */
const jumpPoints = 10;
const jumpShare = 1 / 3;

const resumeMs = 60_000;

/** "LB in readings further apart than `pollinterval`, at most 5 s": a driver that shows its status longer has one bad sample in both. */
const longestFlagHoldMs = 5_000;

export class BatteryTruthInvariant {
  readonly #context: OracleContext;
  readonly #met = new Map<string, Met>();
  readonly #rates = new Map<string, TrueRate>();
  /** Of each UPS, what its last answer is worth; see `isBeyondTheRule`. */
  readonly #excused = new Map<string, boolean>();

  constructor(context: OracleContext) {
    this.#context = context;
  }

  /** `atMs`: when the UPS showed it. */
  answered(
    groupId: string,
    { reading, variables }: { readonly reading: Reading; readonly variables: Variables },
    truth: BatteryTruth,
    atMs: number,
  ): void {
    const ups = this.#context.ups(groupId);
    const spec = this.#context.world.site.ups.find(({ policy }) => policy.groupId === groupId);
    if (ups === null || spec === undefined) return;
    const { outageMs, endedOutage, last } = ups.memory.upsHistory;
    // "OB again within 60 s of the end resumes the earlier clocks": falls too.
    const sinceEndMs = (last?.atMs ?? 0) - (endedOutage?.endedMs ?? -Infinity);
    const isMeasured = outageMs !== null || sinceEndMs <= resumeMs;
    const before = isMeasured ? (this.#rates.get(groupId) ?? noRate) : noRate;
    const step = spec.firmware.stuckCharge ? 0 : spec.firmware.chargeStep;
    const rate = rateAfter(before, reading.chargePercent, step, truth, atMs);
    this.#rates.set(groupId, rate);
    const met = metBy(truth, ups.policy.triggers, this.#met.get(groupId) ?? nothingMet);
    this.#met.set(groupId, { ...met, DEPLETION: mayExceed(rate, ups.policy, spec.driver) });
    const isExcused = isBeyondTheRule(ups.policy, spec, reading, variables, truth);
    // A trigger that was confirmed may fire later, at the end of its delay.
    this.#excused.set(groupId, isExcused || (truth.wrongSamples > 0 && this.#excused.get(groupId) === true));
  }

  /** The daemon misses readings, and may forget some. */
  absent(): void {
    for (const [groupId, rate] of this.#rates) this.#rates.set(groupId, { ...rate, gapMs: Infinity });
  }

  /** After every input. */
  check(): void {
    const { events, world } = this.#context;
    for (const { source, type, detail } of events) {
      if (type !== 'SHUTDOWN_TRIGGERED' && type !== 'TRIGGER_ADVISORY') continue;
      const trigger = /^(\w+):/.exec(detail)?.[1] ?? '';
      if (!isOfBattery(trigger) || (this.#met.get(source) ?? nothingMet)[trigger]) continue;
      const isOut = (world.devices.get(source)?.outageSinceMs ?? null) !== null;
      const isExcused = trigger !== 'DEPLETION' && this.#excused.get(source) === true;
      if (!isOut || isExcused) continue;
      this.#context.violated('one bad sample starts nothing', `${source}: ${detail}`);
    }
  }
}

const isOfBattery = (trigger: string): trigger is keyof Met => Object.hasOwn(nothingMet, trigger);

function metBy(
  { chargePercent, runtimeSeconds, isLow }: BatteryTruth,
  { lowBatteryPercent, criticalRuntimeSeconds }: TriggerSettings,
  before: Met,
): Met {
  return {
    LOW_BATTERY: before.LOW_BATTERY || (chargePercent !== null && chargePercent < lowBatteryPercent),
    CRITICAL_RUNTIME:
      before.CRITICAL_RUNTIME || (runtimeSeconds !== null && runtimeSeconds < criticalRuntimeSeconds),
    LOW_BATTERY_FLAG: before.LOW_BATTERY_FLAG || isLow,
    DEPLETION: before.DEPLETION,
  };
}

/**
 * What the specification lets act though it may be one sample: no jump from the truth; with LB; charge and runtime that are low together; a second
 * sample that is wrong otherwise; a gauge that shows 0 on line power; a driver that shows a sample for longer than it says, or than the settings let the daemon wait.
 */
function isBeyondTheRule(
  { holds: set, triggers }: UpsSettings,
  { driver, firmware }: UpsSpec,
  { status, chargePercent, runtimeSeconds }: Reading,
  variables: Variables,
  { wrongSamples, ...truth }: BatteryTruth,
): boolean {
  const hold = holds(variables, set, triggers);
  const areLow =
    (chargePercent ?? 0) > 0 &&
    (runtimeSeconds ?? 0) > 0 &&
    (chargePercent ?? 100) < triggers.lowBatteryPercent &&
    (runtimeSeconds ?? Infinity) < triggers.criticalRuntimeSeconds;
  const chargeFell = (truth.chargePercent ?? 0) - (chargePercent ?? Infinity);
  const runtimeFell = (truth.runtimeSeconds ?? 0) - (runtimeSeconds ?? Infinity);
  const isNoJump = chargeFell <= jumpPoints && runtimeFell <= jumpShare * (truth.runtimeSeconds ?? 0);
  return (
    isNoJump ||
    status.includes('LB') ||
    areLow ||
    wrongSamples > 1 ||
    hold.value < Math.max(1, driver.valuesMs + driver.lateMs) ||
    driver.statusMs > longestFlagHoldMs ||
    firmware.zeroOnLine ||
    !firmware.hasGauge
  );
}
