// How the notification services do, by the reports of the worker: whose failure is told through the others, once. Sends nothing.
import type { ServiceTelemetry } from '../../shared/protocol/api.js';
import type { ServiceState } from '../../shared/protocol/notify.js';

/** With the default pauses, half a minute: not for a restart of the service. */
const failuresToTell = 3;

export interface FailedService {
  readonly state: ServiceState;
  /** Services whose last attempt succeeded. */
  readonly through: readonly string[];
}

export class ServiceWatch {
  #states = new Map<string, ServiceState>();
  readonly #told = new Set<string>();

  get pending(): number {
    return [...this.#states.values()].reduce((sum, { pending }) => sum + pending, 0);
  }

  /**
   * Takes a report and returns the failures to tell now. While the network is down every service fails and nobody is told;
   * one that fails alone is told at its next failure.
   */
  reported(states: readonly ServiceState[]): readonly FailedService[] {
    const before = this.#states;
    this.#states = new Map(states.map((state) => [state.id, state]));
    const through = states.filter(({ failures }) => failures === 0).map(({ id }) => id);
    for (const id of through) this.#told.delete(id);
    const failed = states.filter(
      ({ id, failures }) =>
        failures >= failuresToTell && failures > (before.get(id)?.failures ?? 0) && !this.#told.has(id),
    );
    if (through.length === 0) return [];
    for (const { id } of failed) this.#told.add(id);
    return failed.map((state) => ({ state, through }));
  }

  telemetryOf(services: readonly { readonly id: string; readonly name: string }[]): ServiceTelemetry[] {
    return services.map(({ id, name }) => {
      const { pending, failures, fault } = this.#states.get(id) ?? { pending: 0, failures: 0, fault: '' };
      return { name, pending, fault: failures >= failuresToTell ? fault : '' };
    });
  }
}
