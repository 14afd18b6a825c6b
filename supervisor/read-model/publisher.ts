// Publishes the read model: all of it to the API worker, only the status to the MQTT worker.
import type { ModelChange, PublishedUps, StoredRow } from '../../shared/protocol/api.js';
import type { ShownChange } from '../../shared/protocol/mqtt.js';
import type { RedundancyRow } from '../../shared/domain/status-model.js';
import type { ChangeSet } from './subscription.js';
import { ModelSubscription } from './subscription.js';

/** Ten changes a second are enough for a person, and bound the work of a fleet on battery. */
const apiPauseMs = 100;
/** At most four messages a second: each has every UPS. */
const mqttPauseMs = 250;
/** Nobody reads more in a live view; the history has all of them. */
const maxEvents = 1_000;

export interface ModelSource {
  /** groupIds of all UPSes in configuration order. */
  order(): readonly string[];
  ups(groupId: string): PublishedUps;
  redundancyGroups(): readonly RedundancyRow[];
  /** Everything but the rows of UPSes and groups. */
  rest(): Omit<ModelChange, 'events' | keyof Rows>;
}

type Rows = Pick<ModelChange, 'full' | 'ups' | 'order' | 'redundancyGroups'>;

export class Publisher {
  readonly #source: ModelSource;
  #events: readonly StoredRow[] = [];
  /** To the API worker. */
  readonly model: ModelSubscription<ModelChange>;
  /** To the MQTT worker. */
  readonly status: ModelSubscription<ShownChange>;

  constructor(source: ModelSource) {
    this.#source = source;
    this.model = new ModelSubscription(
      (wanted) => this.#modelChange(wanted),
      apiPauseMs,
      ({ events }) => {
        this.#events = [...events, ...this.#events].slice(-maxEvents);
      },
    );
    this.status = new ModelSubscription((wanted) => this.#statusChange(wanted), mqttPauseMs);
  }

  upsChanged(groupId: string): void {
    this.model.upsChanged(groupId);
    this.status.upsChanged(groupId);
  }

  /** Something other than a UPS row has changed: groups, sequence, workers, readiness. */
  changed(): void {
    this.model.touch();
    this.status.touch();
  }

  stored(rows: readonly StoredRow[]): void {
    // An API worker that is not connected gets the events from the history.
    if (!this.model.connected) return;
    this.#events = [...this.#events, ...rows].slice(-maxEvents);
    this.model.touch();
  }

  /** UPSes were added or removed. */
  allChanged(): void {
    this.model.allChanged();
    this.status.allChanged();
  }

  #modelChange(wanted: ChangeSet): ModelChange {
    const events = [...this.#events];
    this.#events = [];
    return { ...this.#rows(wanted), ...this.#source.rest(), events };
  }

  #statusChange(wanted: ChangeSet): ShownChange {
    const { ups, ...others } = this.#rows(wanted);
    const shown = ups.map(({ row, telemetry: { manufacturer, model, firmware } }) => {
      return { row, device: { manufacturer, model, firmware } };
    });
    return { ...others, ups: shown };
  }

  #rows({ full, changed }: ChangeSet): Rows {
    const order = this.#source.order();
    const known = new Set(order);
    const groupIds = full ? order : changed.filter((groupId) => known.has(groupId));
    return {
      full,
      ups: groupIds.map((groupId) => this.#source.ups(groupId)),
      order: [...order],
      redundancyGroups: [...this.#source.redundancyGroups()],
    };
  }
}
