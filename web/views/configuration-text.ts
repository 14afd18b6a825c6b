// The keys and values of the configuration for a reader: flat, with units, without braces. Pure.
import { camelCase } from '../../shared/domain/base/camel-case.js';
import type { Keys } from '../../shared/domain/base/keys.js';
import { triggerKeys } from '../../shared/domain/triggers/table.js';

type Setting = readonly [words: string, ...values: string[]];

/** After a number, by the words of a message. */
const symbols: Readonly<Record<string, string>> = {
  seconds: 's',
  percent: '%',
  'percent per minute': '%/min',
};

/** Of keys without the unit in their name. Where the table decides, the key has its name too: `depletion.window`. */
const units: Readonly<Record<string, string>> = {
  ...unitsOf(triggerKeys),
  interval: 's',
  publishInterval: 's',
  shutdownSafetyMargin: 's',
};

function unitsOf(keys: Keys, within = ''): Readonly<Record<string, string>> {
  const units: Record<string, string> = {};
  for (const [name, key] of Object.entries(keys)) {
    const path = within + camelCase(name);
    if (key.kind === 'table') Object.assign(units, unitsOf(key.keys, `${path}.`));
    else if (key.kind === 'key' && key.unit !== '') units[path] = symbols[key.unit] ?? key.unit;
  }
  return units;
}

/** A nested key has its table's name in front: `Depletion: critical rate`. */
export function settingsOf(value: object, table = '', path = ''): readonly Setting[] {
  return (Object.entries(value) as [string, unknown][]).flatMap(([key, one]): readonly Setting[] => {
    const words = table === '' ? keyInWords(key) : `${table}: ${lower(keyInWords(key))}`;
    if (Array.isArray(one) && one.some((item) => typeof item === 'object'))
      return [[words, ...one.map((item) => inOneLine(item))]];
    if (typeof one === 'object' && one !== null && !Array.isArray(one))
      return key === 'triggers' ? settingsOf(one) : settingsOf(one, words, `${path}${key}.`);
    return [[words, valueInWords(path + key, one)]];
  });
}

function inOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { name, ...rest } = value as Readonly<Record<string, unknown>>;
  const parts = Object.entries(rest).map(
    ([key, one]) => `${lower(keyInWords(key))} ${valueInWords(key, one)}`,
  );
  return `${valueInWords('name', name)}: ${parts.join(', ')}`;
}

function valueInWords(key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((one) => valueInWords('', one)).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const unit = units[key];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  return unit === undefined ? text : `${text}\u00a0${unit}`;
}

const acronyms = /^(ups|ssh|mqtt|api|nut|id)$/;

/** `failureThreshold` as `Failure threshold`, `nutControl` as `NUT control`. */
export function keyInWords(key: string): string {
  const words = key
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/([a-z])(\d)/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .map((word) => (acronyms.test(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For the middle of a sentence; abbreviations stay unchanged. */
function lower(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
