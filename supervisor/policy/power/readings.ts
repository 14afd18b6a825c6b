// The last good reading of a UPS, and the plausibility rules that need memory. The poller checks the limits of physics.
import type { Reading, Variables } from '../../../shared/domain/ups/reading.js';
import { isBelowNominal } from '../../../shared/domain/triggers/low-battery-flag.js';
import type { PowerSource } from '../../../shared/domain/ups/status-words.js';
import { powerSource } from '../../../shared/domain/ups/status-words.js';
import type { PolicyClock } from '../base/clock.js';
import { reuseUnchanged } from '../base/comparison.js';

/** A good reading as accepted by policy. */
export interface AcceptedReading {
  /** Refused values are null. */
  readonly reading: Reading;
  readonly source: PowerSource;
  readonly monotonicMs: number;
  /** When it was asked for: the device has shown it at least until then, and it may be handled much later. */
  readonly askedMs: number;
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
  readonly gauges: Gauges;
}

/** What is known of how a UPS measures a quantity: some have no gauge, and report 0 at all times. */
export interface Gauge {
  /** A value above 0 was read, in this boot or before. */
  readonly hasRead: boolean;
  /** Since when it has been 0, first on line power; null while it is not, or never was there. */
  readonly zeroMs: number | null;
}
export type Gauges = Readonly<Record<Refusal['quantity'], Gauge>>;

const unread: Gauge = { hasRead: false, zeroMs: null };
export const noGauges: Gauges = { charge: unread, runtime: unread };

/** After a reading with data. */
export type GoodReadings = Readings & { readonly last: AcceptedReading };

export const noReadings: Readings = { last: null, shownWords: [], variables: {}, gauges: noGauges };

/**
 * Accepts a reading with data. Some firmware reports 0 for unknown values, which shows on line power. `unproven`: the status has OL with
 * OB as well, and no value above 0 was read so far.
 */
export function acceptReading(
  readings: Readings,
  reading: Reading,
  variables: Variables,
  now: PolicyClock & { readonly askedMs: number },
  unproven: Readonly<Record<Refusal['quantity'], boolean>> = { charge: false, runtime: false },
): GoodReadings {
  const source = powerSource(reading.status);
  const onLine = source === 'line';
  const { chargePercent: charge, runtimeSeconds: runtime } = reading;
  const nowMs = now.monotonicMs;
  const gauges = reuseUnchanged(readings.gauges, {
    charge: gaugeAfter(readings.gauges.charge, charge, onLine || unproven.charge, nowMs),
    runtime: gaugeAfter(readings.gauges.runtime, runtime, onLine || unproven.runtime, nowMs),
  });
  const refused: Refusal[] = [];
  const refuse = (quantity: Refusal['quantity'], value: number | null, zero: string) => {
    const isLine = onLine || unproven[quantity];
    if (value !== 0 || (!isLine && (saysEmpty(reading, variables) || isMeasured(gauges[quantity], nowMs))))
      return;
    const why = isLine
      ? `a ${quantity} of ${zero} on line power is no reading`
      : `the ${quantity} was ${zero} on line power too, and no value above 0 has come since`;
    refused.push({ quantity, why });
  };
  refuse('charge', charge, '0 %');
  refuse('runtime', runtime, '0 s');
  return {
    last: {
      reading: refused.length === 0 ? reading : without(reading, refused),
      source,
      monotonicMs: now.monotonicMs,
      askedMs: now.askedMs,
      watchedMs: now.watchedMs,
      unixSeconds: now.unixSeconds,
      refused,
    },
    shownWords: reading.status,
    variables,
    gauges,
  };
}

/** An empty battery that charges shows more than 0 before. One that still shows 0 has no gauge, or one that works on battery only. */
const chargingMs = 4 * 60 * 60_000;

function gaugeAfter(gauge: Gauge, value: number | null, onLine: boolean, nowMs: number): Gauge {
  if (value === null || (value === 0 && (!onLine || gauge.zeroMs !== null))) return gauge;
  return reuseUnchanged(gauge, value > 0 ? { hasRead: true, zeroMs: null } : { ...gauge, zeroMs: nowMs });
}

/** A 0 on battery is a measurement. */
function isMeasured({ hasRead, zeroMs }: Gauge, nowMs: number): boolean {
  return zeroMs === null || (hasRead && nowMs - zeroMs < chargingMs);
}

/** LB, or a voltage below nominal: what reports 0 beside it may well be empty. */
function saysEmpty({ status }: Reading, variables: Variables): boolean {
  return status.includes('LB') || isBelowNominal(variables);
}

/** What earlier boots have read from the UPS. */
export function withRecalled(
  { charge, runtime }: Gauges,
  read: Readonly<Record<Refusal['quantity'], boolean>>,
): Gauges {
  return {
    charge: { ...charge, hasRead: charge.hasRead || read.charge },
    runtime: { ...runtime, hasRead: runtime.hasRead || read.runtime },
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

/** For how long readings until the last one have certainly shown what stands `sinceMs`; null: it does not stand. */
export function shownForMs(last: AcceptedReading | null, sinceMs: number | null): number | null {
  return last === null || sinceMs === null ? null : Math.max(0, last.askedMs - sinceMs);
}
