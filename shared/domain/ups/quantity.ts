// Parses a device's text into a number with a unit. A value outside physics is missing, never a number
// (specification/policy.md#values-outside-physics). Code that shows, stores or judges a reading uses these parsers.

/** Longest text that is read as a number: one device reports a load of 250 digits (networkupstools/nut-ddl). */
const maxNumberLength = 32;

/** Parses a quantity; null when the text is no decimal number or the value is outside the limits. */
export type QuantityParser = (text: string | undefined) => number | null;

/** How often the unit of the quantity each unit is, in small letters. NUT writes none, some servers do. */
type Units = Readonly<Record<string, number>>;

const inUnit = (...names: readonly string[]): Units => Object.fromEntries(names.map((name) => [name, 1]));

function between(low: number, high: number, units: Units): QuantityParser {
  return (text) => {
    const value = numberOf(text, units);
    return value !== null && value >= low && value <= high ? value : null;
  };
}

/** 0 to 110: a full battery may read a little above 100, which counts as 100. */
const percent = inUnit('%', 'percent');
const chargeRead = between(0, 110, percent);
/** Of a battery, in percent. */
export const charge: QuantityParser = (text) => {
  const value = chargeRead(text);
  return value === null ? null : Math.min(value, 100);
};

/** What a device reports that does not know its runtime: 16 or 32 bits, all set, with or without the sign, in seconds or minutes. */
const unknownRuntimes: readonly (number | null)[] = [
  65_535,
  65_535 * 60,
  ...[2 ** 31 - 1, 2 ** 32 - 1].flatMap((all) => [all, all * 60]),
];
const runtimeRead = between(0, Number.MAX_SAFE_INTEGER, {
  ...inUnit('s', 'sec', 'secs', 'second', 'seconds'),
  min: 60,
  mins: 60,
  minute: 60,
  minutes: 60,
});
/** Of a battery, in seconds. */
export const runtime: QuantityParser = (text) => {
  const seconds = runtimeRead(text);
  return unknownRuntimes.includes(seconds) ? null : seconds;
};

/** In percent of the rated power. */
export const load: QuantityParser = between(0, 300, percent);
export const volts: QuantityParser = between(0, 600, inUnit('v', 'volt', 'volts', 'vac', 'vdc'));
export const hertz: QuantityParser = between(20, 120, inUnit('hz'));
export const celsius: QuantityParser = between(-40, 150, inUnit('c', '°c', 'celsius'));
/** No single UPS delivers a gigawatt; the bound keeps sums finite. */
export const watts: QuantityParser = between(0, 1e9, inUnit('w', 'watt', 'watts'));

/**
 * A decimal number with a point or a comma, spaces around it allowed, and one of `units` after it. Null for anything else:
 * hexadecimal, other units, empty text, and a comma before three digits, which may part thousands.
 */
export function numberOf(text: string | undefined, units: Units = {}): number | null {
  if (text === undefined || text.length > maxNumberLength) return null;
  const match =
    /^\s*([+-]?(?:\d+(?:\.|,(?!\d{3}(?!\d)))?\d*|[.,]\d+)(?:[eE][+-]?\d{1,2})?)\s*([a-z°%]*)\s*$/i.exec(text);
  if (match === null) return null;
  const [, digits = '', unit = ''] = match;
  const name = unit.toLowerCase();
  const factor = unit === '' ? 1 : Object.hasOwn(units, name) ? units[name] : undefined;
  if (factor === undefined) return null;
  const value = Number(digits.replace(',', '.')) * factor;
  return Number.isFinite(value) ? value : null;
}
