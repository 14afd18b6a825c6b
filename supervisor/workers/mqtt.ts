// The supervisor's side of MQTT: the worker, started when it is first configured, and what is known of its broker.
// Nothing waits for it.
import type { mqttContract } from '../../shared/protocol/mqtt.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { Publisher } from '../read-model/publisher.js';
import { mqttSpec } from './worker-specs.js';
import { mqttSlice } from './worker-settings.js';
import type { Supervision } from '../supervision/supervision.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

export interface MqttDependencies {
  readonly supervision: Pick<Supervision, 'start'>;
  readonly publisher: Publisher;
}

export class Mqtt {
  readonly #deps: MqttDependencies;
  #enabled = false;
  #connected = false;
  #worker: WorkerHandle<typeof mqttContract> | undefined;

  /** Starts the worker if MQTT is configured. */
  constructor(configuration: Configuration, deps: MqttDependencies) {
    this.#deps = deps;
    this.apply(configuration);
  }

  /** Null while nothing is to be published. */
  get connected(): boolean | null {
    return this.#enabled ? this.#connected : null;
  }

  /** The worker, where there is one: to be stopped with the daemon. */
  get names(): readonly string[] {
    return this.#worker === undefined ? [] : [this.#worker.name];
  }

  /** Makes a newly loaded configuration the running one. A worker that was needed once stays, idle while MQTT is off. */
  apply(configuration: Configuration): void {
    this.#enabled = configuration.mqtt.enabled;
    if (this.#worker !== undefined) this.#worker.reconfigure(mqttSlice(configuration));
    else if (this.#enabled) {
      this.#worker = this.#deps.supervision.start(
        mqttSpec(configuration, {
          onEvent: { 'broker.connected': ({ connected }) => this.#became(connected) },
          serve: {},
        }),
      );
    }
  }

  /** To be called with the name of every worker that has become ready, and of every one that was lost. */
  workerReady(name: string): void {
    const worker = this.#worker;
    if (name === worker?.name)
      this.#deps.publisher.status.connect((change, ms) => worker.request('status.publish', change, ms));
  }

  workerLost(name: string): void {
    if (name !== this.#worker?.name) return;
    this.#deps.publisher.status.disconnect();
    this.#became(false);
  }

  #became(connected: boolean): void {
    this.#connected = connected;
    this.#deps.publisher.changed();
  }
}
