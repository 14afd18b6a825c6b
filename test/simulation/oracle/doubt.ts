// "Values in doubt" of specification/policy.md: how long a NUT driver may show a sample, and which values wait for the next one.
import type { Variables } from '../../../shared/domain/ups/reading.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';

/**
 * The last two different values that were read, when the newer one was first seen, and when the last poll that saw it was
 * sent: "its answer may have left the driver as early".
 */
export interface Progress {
  readonly value: number | null;
  readonly before: number | null;
  readonly changedMs: number;
  readonly askedMs: number;
}

export const notRead: Progress = { value: null, before: null, changedMs: 0, askedMs: 0 };

export function progressed(so: Progress, value: number | null, askedMs: number, atMs: number): Progress {
  if (value === null) return so;
  if (value === so.value) return { ...so, askedMs: Math.max(so.changedMs, askedMs) };
  return { value, before: so.value, changedMs: atMs, askedMs: atMs };
}

/** No other value has been read since. */
export const isSame = (one: Progress, other: Progress): boolean =>
  one.value === other.value && one.changedMs === other.changedMs;

/** "A jump: more than 10 points of charge, or a third of the runtime". */
export const fellFar = {
  charge: ({ value, before }: Progress) => value !== null && before !== null && before - value > 10,
  runtime: ({ value, before }: Progress) => value !== null && before !== null && value < before - before / 3,
};

/** "It fell below its threshold in a jump, or was below it in the first reading." */
export function crossedFar(quantity: keyof typeof fellFar, progress: Progress, threshold: number): boolean {
  const { value, before } = progress;
  if (value === null || value >= threshold) return false;
  return before === null || (before >= threshold && fellFar[quantity](progress));
}

/** The holds in ms by the table of the specification; `critical` is the threshold of the runtime in seconds. */
export function holds(
  variables: Variables,
  { valueMs, statusMs }: UpsSettings['holds'],
  { criticalRuntimeSeconds: critical }: Pick<TriggerSettings, 'criticalRuntimeSeconds'>,
): { readonly value: number; readonly status: number } {
  const interval = Number(variables['driver.parameter.pollinterval'] ?? NaN);
  const freq = Number(variables['driver.parameter.pollfreq'] ?? NaN);
  const name = variables['driver.name'] ?? '';
  const isSnmp = name === 'snmp-ups';
  const isSlow = isSnmp || name === 'usbhid-ups' || name === 'nutdrv_qx' || name === 'newhidups';
  const seconds = (given: number, otherwise: number) => (Number.isNaN(given) ? otherwise : given);
  let value = seconds(interval, 8);
  if (isSlow || !Number.isNaN(freq)) value = seconds(freq, 30) + seconds(interval, 2);
  const status = isSnmp ? value : seconds(interval, 2);
  const bounded = (s: number) => 1000 * Math.min(critical > 0 ? critical / 4 : 60, 60, Math.max(1, s));
  return { value: valueMs ?? bounded(value), status: statusMs ?? bounded(status) };
}

/** "Shown for longer than the hold"; a hold of 0 doubts nothing. */
export function isConfirmed({ changedMs, askedMs }: Progress, holdMs: number): boolean {
  return hasOutlasted(changedMs, askedMs, holdMs);
}

export function hasOutlasted(sinceMs: number, nowMs: number, holdMs: number): boolean {
  return holdMs === 0 || nowMs - sinceMs > holdMs;
}

/** For a charge that is back: "for longer than its driver may show a value, 60 s where that is not known". */
export function longestHold(variables: Variables, given: UpsSettings['holds']): number {
  const shows = (name: string) => Number(variables[`driver.parameter.${name}`] ?? NaN) > 0;
  const isSlow = ['usbhid-ups', 'newhidups', 'nutdrv_qx', 'snmp-ups'].includes(
    variables['driver.name'] ?? '',
  );
  const isKnown = given.valueMs !== null || isSlow || shows('pollfreq') || shows('pollinterval');
  return isKnown ? holds(variables, given, { criticalRuntimeSeconds: 0 }).value : 60_000;
}
