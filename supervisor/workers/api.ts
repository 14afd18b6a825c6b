// The API worker: gets the complete read model, and supervisor/api/ answers its asks. HTTP, metrics and dashboard
// are its own.
import { version } from '../../shared/domain/base/version.js';
import { apiContract } from '../../shared/protocol/api.js';
import type { ApiSettings } from '../../shared/protocol/api.js';
import type { AskHandlerDependencies } from '../api/ask-handlers.js';
import { askHandlers } from '../api/ask-handlers.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { Publisher } from '../read-model/publisher.js';
import type { Supervision } from '../supervision/supervision.js';
import { SingleWorker, workerSpec } from './managed-worker.js';
import { historySettings } from './storage.js';

export function apiSettings(configuration: Configuration, controlSocket: string): ApiSettings {
  const { api, metrics, summary } = configuration;
  return {
    version,
    listen: api.enabled ? { bind: api.bind, port: api.port } : null,
    allowedHosts: [...api.allowedHosts],
    basePath: api.basePath,
    trustedProxies: [...api.trustedProxies],
    controlSocket,
    metrics: { ...metrics },
    summary,
    auth: { ...api.auth },
    statistics: historySettings(configuration),
    reports: {
      costPerKwh: configuration.energy.costPerKwh,
      currency: configuration.energy.currency,
      weekday: configuration.reports.weekday,
    },
  };
}

export interface ApiWorkerDependencies extends AskHandlerDependencies {
  readonly publisher: Publisher;
  readonly controlSocket: string;
}

export class ApiWorker extends SingleWorker<typeof apiContract> {
  readonly #deps: ApiWorkerDependencies;
  readonly #handlers: ReturnType<typeof askHandlers>;

  constructor(supervision: Pick<Supervision, 'start'>, deps: ApiWorkerDependencies) {
    super(apiContract, supervision);
    this.#deps = deps;
    this.#handlers = askHandlers(deps);
  }

  apply(configuration: Configuration): void {
    const { onEvent, asks } = this.#handlers;
    const { api: user } = configuration.supervisor.workerUsers;
    const settings = apiSettings(configuration, this.#deps.controlSocket);
    this.configure(workerSpec(apiContract, { hosting: { kind: 'process', user }, settings, onEvent, asks }));
  }

  workerReady(): void {
    this.#deps.publisher.model.connect((change, ms) => this.request('model.publish', change, ms));
  }

  workerLost(): void {
    this.#deps.publisher.model.disconnect();
  }

  /** Its last counts that were not written are final now. */
  stopped(): void {
    this.#handlers.ended();
  }
}
