// How long a NUT driver may show one sample, and a value that waits for the next, by specification/policy.md#values-in-doubt.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Answer } from './courses.js';

/** Readings that are looked at: a value does not wait for as many. */
const longest = 100;

const slow = new Set(['snmp-ups', 'usbhid-ups', 'nutdrv_qx', 'newhidups']);

/** In ms. `critical`: critical_runtime_threshold in seconds, which shortens them; 0: it does not. */
export function holdsOf(
  { variables }: Pick<Answer, 'variables'>,
  { holds: { valueMs, statusMs } }: Pick<UpsSettings, 'holds'>,
  critical: number,
): { readonly valueMs: number; readonly statusMs: number } {
  const shown = (name: string) => {
    const text = variables[`driver.parameter.${name}`];
    return text === undefined ? undefined : Number(text);
  };
  const name = variables['driver.name'] ?? '';
  const [interval, freq] = [shown('pollinterval'), shown('pollfreq')];
  const isSlow = slow.has(name) || freq !== undefined;
  const values = isSlow ? (freq ?? 30) + (interval ?? 2) : (interval ?? 8);
  const status = name === 'snmp-ups' ? values : (interval ?? 2);
  const most = critical > 0 ? Math.min(60, critical / 4) : 60;
  const bounded = (seconds: number) => 1000 * Math.min(most, Math.max(1, seconds));
  return { valueMs: valueMs ?? bounded(values), statusMs: statusMs ?? bounded(status) };
}

/**
 * The last value fell below its threshold in a jump, and was not yet shown for longer than the hold. Where a 0 may be missing, or
 * both values are low, that is not certain.
 */
export function isInDoubt(
  recent: readonly Answer[],
  name: 'chargePercent' | 'runtimeSeconds',
  threshold: number,
  holdMs: number,
): boolean {
  const shown = recent.slice(-longest).filter(({ reading }) => reading[name] !== null);
  const valueOf = (answer: Answer | undefined) => answer?.reading[name] ?? 0;
  const last = shown.at(-1);
  const place = shown.findLastIndex((answer) => valueOf(answer) !== valueOf(last));
  const [before, first] = [shown[place], shown[place + 1]];
  if (last === undefined || before === undefined || first === undefined || holdMs === 0) return false;
  if (shown.some((answer) => valueOf(answer) === 0)) return false;
  const [high, low] = [valueOf(before), valueOf(last)];
  const isJump = name === 'chargePercent' ? high - low > 10 : low < (high * 2) / 3;
  return isJump && high >= threshold && last.askedMs - first.atMs <= holdMs;
}
