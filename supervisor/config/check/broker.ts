// Rules on the MQTT broker's address and who speaks to it. Nothing here repeats the address: it may hold a secret.
import { isLoopback } from '../../../shared/runtime/loopback.js';
import type { ConfigFile } from '../schema/file.js';
import { brokerFault, credentialsIn } from '../read/service-url.js';
import type { Findings } from './findings.js';

/** `address` is `mqtt.broker` as read from wherever it lies. */
export function checkBroker(address: string, mqtt: ConfigFile['mqtt'], findings: Findings): void {
  const fault = brokerFault(address);
  if (fault !== undefined) {
    findings.problem('mqtt.broker', fault);
    return;
  }
  const { protocol, hostname, username, password } = new URL(address);
  const inUrl = credentialsIn(address).length > 0;
  const named = (mqtt?.username ?? '') !== '';
  const beside = named || mqtt?.password !== undefined;
  if (inUrl && beside) {
    const advice = 'user and password stand in the URL and in username/password; keep one of the two';
    findings.problem('mqtt.broker', advice);
    return;
  }
  if (mqtt?.enabled !== true) return;
  // MQTT 3.1.1, 3.1.2.9.
  const nameless = 'is not sent: MQTT knows no password without a user name; give mqtt.username too';
  if (password !== '' && username === '') findings.warning('mqtt.broker', `its password ${nameless}`);
  if (mqtt.password !== undefined && !named) findings.warning('mqtt.password', nameless);
  if (protocol === 'mqtt:' && (inUrl || named) && !isLoopback(hostname))
    findings.warning('mqtt.broker', 'user name and password travel in the clear; use mqtts://');
}
