// [mqtt], in the file and as the program uses it.
import * as t from 'io-ts';
import type { WithDefaults } from './key.js';
import { optional } from './key.js';
import { secretSource } from './secret.js';
import { decoded } from './service-url.js';
import { line, ms, seconds, textThat } from './values.js';

const topicPrefix = textThat(
  'an MQTT topic without "+", "#", a leading "$" or empty levels',
  (text) => /^(?!\$)[^+#/\s]+(?:\/[^+#/\s]+)*$/.test(text) && line(200).is(text),
);

export const mqttKeys = {
  enabled: optional(t.boolean, false),
  broker: optional(secretSource, 'mqtt://127.0.0.1:1883'),
  username: optional(line(256), ''),
  password: optional(secretSource, null),
  topic_prefix: optional(topicPrefix, 'svc'),
  publish_interval: optional(seconds(1, 86_400), 10),
  discovery: optional(t.boolean, false),
  availability: optional(t.boolean, false),
};

export interface MqttConfiguration {
  readonly enabled: boolean;
  readonly broker: {
    readonly tls: boolean;
    readonly host: string;
    readonly port: number;
    /** "": none; the password alike. */
    readonly username: string;
    readonly password: string;
  };
  readonly topicPrefix: string;
  readonly publishIntervalMs: number;
  readonly discovery: boolean;
  readonly availability: boolean;
}

/** The ports registered for MQTT (IANA), without and with TLS. */
const plainPort = 1883;
const tlsPort = 8883;

/** Takes a section with defaults applied and a broker address that has passed `brokerFault`. */
export function mqttSettings(
  section: WithDefaults<typeof mqttKeys>,
  secrets: { readonly broker: string | null; readonly password: string | null },
): MqttConfiguration {
  return {
    enabled: section.enabled,
    broker: brokerOf(secrets.broker ?? mqttDefault, section.username, secrets.password ?? ''),
    topicPrefix: section.topic_prefix,
    publishIntervalMs: ms(section.publish_interval),
    discovery: section.discovery,
    availability: section.availability,
  };
}

/** Replaces an unreadable address. That is a problem, so nothing connects to it. */
const mqttDefault = 'mqtt://127.0.0.1';

function brokerOf(address: string, username: string, password: string): MqttConfiguration['broker'] {
  const url = new URL(address);
  const tls = url.protocol === 'mqtts:';
  const inUrl = url.username !== '' || url.password !== '';
  return {
    tls,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (tls ? tlsPort : plainPort) : Number(url.port),
    username: inUrl ? decoded(url.username) : username,
    password: inUrl ? decoded(url.password) : password,
  };
}
