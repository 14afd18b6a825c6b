// A server that answers with the variables of a device, and without a status of it: no outage is ever seen. Pure.
import type { Variables } from './reading.js';
import { statusWords } from './status-words.js';

/** Types of devices that have no battery (NUT docs/nut-names.txt, `device.type`). */
const otherDevices: Readonly<Record<string, string>> = { pdu: 'a PDU', ats: 'a transfer switch' };

/** What to do about it; empty where a status is shown, or nothing of the device is. */
export function missingStatus(variables: Variables): string {
  const status = variables['ups.status'];
  if (Object.keys(variables).length === 0 || statusWords(status ?? '').length > 0) return '';
  const device = otherDevices[variables['device.type']?.toLowerCase() ?? ''];
  if (device !== undefined)
    return `it is ${device} without ups.status and has no battery: take it out of the configuration`;
  const shows = status === undefined ? 'shows no ups.status' : 'shows an empty ups.status';
  return `the server answers and ${shows}: its NUT driver does not know the status of this device, so an outage would not be seen; another driver, or other mibs of snmp-ups, may`;
}
