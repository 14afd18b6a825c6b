// What the daemon publishes to. All but the status is of this host: daemons of several machines share a broker and a prefix.
import type { MqttSettings } from '../../shared/protocol/mqtt.js';

/** The default payloads of Home Assistant for `<prefix>/<host>/availability`. */
export const online = 'online';
export const offline = 'offline';

export interface Topics {
  /** Of this host, as a level of topics and a part of identifiers. */
  readonly host: string;
  readonly status: string;
  /** The same messages, for what must not take another daemon's for them. */
  readonly ownStatus: string;
  readonly energy: string;
  /** Whether this daemon is connected. */
  readonly availability: string;
  /** The filter of all daemons with this prefix. */
  readonly allAvailability: string;
}

export function topicsOf({ topicPrefix }: Pick<MqttSettings, 'topicPrefix'>, hostName: string): Topics {
  // Wildcards, separators and what Home Assistant accepts in no identifier.
  const host = hostName.replace(/[^A-Za-z0-9_-]/g, '_');
  return {
    host,
    status: `${topicPrefix}/status`,
    ownStatus: `${topicPrefix}/${host}/status`,
    energy: `${topicPrefix}/${host}/energy`,
    availability: `${topicPrefix}/${host}/availability`,
    allAvailability: `${topicPrefix}/+/availability`,
  };
}

/** The host of another daemon that is connected, by a message to `allAvailability`; null for any other. */
export function otherHost({ availability }: Topics, topic: string, payload: string): string | null {
  return topic === availability || payload !== online ? null : (topic.split('/').at(-2) ?? null);
}
