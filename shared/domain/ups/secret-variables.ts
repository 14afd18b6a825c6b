// Variables of a UPS that hold secrets: the settings of a driver include its passwords. Their values never leave the
// poller; their names do (specification/api-resources.md#hidden-values).
import type { Variables } from './reading.js';

/** Replaces a value. It cannot be written: a form that is sent back unchanged would destroy the secret. */
export const hiddenValue = '(hidden)';

/** Names of secrets, also where the value is a number. */
const secretName = /password|passwd|community|secret|token|(?:^|[^a-z])key(?:$|[^a-z])/;
/** The value of a flag: set or not set. */
const flagValue = /^(?:enabled|disabled|yes|no|on|off|true|false|[01])$/i;
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** Settings without a secret that the operator of a UPS needs. */
const openParameters = new Set(
  ['pollinterval', 'pollfreq', 'port', 'synchronous', 'offdelay', 'ondelay', 'lowbatt'].map(
    (name) => `driver.parameter.${name}`,
  ),
);

/** True when `value` of the variable `name` must be hidden. */
export function hidesValue(name: string, value: string): boolean {
  const folded = name.toLowerCase();
  // `apiKey` is two words.
  const named = secretName.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1.$2').toLowerCase());
  if (folded.startsWith('driver.flag.')) return named && !flagValue.test(value);
  if (named) return true;
  if (!/^(?:driver\.parameter|override|default)\./.test(folded)) return false;
  // The port of a driver that reads a web page may be an address with a login.
  if (openParameters.has(folded)) return /\/\/[^/]*@/.test(value);
  return !plainNumber.test(value.trim());
}

export function shownValue(name: string, value: string): string {
  return hidesValue(name, value) ? hiddenValue : value;
}

/** `last`: an earlier result, which saves the comparison of unchanged values. */
export function withoutSecrets(
  raw: Variables,
  last?: { readonly raw: Variables; readonly variables: Variables },
): Variables {
  const names = Object.keys(raw);
  const hasSameNames =
    names.length === Object.keys(last?.raw ?? {}).length &&
    names.every((name) => Object.hasOwn(last?.raw ?? {}, name));
  const known = hasSameNames ? last : undefined;
  const changed = names.filter((name) => raw[name] !== known?.raw[name]);
  const shown = Object.fromEntries(changed.map((name) => [name, shownValue(name, raw[name] ?? '')]));
  return { ...known?.variables, ...shown };
}
