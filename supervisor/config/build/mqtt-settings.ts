// [mqtt] as the program uses it, with the parts of the broker's address.
import type { MqttConfiguration } from '../configuration/configuration.js';
import { ms } from './policies.js';
import type { mqttKeys } from '../schema/outbound.js';
import type { WithDefaults } from '../schema/key.js';
import type { Secrets } from '../read/secrets.js';
import { decoded } from '../schema/service-url.js';

/** The ports registered for MQTT (IANA), without and with TLS. */
const plainPort = 1883;
const tlsPort = 8883;

/** Takes a section with defaults applied and a broker address that has passed `brokerFault`. */
export function mqttSettings(
  section: WithDefaults<typeof mqttKeys>,
  { mqtt }: Pick<Secrets, 'mqtt'>,
): MqttConfiguration {
  return {
    enabled: section.enabled,
    broker: brokerOf(mqtt.broker ?? mqttDefault, section.username, mqtt.password ?? ''),
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
