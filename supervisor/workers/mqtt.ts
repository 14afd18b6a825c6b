// The MQTT worker: started when MQTT is first configured; keeps whether its broker is connected. Nothing waits for it.
import { mqttContract } from '../../shared/protocol/mqtt.js';
import type { MqttSettings } from '../../shared/protocol/mqtt.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { Publisher } from '../read-model/publisher.js';
import type { Supervision } from '../supervision/supervision.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

export function mqttSettings({ mqtt }: Configuration): MqttSettings {
  const { enabled, broker, topicPrefix, publishIntervalMs, discovery, availability } = mqtt;
  return {
    broker: enabled ? { ...broker } : null,
    topicPrefix,
    publishIntervalMs,
    discovery,
    availability,
  };
}

export class MqttWorker extends SingleWorker<typeof mqttContract> {
  readonly #publisher: Publisher;
  #enabled = false;
  #connected = false;

  constructor(supervision: Pick<Supervision, 'start'>, publisher: Publisher) {
    super(mqttContract, supervision);
    this.#publisher = publisher;
  }

  /** Null while MQTT is off. */
  get connected(): boolean | null {
    return this.#enabled ? this.#connected : null;
  }

  /** While MQTT is off, a started worker stays idle. */
  apply(configuration: Configuration): void {
    this.#enabled = configuration.mqtt.enabled;
    const spec = workerSpec(mqttContract, {
      hosting: { kind: 'process', user: configuration.supervisor.workerUsers.net },
      settings: mqttSettings(configuration),
      onEvent: { 'broker.connected': ({ connected }) => this.#became(connected) },
      asks: {},
    });
    this.configure(spec, this.#enabled);
  }

  workerReady(): void {
    this.#publisher.status.connect((change, ms) => this.request('status.publish', change, ms));
  }

  workerLost(): void {
    this.#publisher.status.disconnect();
    this.#became(false);
  }

  #became(connected: boolean): void {
    this.#connected = connected;
    this.#publisher.changed();
  }
}
