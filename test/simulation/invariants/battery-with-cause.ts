// "One bad sample starts nothing", by the true battery alone: a sequence in an outage needs a value, a mark or a rate that the
// battery itself had, but for what its driver holds back.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { UpsSpec } from '../scenario.js';
import type { BatteryTruth } from '../truth.js';
import type { Answer } from './courses.js';
import { holdsOf } from './holds.js';
import type { Invariant } from './invariant.js';
import { TrueRate } from './true-rate.js';

const ofBattery = new Set(['LOW_BATTERY', 'CRITICAL_RUNTIME', 'LOW_BATTERY_FLAG', 'DEPLETION']);

/** A fall that is no jump: 10 points, a third of the runtime. */
const jumpPoints = 10;
const jumpShare = 1 / 3;
/** "LB in readings further apart than `pollinterval`, at most 5 s": a driver that shows its status longer has one bad sample in both. */
const longestFlagHoldMs = 5_000;

export const batteryWithCause: Invariant = (facts) => {
  /** UPS and trigger that the true battery has met since the world began; it recovers in hours only. */
  const met = new Set<string>();
  const rates = new Map<string, { readonly outMs: number | null; readonly rate: TrueRate }>();
  /** Of each UPS, whether its last answer is beyond the rule, and the wrong samples of it. */
  const excused = new Map<string, { readonly isExcused: boolean; readonly goesOn: boolean }>();

  /** UPSes whose gauge was stuck for a while. */
  const stuck = new Set<string>();

  function absent(): void {
    for (const { rate } of rates.values()) rate.absent();
  }
  function note(trigger: string, ups: string, isMet: boolean): void {
    if (isMet) met.add(`${ups} ${trigger}`);
  }

  return {
    answered(ups, answer, { mayBeOutSinceMs: outMs }, policy) {
      const spec = facts.world.site.ups.find((one) => one.policy.groupId === ups);
      if (spec === undefined || answer.truth === undefined) return;
      const { battery, atMs } = answer.truth;
      const known = rates.get(ups);
      const rate = outMs !== null && known?.outMs === outMs ? known.rate : new TrueRate();
      // A gauge that was stuck shows the fall of its standing time as one step.
      const isSteady = !spec.firmware.stuckCharge && !stuck.has(ups);
      rate.answered(answer.reading.chargePercent, isSteady ? spec.firmware.chargeStep : 0, battery, atMs);
      rates.set(ups, { outMs, rate });
      const { lowBatteryPercent, criticalRuntimeSeconds } = policy.triggers;
      note('LOW_BATTERY', ups, (battery.chargePercent ?? Infinity) < lowBatteryPercent);
      note('CRITICAL_RUNTIME', ups, (battery.runtimeSeconds ?? Infinity) < criticalRuntimeSeconds);
      note('LOW_BATTERY_FLAG', ups, battery.isLow);
      met.delete(`${ups} DEPLETION`);
      note('DEPLETION', ups, rate.mayExceed(policy, spec.driver));
      // A trigger that wrong samples have confirmed may fire later, at the end of its delay.
      const goesOn = battery.wrongSamples > 0 && excused.get(ups)?.goesOn === true;
      const isExcused = isBeyondTheRule(policy, spec, answer, battery) || goesOn;
      excused.set(ups, { isExcused, goesOn: isExcused && battery.wrongSamples > 0 });
    },
    daemonDied: absent,
    worldChanged(worldEvent) {
      const { kind } = worldEvent;
      if (kind === 'stall' || kind === 'suspend') absent();
      if (kind === 'firmware' && worldEvent.change.stuckCharge === true) stuck.add(worldEvent.ups);
    },
    triggered(ups, name, detail, group) {
      const isOut = (facts.world.devices.get(ups)?.outageSinceMs ?? null) !== null;
      if (!ofBattery.has(name) || group !== null || !isOut || met.has(`${ups} ${name}`)) return;
      if (name === 'DEPLETION' || excused.get(ups)?.isExcused !== true)
        facts.violated('one bad sample starts nothing', `${ups}: ${detail}`);
    },
  };
};

/**
 * What the specification lets act though it may be one sample: no jump from the truth; with LB; charge and runtime that are low together; a second
 * sample that is wrong otherwise; a gauge that shows 0 on line power; a driver that shows a sample for longer than it says, or than the settings let the daemon wait.
 */
function isBeyondTheRule(
  policy: UpsSettings,
  { driver, firmware }: UpsSpec,
  answer: Answer,
  { wrongSamples, ...truth }: BatteryTruth,
): boolean {
  const { status, chargePercent, runtimeSeconds } = answer.reading;
  const { lowBatteryPercent, criticalRuntimeSeconds } = policy.triggers;
  const isLow = (value: number | null, threshold: number) => value !== null && value > 0 && value < threshold;
  const areLow = isLow(chargePercent, lowBatteryPercent) && isLow(runtimeSeconds, criticalRuntimeSeconds);
  const chargeFell = (truth.chargePercent ?? 0) - (chargePercent ?? Infinity);
  const runtimeFell = (truth.runtimeSeconds ?? 0) - (runtimeSeconds ?? Infinity);
  const isNoJump = chargeFell <= jumpPoints && runtimeFell <= jumpShare * (truth.runtimeSeconds ?? 0);
  const { valueMs } = holdsOf(answer, policy, criticalRuntimeSeconds);
  return (
    isNoJump ||
    status.includes('LB') ||
    areLow ||
    wrongSamples > 1 ||
    valueMs < Math.max(1, driver.valuesMs + driver.lateMs) ||
    driver.statusMs > longestFlagHoldMs ||
    firmware.zeroOnLine ||
    !firmware.hasGauge
  );
}
