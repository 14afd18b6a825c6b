// Each trigger's account of itself: threshold, reading used, its age, what was refused, how far it is from firing and
// what it still waits for. Reads what the machines decided; decides nothing.
import type { TriggerExplanation } from '../../shared/domain/status-model.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PolicyClock } from './clock.js';
import { unseenMs } from './clock.js';
import { inhibitedBy } from './inhibits.js';
import type { TriggerSettings } from './inputs.js';
import { isOnBattery, onBatteryMs } from './line.js';
import type { AcceptedReading } from './readings.js';
import type { Shutdown } from './shutdown.js';
import type { BatteryTrigger, Confirmed, Facts, LatchedTrigger } from './triggers.js';
import { batteryTriggers, delayMs, meets } from './triggers.js';
import type { UpsMemory } from './ups-state.js';
import { factsOf } from './ups-state.js';
import { formatNumber, formatMs } from './wording.js';

export interface Explanation {
  readonly triggers: readonly TriggerExplanation[];
  readonly text: string;
}

/** One UPS seen with one set of thresholds: its own, or those of a redundancy group. */
export interface TriggerCase {
  readonly ups: UpsMemory;
  readonly settings: TriggerSettings;
  readonly confirmed: Confirmed;
  /** Whether a trigger may still start anything. */
  readonly armed: boolean;
  readonly met: LatchedTrigger | null;
  readonly toleratedPolls: number;
  readonly now: PolicyClock;
}

export function explainTriggers(one: TriggerCase): readonly TriggerExplanation[] {
  return [
    explainFsd(one),
    ...batteryTriggers.map((trigger) => explainBattery(trigger, one)),
    explainFailsafe(one),
  ];
}

/** The numbers of a battery trigger; margin is positive while the trigger is not met. */
interface Measure {
  readonly threshold: number | null;
  readonly reading: number | null;
  readonly margin: number | null;
  readonly words: string;
}

function explainBattery(trigger: BatteryTrigger, one: TriggerCase): TriggerExplanation {
  const { ups, settings, now } = one;
  const facts = factsOf(ups);
  const measure = measureOf(trigger, one, facts);
  const enabled = isEnabled(trigger, settings);
  const refused = refusedFor(trigger, ups);
  const refusal = refused.length === 0 ? '' : ` (refused: ${refused.join('; ')})`;
  const why = facts === null ? 'it needs OB in the last good reading' : waiting(trigger, one, facts);
  return {
    name: trigger,
    armed: enabled && one.armed,
    active: one.met?.trigger === trigger,
    threshold: measure.threshold,
    reading: measure.reading,
    readingAge: ageSeconds(ups, now),
    refused,
    margin: measure.margin,
    text: `${measure.words}${refusal}; ${enabled ? why : 'switched off in the configuration'}`,
  };
}

function isEnabled(trigger: BatteryTrigger, settings: TriggerSettings): boolean {
  if (trigger === 'EXTENDED_TIME') return settings.extendedTime.enabled;
  return trigger !== 'LOW_BATTERY_FLAG' || settings.lowBatteryFlag;
}

function measureOf(
  trigger: BatteryTrigger,
  { ups, settings, now }: TriggerCase,
  facts: Facts | null,
): Measure {
  const reading = ups.readings.last?.reading;
  switch (trigger) {
    case 'LOW_BATTERY':
      return below('charge', reading?.chargePercent ?? null, settings.lowBatteryPercent, '%');
    case 'CRITICAL_RUNTIME':
      return below('runtime', reading?.runtimeSeconds ?? null, settings.criticalRuntimeSeconds, 's');
    case 'DEPLETION':
      return above('depletion', facts?.depletionRate ?? null, settings.depletion.criticalRate, '%/min');
    case 'EXTENDED_TIME':
      return above(
        'time on battery',
        Math.floor(onBatteryMs(ups.line, now.monotonicMs) / 1000),
        settings.extendedTime.thresholdMs / 1000,
        's',
      );
    case 'LOW_BATTERY_FLAG': {
      const shown = reading?.status.includes('LB') ?? false;
      return {
        threshold: null,
        reading: shown ? 1 : 0,
        margin: null,
        words: shown ? 'LB is shown' : 'no LB',
      };
    }
    default:
      return unreachable(trigger);
  }
}

function below(what: string, reading: number | null, threshold: number, unit: string): Measure {
  const limit = `it fires below ${formatNumber(threshold)} ${unit}`;
  if (reading === null) return { threshold, reading, margin: null, words: `${what} unknown, ${limit}` };
  return {
    threshold,
    reading,
    margin: reading - threshold,
    words: `${what} ${formatNumber(reading)} ${unit}, ${limit}`,
  };
}

function above(what: string, reading: number | null, threshold: number, unit: string): Measure {
  const limit = `it fires above ${formatNumber(threshold)} ${unit}`;
  if (reading === null) return { threshold, reading, margin: null, words: `${what} unknown, ${limit}` };
  return {
    threshold,
    reading,
    margin: threshold - reading,
    words: `${what} ${formatNumber(reading)} ${unit}, ${limit}`,
  };
}

