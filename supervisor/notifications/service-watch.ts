// The state of the notification services, by the reports of the worker, and the failures to report through the others, once each.
// Sends nothing.
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
  readonly #reportedServices = new Set<string>();

  get pending(): number {
    return [...this.#states.values()].reduce((sum, { pending }) => sum + pending, 0);
  }

  /**
   * Takes a report and returns the failures to report now. While the network is down every service fails and none is
   * reported; one that fails alone is reported at its next failure.
   */
  reported(states: readonly ServiceState[]): readonly FailedService[] {
    const before = this.#states;
    this.#states = new Map(states.map((state) => [state.id, state]));
    const through = states.filter(({ failures }) => failures === 0).map(({ id }) => id);
    for (const id of through) this.#reportedServices.delete(id);
    const failed = states.filter(
      ({ id, failures }) =>
        failures >= failuresToTell &&
        failures > (before.get(id)?.failures ?? 0) &&
        !this.#reportedServices.has(id),
    );
    if (through.length === 0) return [];
    for (const { id } of failed) this.#reportedServices.add(id);
    return failed.map((state) => ({ state, through }));
  }

  telemetryOf(services: readonly { readonly id: string; readonly name: string }[]): ServiceTelemetry[] {
    return services.map(({ id, name }) => {
      const { pending, failures, fault } = this.#states.get(id) ?? { pending: 0, failures: 0, fault: '' };
      return { name, pending, fault: failures >= failuresToTell ? fault : '' };
    });
  }
}
