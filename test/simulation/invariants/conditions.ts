// Whether the readings of a clear outage certainly meet a trigger by specification/policy.md#triggers, at the last of them. What
// leaves room for an exception of the specification is not certain; the scenarios have those.
import type { BatteryTriggerName, TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Answer, Course } from './courses.js';
import { isFed } from './courses.js';
import { holdsOf } from './holds.js';

/** Longer than any hold, and than an answer takes: a value that jumped is not in doubt any more. */
const undoubtedMs = 75_000;

interface Outage {
  readonly answers: readonly Answer[];
  readonly settings: TriggerSettings;
  readonly ups: UpsSettings;
  readonly jumpedMs: Course['jumpedMs'];
  /** From the first reading of the outage until the last one was asked for. */
  readonly lastedMs: number;
}

/** The trigger that the last reading certainly meets; null for none. */
export function certainlyMet(
  { answers, isClear, jumpedMs }: Course,
  settings: TriggerSettings,
  ups: UpsSettings,
): BatteryTriggerName | null {
  const [first, last] = [answers[0], answers.at(-1)];
  if (!isClear || first === undefined || last === undefined) return null;
  const outage = { answers, settings, ups, jumpedMs, lastedMs: last.askedMs - first.atMs };
  return names.find((name) => conditions[name](outage)) ?? null;
}

const conditions: Readonly<Record<BatteryTriggerName, (outage: Outage) => boolean>> = {
  LOW_BATTERY: (outage) => isBelow(outage, 'charge', outage.settings.lowBatteryPercent),
  CRITICAL_RUNTIME: (outage) => isBelow(outage, 'runtime', outage.settings.criticalRuntimeSeconds),
  DEPLETION: (outage) => {
    const { answers, settings, lastedMs } = outage;
    const { confirmations, depletion, stabilizationMs } = settings;
    if (lastedMs < stabilizationMs) return false;
    const isLate = ({ askedMs }: Answer) => askedMs - (answers[0]?.atMs ?? askedMs) >= depletion.graceMs;
    return isRow(confirmations, answers, (answer) => {
      const known = answers.slice(0, answers.indexOf(answer) + 1);
      return isLate(answer) && isFast(known, outage) === true;
    });
  },
  EXTENDED_TIME: ({ answers, settings: { extendedTime, confirmations, stabilizationMs }, lastedMs }) => {
    const [first] = answers;
    if (first === undefined || !extendedTime.enabled || lastedMs < stabilizationMs) return false;
    return isRow(confirmations, answers, ({ askedMs }) => askedMs - first.atMs > extendedTime.thresholdMs);
  },
  LOW_BATTERY_FLAG: ({ answers, settings, lastedMs }) => {
    const { reading } = answers.at(-1) ?? {};
    const isLow = (value: number | null | undefined, threshold: number) =>
      typeof value === 'number' && value > 0 && value <= threshold;
    const isBorneOut =
      isLow(reading?.chargePercent, settings.lowBatteryPercent) ||
      isLow(reading?.runtimeSeconds, settings.criticalRuntimeSeconds);
    return (
      settings.lowBatteryFlag &&
      isBorneOut &&
      lastedMs >= Math.min(5_000, settings.stabilizationMs) &&
      isRow(settings.confirmations, answers, ({ reading: { status } }) => status.includes('LB'))
    );
  },
  OUTPUT_OFF: ({ answers, settings: { outputOffMs }, ups }) => {
    const from = answers.findLastIndex((answer) => !isOff(answer)) + 1;
    const [first, last] = [answers[from], answers.at(-1)];
    if (first === undefined || last === undefined || outputOffMs === 0) return false;
    const lastedMs = last.askedMs - first.atMs;
    return lastedMs >= outputOffMs && lastedMs > holdsOf(last, ups, 0).statusMs;
  },
};

const names = Object.keys(conditions) as readonly BatteryTriggerName[];

/** At least `count` readings without line power in a row, up to the last one; null: it has no value and does not count. */
export function isRow(
  count: number,
  answers: readonly Answer[],
  meets: (answer: Answer) => boolean | null,
): boolean {
  let left = count;
  for (const answer of answers.toReversed()) {
    const isMet = left === 0 || isFed(answer.reading) ? false : meets(answer);
    if (isMet === false) break;
    if (isMet === true) left -= 1;
  }
  return left === 0;
}

export const isOff = ({ reading: { status } }: Answer): boolean =>
  status.includes('OFF') && !status.includes('OB');

/** A 0 may be that of a UPS without a gauge. */
function isBelow(
  { answers, settings, jumpedMs, lastedMs }: Outage,
  name: 'charge' | 'runtime',
  threshold: number,
): boolean {
  const last = answers.at(-1);
  if (last === undefined || lastedMs < settings.stabilizationMs) return false;
  // An answer may be older than a stall.
  if (last.askedMs - jumpedMs[name] < undoubtedMs) return false;
  const valueOf = ({ reading }: Answer) =>
    name === 'charge' ? reading.chargePercent : reading.runtimeSeconds;
  if ((valueOf(last) ?? 0) === 0) return false;
  return isRow(settings.confirmations, answers, (answer) => {
    const value = valueOf(answer);
    return value === null || value === 0 ? null : value < threshold;
  });
}

/** One of the readings that must confirm DEPLETION certainly shows no such rate. */
export function isCertainlySlow(
  { answers, isClear, jumpedMs }: Course,
  settings: TriggerSettings,
  ups: UpsSettings,
): boolean {
  const first = answers.length - settings.confirmations;
  const slow = answers.map(
    (_, place) =>
      place >= first && isFast(answers.slice(0, place + 1), { answers, settings, ups, jumpedMs }) === false,
  );
  return isClear && slow.includes(true);
}

/** By falls of a charge that never rises, from reading to reading as they were asked for; null: they are too few or too old to leave nothing open. */
function isFast(answers: readonly Answer[], outage: Omit<Outage, 'lastedMs'>): boolean | null {
  const { settings, ups, jumpedMs } = outage;
  const { windowMs } = ups.triggers.depletion;
  const [first, last] = [answers[0], answers.at(-1)];
  const charges = answers.map(({ askedMs, reading }) => ({
    atMs: askedMs,
    percent: reading.chargePercent ?? 0,
  }));
  if (first === undefined || last === undefined || charges.some(({ percent }) => percent === 0)) return null;
  if (jumpedMs.charge >= first.askedMs - undoubtedMs) return null;
  const falls = charges.slice(1).flatMap(({ atMs, percent }, place) => {
    const points = (charges[place]?.percent ?? 0) - percent;
    return points === 0 ? [] : [{ atMs, points }];
  });
  const [fall] = falls;
  if (falls.some(({ points }) => points < 0)) return null;
  if (fall === undefined || falls.length < 2) return false;
  const isOpen =
    last.askedMs - fall.atMs >= windowMs ||
    fall.atMs < first.atMs + settings.stabilizationMs ||
    fall.atMs < first.atMs + ups.triggers.stabilizationMs;
  const readings = Math.min(30, Math.max(2, Math.floor(windowMs / 2 / ups.checkIntervalMs)));
  const lastedMs = last.askedMs - fall.atMs;
  if (isOpen || falls.length === 2) return null;
  if (lastedMs < (readings - 1) * ups.checkIntervalMs) return false;
  const points = falls.map((one) => one.points);
  const counted = points.reduce((sum, one) => sum + one, 0) - Math.max(...points);
  return Math.round((counted * 6_000_000) / lastedMs) / 100 > settings.depletion.criticalRate;
}
