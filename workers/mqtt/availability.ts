// `<prefix>/availability`, retained: whether the daemon is there to be believed.
import type { MqttSlice } from '../../shared/protocol/mqtt.js';

/** The words Home Assistant expects if it is told nothing else. */
export const online = 'online';
export const offline = 'offline';

export function availabilityTopic({ topicPrefix }: Pick<MqttSlice, 'topicPrefix'>): string {
  return `${topicPrefix}/availability`;
}
