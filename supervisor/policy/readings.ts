// The last good reading of a UPS, and the plausibility rules that need memory. The poller checks the limits of physics.
import type { Reading, Variables } from '../../shared/domain/reading.js';
import type { PowerSource } from '../../shared/domain/status-words.js';
import { powerSource } from '../../shared/domain/status-words.js';
import type { PolicyClock } from './clock.js';

/** A good reading as accepted by policy. */
export interface AcceptedReading {
  /** Refused values are null. */
  readonly reading: Reading;
  readonly source: PowerSource;
  readonly monotonicMs: number;
  readonly watchedMs: number;
  readonly unixSeconds: number;
  /** The refused values, with reasons. */
  readonly refused: readonly Refusal[];
}

export interface Refusal {
  readonly quantity: 'charge' | 'runtime';
  readonly why: string;
}

export interface Readings {
  /** The last reading with data; null before the first. */
  readonly last: AcceptedReading | null;
  /** The words of the last answer, WAIT included. For display only. */
  readonly shownWords: readonly string[];
  /** The NUT variables of the last answer, for display and for triggers that measure one. */
  readonly variables: Variables;
  /** A runtime of 0 was seen on line power: 0 is refused until a value above it was seen. */
  readonly runtimeDistrusted: boolean;
}

/** After a reading with data. */
export type GoodReadings = Readings & { readonly last: AcceptedReading };

export const noReadings: Readings = { last: null, shownWords: [], variables: {}, runtimeDistrusted: false };

/** Accepts a reading with data. Some firmware reports 0 for unknown values, which shows on line power. */
export function acceptReading(
  readings: Readings,
  reading: Reading,
  variables: Variables,
  now: PolicyClock,
): GoodReadings {
  const source = powerSource(reading.status);
  const onLine = source === 'line';
  const runtime = reading.runtimeSeconds;
  let { runtimeDistrusted } = readings;
  if (runtime !== null && runtime > 0) runtimeDistrusted = false;
  else if (runtime === 0 && onLine) runtimeDistrusted = true;
  const refused: Refusal[] = [];
  if (onLine && reading.chargePercent === 0) {
    refused.push({ quantity: 'charge', why: 'a charge of 0 % on line power is no reading' });
  }
  if (runtime === 0 && runtimeDistrusted) {
    const why = onLine
      ? 'a runtime of 0 s on line power is no reading'
      : 'the runtime was 0 s on line power too, and no value above 0 has come since';
    refused.push({ quantity: 'runtime', why });
  }
  return {
    last: {
      reading: refused.length === 0 ? reading : without(reading, refused),
      source,
      monotonicMs: now.monotonicMs,
      watchedMs: now.watchedMs,
      unixSeconds: now.unixSeconds,
      refused,
    },
    shownWords: reading.status,
    variables,
    runtimeDistrusted,
  };
}

/** Neither a source nor a value: in an outage such a reading does not show that the battery still holds. */
export function tellsNothing({ source, reading }: AcceptedReading): boolean {
  return source === 'neither' && reading.chargePercent === null && reading.runtimeSeconds === null;
}

function without(reading: Reading, refused: readonly Refusal[]): Reading {
  const isRefused = (quantity: Refusal['quantity']) =>
    refused.some((refusal) => refusal.quantity === quantity);
  return {
    ...reading,
    chargePercent: isRefused('charge') ? null : reading.chargePercent,
    runtimeSeconds: isRefused('runtime') ? null : reading.runtimeSeconds,
  };
}
