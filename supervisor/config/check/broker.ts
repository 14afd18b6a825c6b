// Rules for the MQTT broker's address and credentials. Messages never repeat the address: it may contain a secret.
import { isLoopback } from '../../../shared/runtime/loopback.js';
import { settingsOf } from '../../../shared/domain/base/keys.js';
import type { ConfigFile } from '../schema/file.js';
import { mqttKeys } from '../schema/mqtt.js';
import { brokerFault, credentialsIn } from '../schema/service-url.js';
import type { Findings } from './findings.js';

/** With its secrets read. */
export function checkBroker(mqtt: ConfigFile['mqtt'], findings: Findings): void {
  const address = settingsOf(mqttKeys, mqtt).broker;
  if (brokerFault(address) !== undefined) return;
  const { protocol, hostname, username, password } = new URL(address);
  const inUrl = credentialsIn(address).length > 0;
  const named = (mqtt?.username ?? '') !== '';
  const inKeys = named || mqtt?.password !== undefined;
  if (inUrl && inKeys) {
    const advice = 'user and password are given in the URL and in username/password; keep one of the two';
    findings.problem('mqtt.broker', advice);
    return;
  }
  if (mqtt?.enabled !== true) return;
  // MQTT 3.1.1, 3.1.2.9.
  const nameless = 'is not sent: MQTT allows no password without a user name; give mqtt.username too';
  if (password !== '' && username === '') findings.warning('mqtt.broker', `its password ${nameless}`);
  if (mqtt.password !== undefined && !named) findings.warning('mqtt.password', nameless);
  if (protocol === 'mqtt:' && (inUrl || named) && !isLoopback(hostname))
    findings.warning('mqtt.broker', 'user name and password are sent unencrypted; use mqtts://');
}
