// [nut] and [nut_control]: access to UPSes, and the commands and variables that operators may use.
import * as t from 'io-ts';
import { oneOf } from '../../../shared/domain/base/units.js';
import { optional } from './key.js';
import { secretSource } from './secret.js';
import { absolutePath, count, line, listUpTo, seconds, textThat } from './values.js';

/** The access of the poller to the NUT server (specification/nut.md#transports). */
export const transport = oneOf('network', 'tools');

const pin = textThat('a SHA-256 fingerprint of 64 hexadecimal digits (colons allowed), or ""', (text) =>
  /^(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31})?$/.test(text),
);

/** The keys of [nut] that a UPS may override in [ups.nut]. */
export const ownNutKeys = {
  username: optional(line(128), null),
  password: optional(secretSource, null),
};

export const nutKeys = {
  ...ownNutKeys,
  transport: optional(transport, 'network'),
  tls: optional(oneOf('off', 'opportunistic', 'required'), 'opportunistic'),
  ca_file: optional(absolutePath, null),
  pin_sha256: optional(pin, null),
  cert_file: optional(absolutePath, null),
  key_file: optional(absolutePath, null),
  connections: optional(oneOf('per_ups', 'per_server'), 'per_ups'),
  max_pollers: optional(count(1, 64), 4),
  hostsync: optional(seconds(0, 300), 15),
};

/** NUT names of commands and variables (NUT docs/nut-names.txt). */
const nutName = textThat('a NUT name such as "test.battery.start"', (text) =>
  /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/.test(text),
);

/** The keys that a UPS may override; `enabled` is only global. */
export const ownControlKeys = {
  username: optional(line(128), 'ridethrough'),
  password: optional(secretSource, null),
  allowed_commands: optional(listUpTo(200, nutName), [
    'test.battery.start',
    'test.battery.start.quick',
    'beeper.toggle',
    'beeper.mute',
  ]),
  allowed_variables: optional(listUpTo(200, nutName), []),
  timeout: optional(seconds(0.1, 300), 10),
};

export const controlKeys = { enabled: optional(t.boolean, false), ...ownControlKeys };
