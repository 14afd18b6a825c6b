// What the device of a dump shows while its battery drains: its charge and runtime fall linearly, in the steps in which the
// dump shows them. Values it lacks stay missing, a value of 0 stays 0, one outside physics stays as it is.
import type { Variables } from '../../shared/domain/ups/reading.js';
import { statusWords } from '../../shared/domain/ups/status-words.js';
import { readingOf } from '../../workers/poller/reading/reading.js';

/** The steps of the gauges; null: those of the dump. */
export interface Grain {
  readonly chargePoints: number | null;
  readonly runtimeSeconds: number | null;
  /** How long a NUT driver shows charge and runtime before it reads them again. */
  readonly heldSeconds: number;
}

export const grainOfDump: Grain = { chargePoints: null, runtimeSeconds: null, heldSeconds: 0 };

/** A battery lasts this long. */
export const lastsSeconds = 1200;
/** LB comes at this charge, on a device that has such a mark. */
const lowPercent = 10;

export function onLine(variables: Variables): Variables {
  const words = statusWords(variables['ups.status'] ?? '').filter((word) => word !== 'LB');
  return withStatus(
    variables,
    words.map((word) => (word === 'OB' ? 'OL' : word)),
  );
}

/** `seconds` after the transfer to battery. */
export function onBattery(variables: Variables, seconds: number, grain: Grain): Variables {
  const readAt = grain.heldSeconds === 0 ? seconds : seconds - (seconds % grain.heldSeconds);
  const left = Math.max(0, 1 - readAt / lastsSeconds);
  const { chargePercent, runtimeSeconds } = readingOf(variables);
  const charge =
    chargePercent === null ? null : fallen(variables['battery.charge'], left, grain.chargePoints);
  const runtime =
    runtimeSeconds === null
      ? null
      : fallen(variables['battery.runtime'], left, grain.runtimeSeconds ?? wholeMinutes(runtimeSeconds));
  const percent = charge === null ? 100 * left : Number(charge);
  const isLow = variables['battery.charge.low'] !== undefined && percent <= lowPercent;
  const words = statusWords(onLine(variables)['ups.status'] ?? '').filter((word) => word !== 'OL');
  return withStatus(
    {
      ...variables,
      ...(charge === null ? {} : { 'battery.charge': charge }),
      ...(runtime === null ? {} : { 'battery.runtime': runtime }),
    },
    ['OB', ...words, ...(isLow ? ['LB'] : [])],
  );
}

/** A dump that shows whole minutes has a gauge of minutes. */
const wholeMinutes = (seconds: number): number | null => (seconds % 60 === 0 ? 60 : null);

/** With as many decimals as the dump; without a step of its own, its last decimal is the step. */
function fallen(text = '', left: number, step: number | null): string {
  const decimals = text.split('.')[1]?.length ?? 0;
  const grain = step ?? 10 ** -decimals;
  // Not one step lower by what binary fractions lack.
  return (Math.floor((Number(text) * left) / grain + 1e-9) * grain).toFixed(decimals);
}

function withStatus(variables: Variables, words: readonly string[]): Variables {
  return { ...variables, 'ups.status': words.join(' ') };
}
