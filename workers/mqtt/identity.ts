// The MQTT client id of this daemon.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The same at every connection: a broker that still has the last connection ends it, with its last will, before it accepts the
 * next. 23 characters, which every broker must accept (MQTT 3.1.1, 3.1.3.1).
 */
export function clientId(topicPrefix: string): string {
  const digest = createHash('sha256').update([machineId(), hostname(), topicPrefix].join('\n')).digest('hex');
  return `ridethrough-${digest.slice(0, 11)}`;
}

/** Two copies of one disk have the same; the host name distinguishes them. */
function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    // Containers have none; their host name is unique.
    return '';
  }
}
