// "One bad sample starts nothing", by the true battery alone: a sequence in an outage needs a value, a mark or a rate that the
// battery itself had, but for what its driver holds back.
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { UpsSpec } from '../scenario.js';
import type { BatteryTruth } from '../truth.js';
import type { Answer } from './courses.js';
import { holdsOf } from './holds.js';
import { Invariant } from './invariant.js';
import type { TrueRate } from './true-rate.js';
import { mayExceed, noRate, rateAfter } from './true-rate.js';

/** Which triggers the true battery has met since the world began; it recovers in hours only. */
type Met = Readonly<Record<'LOW_BATTERY' | 'CRITICAL_RUNTIME' | 'LOW_BATTERY_FLAG' | 'DEPLETION', boolean>>;

const nothingMet: Met = {
  LOW_BATTERY: false,
  CRITICAL_RUNTIME: false,
  LOW_BATTERY_FLAG: false,
  DEPLETION: false,
};

/** A fall that is no jump: 10 points, a third of the runtime. */
const jumpPoints = 10;
const jumpShare = 1 / 3;
/** "LB in readings further apart than `pollinterval`, at most 5 s": a driver that shows its status longer has one bad sample in both. */
const longestFlagHoldMs = 5_000;

export class BatteryWithCause extends Invariant {
  readonly #met = new Map<string, Met>();
  readonly #rates = new Map<string, { readonly outMs: number | null; readonly rate: TrueRate }>();
  /** Of each UPS, whether its last answer is beyond the rule, and the wrong samples of it. */
  readonly #excused = new Map<string, { readonly isExcused: boolean; readonly goesOn: boolean }>();

  polled(ups: string, { outcome }: UpsPolled): void {
    const { last, recent, mayBeOutSinceMs: outMs } = this.facts.courses.of(ups);
    const policy = this.facts.policy(ups);
    const spec = this.facts.world.site.ups.find((one) => one.policy.groupId === ups);
    if (outcome.kind === 'failed' || last === null || last !== recent.at(-1)) return;
    if (policy === undefined || spec === undefined || last.truth === undefined) return;
    if (outcome.reading !== last.reading) return;
    const { battery, atMs } = last.truth;
    const known = this.#rates.get(ups);
    const before = outMs !== null && known?.outMs === outMs ? known.rate : noRate;
    const rate = rateAfter(before, last.reading.chargePercent, spec.firmware.chargeStep, battery, atMs);
    this.#rates.set(ups, { outMs, rate });
    const met = metBy(battery, policy.triggers, this.#met.get(ups) ?? nothingMet);
    this.#met.set(ups, { ...met, DEPLETION: mayExceed(rate, policy, spec.driver) });
    // A trigger that wrong samples have confirmed may fire later, at the end of its delay.
    const goesOn = battery.wrongSamples > 0 && this.#excused.get(ups)?.goesOn === true;
    const isExcused = isBeyondTheRule(policy, spec, last, battery) || goesOn;
    this.#excused.set(ups, { isExcused, goesOn: isExcused && battery.wrongSamples > 0 });
  }

  /** The daemon misses readings, and may forget some. */
  daemonDied(): void {
    for (const [ups, { outMs, rate }] of this.#rates)
      this.#rates.set(ups, { outMs, rate: { ...rate, gapMs: Infinity } });
  }

  worldChanged({ kind }: { readonly kind: string }): void {
    if (kind === 'stall' || kind === 'suspend') this.daemonDied();
  }

  checked(): void {
    for (const { ups, name, detail } of this.facts.triggers) {
      const isOut = (this.facts.world.devices.get(ups)?.outageSinceMs ?? null) !== null;
      if (!isOfBattery(name) || detail.includes(' by the thresholds of ') || !isOut) continue;
      const isExcused = name !== 'DEPLETION' && this.#excused.get(ups)?.isExcused === true;
      if (!isExcused && !(this.#met.get(ups) ?? nothingMet)[name])
        this.facts.violated('one bad sample starts nothing', `${ups}: ${detail}`);
    }
  }
}

const isOfBattery = (trigger: string): trigger is keyof Met => Object.hasOwn(nothingMet, trigger);

function metBy(
  { chargePercent: charge, runtimeSeconds: runtime, isLow }: BatteryTruth,
  { lowBatteryPercent, criticalRuntimeSeconds }: TriggerSettings,
  before: Met,
): Met {
  return {
    LOW_BATTERY: before.LOW_BATTERY || (charge !== null && charge < lowBatteryPercent),
    CRITICAL_RUNTIME: before.CRITICAL_RUNTIME || (runtime !== null && runtime < criticalRuntimeSeconds),
    LOW_BATTERY_FLAG: before.LOW_BATTERY_FLAG || isLow,
    DEPLETION: before.DEPLETION,
  };
}

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
