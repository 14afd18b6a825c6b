// `<prefix>/availability`, retained: whether the daemon is connected.
import type { MqttSettings } from '../../shared/protocol/mqtt.js';

/** The default payloads of Home Assistant. */
export const online = 'online';
export const offline = 'offline';

export function availabilityTopic({ topicPrefix }: Pick<MqttSettings, 'topicPrefix'>): string {
  return `${topicPrefix}/availability`;
}
