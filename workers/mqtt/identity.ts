// The name under which the broker knows this daemon.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The same at every connection: a broker that has not noticed yet that the last one is gone then ends it, last will and
 * all, before it welcomes the next. 23 characters, which every broker must accept (MQTT 3.1.1, 3.1.3.1).
 */
export function clientId(topicPrefix: string): string {
  const digest = createHash('sha256').update([machineId(), hostname(), topicPrefix].join('\n')).digest('hex');
  return `ridethrough-${digest.slice(0, 11)}`;
}

/** Two copies of one disk have the same; the host name then tells them apart. */
function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    // Containers have none: their host name is one of its own.
    return '';
  }
}
