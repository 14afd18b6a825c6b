// Variables of a UPS that carry secrets: a driver's settings hold the passwords it logs in with. Their values never leave
// the poller; their names do.
import type { Variables } from './reading.js';

/** What is shown in place of a value. Nobody can write it: a form that is sent back as it came would destroy the secret. */
export const hiddenValue = '(hidden)';

/** By its name a secret, also where the value is a number. */
const secretName = /password|passwd|community|secret|token|(?:^|[^a-z])key(?:$|[^a-z])/;
/** A flag says no more than that it is set. */
const flagValue = /^(?:enabled|disabled|yes|no|on|off|true|false|[01])$/i;
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** Settings that everybody who looks after a UPS needs, and that hold no secret. */
const openParameters = new Set(
  ['pollinterval', 'pollfreq', 'port', 'synchronous', 'offdelay', 'ondelay', 'lowbatt'].map(
    (name) => `driver.parameter.${name}`,
  ),
);

/** True where `value` of the variable `name` is shown to nobody. */
export function hidesValue(name: string, value: string): boolean {
  const folded = name.toLowerCase();
  // `apiKey` is two words.
  const named = secretName.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1.$2').toLowerCase());
  if (folded.startsWith('driver.flag.')) return named && !flagValue.test(value);
  if (named) return true;
  if (!/^(?:driver\.parameter|override|default)\./.test(folded)) return false;
  // The port of a driver that speaks to a web page may be an address with a login in it.
  if (openParameters.has(folded)) return /\/\/[^/]*@/.test(value);
  return !plainNumber.test(value.trim());
}

export function shownValue(name: string, value: string): string {
  return hidesValue(name, value) ? hiddenValue : value;
}

export function withoutSecrets(variables: Variables): Variables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, shownValue(name, value)]),
  );
}
