// Turns the variables of one poll into numbers with units. What is outside physics is missing, never a number (contract 3);
// what needs memory to judge (a charge of 0 on line power) is policy's.
import type { Reading, Variables } from '../../shared/domain/reading.js';
import { statusWords } from '../../shared/domain/status-words.js';

/** Longest text that is taken for a number: one device reports a load of 250 digits (networkupstools/nut-ddl). */
const longestNumber = 32;
/** Longest status word the link carries; no known word is longer than 8, so a cut one stays unknown. */
const longestWord = 64;
/** What some firmware says when it does not know its runtime: 16 bits, all set. */
const unknownRuntime = 65_535;

export function readingOf(variables: Variables): Reading {
  const value = (name: string, low: number, high: number): number | null =>
    within(numberOf(Object.hasOwn(variables, name) ? variables[name] : undefined), low, high);
  const runtime = value('battery.runtime', 0, Number.MAX_SAFE_INTEGER);
  return {
    status: statusWords(variables['ups.status'] ?? '').map((word) => word.slice(0, longestWord)),
    chargePercent: charge(value('battery.charge', 0, 110)),
    runtimeSeconds: runtime === unknownRuntime ? null : runtime,
    loadPercent: value('ups.load', 0, 300),
    inputVolts: value('input.voltage', 0, 600),
    outputVolts: value('output.voltage', 0, 600),
    batteryVolts: value('battery.voltage', 0, 600),
    inputHertz: value('input.frequency', 20, 120),
    outputHertz: value('output.frequency', 20, 120),
    temperatureCelsius: value('ups.temperature', -40, 150),
    nominalVolts: value('input.voltage.nominal', 0, 600),
    // No single UPS delivers a gigawatt; the bound keeps sums finite.
    realPowerWatts: value('ups.realpower', 0, 1e9),
  };
}

/** A full battery may read a little above 100; further above it is no charge. */
function charge(percent: number | null): number | null {
  return percent === null ? null : Math.min(percent, 100);
}

function within(value: number | null, low: number, high: number): number | null {
  return value !== null && value >= low && value <= high ? value : null;
}

/** A decimal number with a point, spaces around it allowed. Null for anything else: hexadecimal, units, commas, nothing. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined || text.length > longestNumber) return null;
  const match = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?\s*$/.exec(text);
  if (match === null) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