/** What stands between a trigger on battery and its firing. */
function waiting(trigger: BatteryTrigger, one: TriggerCase, facts: Facts): string {
  const { settings, confirmed, now } = one;
  if (one.met?.trigger === trigger) return `met: ${one.met.why}`;
  if (confirmed[trigger] === 0) {
    const met = meets(trigger, settings, facts);
    if (met !== null) return graceLeft(one, trigger, facts) ?? 'not met';
    const tooFew = trigger === 'DEPLETION' && facts.chargePercent !== null;
    return tooFew ? 'too few readings on battery yet' : 'the last reading lacks the value';
  }
  const waits: string[] = [];
  const missing = settings.confirmations - confirmed[trigger];
  if (missing > 0) waits.push(`${String(missing)} more good reading(s) that confirm it`);
  const delayLeftMs = delayMs(trigger, settings) - onBatteryMs(one.ups.line, now.monotonicMs);
  if (delayLeftMs > 0) waits.push(`${formatMs(delayLeftMs + 999)} of the stabilization delay`);
  const hold = inhibitedBy(one.ups.holds, trigger, now.monotonicMs);
  if (hold !== null) waits.push(`the end of the ${hold}`);
  if (waits.length > 0) return `met by the last readings; waits for ${waits.join(' and ')}`;
  return one.armed ? 'met; it acts with the next reading on battery' : 'met';
}

function explainFsd({ ups, armed, now }: TriggerCase): TriggerExplanation {
  const shown = ups.readings.last?.reading.status.includes('FSD') ?? false;
  const active = ups.fsd.kind === 'acting';
  const latched = ups.fsd.kind === 'latched';
  const words = active
    ? 'FSD demands the shutdown'
    : latched
      ? 'FSD was there on line power when this boot was first looked at'
      : 'no FSD; it fires at once when it comes';
  return {
    name: 'FSD',
    armed: armed && !latched,
    active,
    threshold: null,
    reading: shown ? 1 : 0,
    readingAge: ageSeconds(ups, now),
    refused: latched
      ? ['a latched FSD shuts nothing down until OB is seen or it has gone and come back']
      : [],
    margin: null,
    text: words,
  };
}

function explainFailsafe({
  ups,
  settings,
  armed,
  met,
  toleratedPolls,
  now,
}: TriggerCase): TriggerExplanation {
  const { last } = ups.readings;
  const threshold = settings.failsafeMs / 1000;
  const sight = last === null ? null : blindness(last, now);
  const onBattery = isOnBattery(ups.line);
  const polls = `${String(ups.connection.failedPolls)} failed poll(s) in a row of ${String(toleratedPolls)}`;
  const seen =
    sight === null
      ? 'never seen'
      : `unseen for ${String(sight.seconds)} s of ${formatNumber(threshold)} s${sight.notCounted}`;
  const why = onBattery
    ? 'what is known last is OB, so a loss of sight counts'
    : 'what is known last is not OB, so a loss of sight shuts nothing down';
  return {
    name: 'FAILSAFE',
    armed: armed && onBattery,
    active: met?.trigger === 'FAILSAFE',
    threshold,
    reading: sight?.seconds ?? null,
    readingAge: ageSeconds(ups, now),
    refused: [],
    margin: sight === null ? null : Math.max(0, threshold - sight.seconds),
    text: `${polls}, ${seen}; ${why}`,
  };
}

/** How long the failsafe has waited; and where the daemon itself was away, why by the clock on the wall it is overdue. */
function blindness(
  last: AcceptedReading,
  now: PolicyClock,
): { readonly seconds: number; readonly notCounted: string } {
  const seconds = Math.floor(unseenMs(last.watchedMs, now) / 1000);
  const away = Math.floor((now.monotonicMs - last.monotonicMs) / 1000) - seconds;
  const notCounted =
    away < 1 ? '' : ` (${String(away)} s more are not counted: the daemon was away or stood still)`;
  return { seconds, notCounted };
}

function refusedFor(trigger: BatteryTrigger, { readings }: UpsMemory): readonly string[] {
  const quantity =
    trigger === 'CRITICAL_RUNTIME'
      ? 'runtime'
      : trigger === 'LOW_BATTERY' || trigger === 'DEPLETION'
        ? 'charge'
        : null;
  return (readings.last?.refused ?? []).flatMap((refusal) =>
    refusal.quantity === quantity ? [refusal.why] : [],
  );
}

function ageSeconds({ readings }: UpsMemory, now: PolicyClock): number | null {
  return readings.last === null
    ? null
    : Math.max(0, Math.round(now.monotonicMs - readings.last.monotonicMs)) / 1000;
}

/** A battery that drains too fast is not yet counted in its first seconds: said, or the numbers would contradict the verdict. */
function graceLeft(
  { settings, ups, now }: TriggerCase,
  trigger: BatteryTrigger,
  facts: Facts,
): string | null {
  const { criticalRate, graceMs } = settings.depletion;
  if (trigger !== 'DEPLETION' || facts.depletionRate === null || facts.depletionRate <= criticalRate)
    return null;
  const leftMs = graceMs - onBatteryMs(ups.line, now.monotonicMs);
  return leftMs > 0
    ? `not counted before ${formatMs(leftMs + 999)} more on battery (depletion.grace_period)`
    : null;
}

/** Whether the sequence may still start, or what it waits for to be armed again. */
export function explainSequence(shutdown: Shutdown): string {
  if (shutdown.kind === 'armed') return 'The shutdown sequence is armed.';
  const sequence = shutdown.sequenceOver ? 'has ended' : 'was started and has not ended';
  const wait = shutdown.outageOver ? 'when the sequence has ended' : 'when power is back, confirmed';
  return `The shutdown sequence ${sequence} (${shutdown.trigger}: ${shutdown.why}). It is armed again ${wait}.`;
}
