// Parses a device's text into a number with a unit. A value outside physics is missing, never a number
// (specification/policy.md#values-outside-physics). Code that shows, stores or judges a reading uses these parsers.

/** Longest text that is read as a number: one device reports a load of 250 digits (networkupstools/nut-ddl). */
const maxNumberLength = 32;

/** Parses a quantity; null when the text is no decimal number or the value is outside the limits. */
export type QuantityParser = (text: string | undefined) => number | null;

function between(low: number, high: number): QuantityParser {
  return (text) => {
    const value = numberOf(text);
    return value !== null && value >= low && value <= high ? value : null;
  };
}

/** 0 to 110: a full battery may read a little above 100, which counts as 100. */
const chargeRead = between(0, 110);
/** Of a battery, in percent. */
export const charge: QuantityParser = (text) => {
  const percent = chargeRead(text);
  return percent === null ? null : Math.min(percent, 100);
};

/** Some firmware reports this when it does not know its runtime: 16 bits, all set, as seconds or as minutes. */
const unknownRuntimes: readonly (number | null)[] = [65_535, 65_535 * 60];
const runtimeRead = between(0, Number.MAX_SAFE_INTEGER);
/** Of a battery, in seconds. */
export const runtime: QuantityParser = (text) => {
  const seconds = runtimeRead(text);
  return unknownRuntimes.includes(seconds) ? null : seconds;
};

/** In percent of the rated power. */
export const load: QuantityParser = between(0, 300);
export const volts: QuantityParser = between(0, 600);
export const hertz: QuantityParser = between(20, 120);
export const celsius: QuantityParser = between(-40, 150);
/** No single UPS delivers a gigawatt; the bound keeps sums finite. */
export const watts: QuantityParser = between(0, 1e9);

/** A decimal number with a point, spaces around it allowed. Null for anything else: hexadecimal, units, commas, empty text. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined || text.length > maxNumberLength) return null;
  const match = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?\s*$/.exec(text);
  if (match === null) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
