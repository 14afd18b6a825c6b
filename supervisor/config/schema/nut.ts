// [nut] and [nut_control]: access to UPSes, and the commands and variables that operators may use.
import {
  converted,
  count,
  duration,
  key,
  needsRestart,
  onOff,
  seconds,
  shown,
  word,
} from '../../../shared/domain/base/keys.js';
import { secret, secretSource } from './secret.js';
import { absolutePath, line, listUpTo, textThat } from './values.js';

/** The access of the poller to the NUT server (specification/nut.md#transports). */
export const transport = <D extends 'network' | 'tools' | null>(fallback: D) =>
  word(['network', 'tools'], fallback);

const pin = textThat('a SHA-256 fingerprint of 64 hexadecimal digits (colons allowed), or ""', (text) =>
  /^(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31})?$/.test(text),
);

/** The keys of [nut] that a UPS may override in [ups.nut]. */
export const ownNutKeys = {
  username: key(line(128), null),
  password: secret(key(secretSource, null)),
};

export const nutKeys = {
  ...ownNutKeys,
  transport: transport('network'),
  tls: word(['off', 'opportunistic', 'required'], 'opportunistic'),
  ca_file: key(absolutePath, null),
  /** In the program 64 lower-case digits. */
  pin_sha256: converted(key(pin, null), (text) => text.replaceAll(':', '').toLowerCase() || null),
  cert_file: key(absolutePath, null),
  key_file: key(absolutePath, null),
  connections: word(['per_ups', 'per_server'], 'per_ups'),
  max_pollers: needsRestart(count(1, 64, 4)),
  hostsync: seconds(0, 300, 15),
};

/** NUT names of commands and variables (NUT docs/nut-names.txt). */
const nutName = textThat('a NUT name such as "test.battery.start"', (text) =>
  /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/.test(text),
);

/** The keys that a UPS may override; `enabled` is only global. */
export const ownControlKeys = {
  username: key(line(128), 'ridethrough'),
  password: secret(key(secretSource, null)),
  allowed_commands: shown(
    key(listUpTo(200, nutName), [
      'test.battery.start',
      'test.battery.start.quick',
      'beeper.toggle',
      'beeper.mute',
    ]),
  ),
  allowed_variables: shown(key(listUpTo(200, nutName), [])),
  timeout: duration(0.1, 300, 10),
};

export const controlKeys = { enabled: shown(onOff(false)), ...ownControlKeys };
