// Publishes the read model: all of it to the API worker, only the status to the MQTT worker.
import type { ModelChange, PublishedUps, StoredRow } from '../../shared/protocol/api.js';
import type { ShownChange } from '../../shared/protocol/mqtt.js';
import type { RedundancyRow } from '../../shared/domain/status/status-model.js';
import type { ChangeSet, PublisherTime } from './subscription.js';
import { ModelSubscription } from './subscription.js';

/** Ten changes of state a second are enough for a person, and bound the work of a fleet on battery. */
const apiPauses = { stateMs: 100, valuesMs: 1_000 };
/** At most four messages a second: each has every UPS. */
const mqttPauses = { stateMs: 250, valuesMs: 1_000 };
/** Nobody reads more in a live view; the history has all of them. */
const maxEvents = 1_000;

export interface ModelSource {
  /** groupIds of all UPSes in configuration order. */
  order(): readonly string[];
  ups(groupId: string): PublishedUps;
  /** What a person must see at once of a UPS or group, as one text. */
  stateOf(groupId: string): string;
  redundancyGroups(): readonly RedundancyRow[];
  /** Everything but the rows of UPSes and groups. */
  rest(): Omit<ModelChange, 'events' | keyof Rows>;
}

type Rows = Pick<ModelChange, 'full' | 'ups' | 'order' | 'redundancyGroups'>;

export class Publisher {
  readonly #source: ModelSource;
  #events: readonly StoredRow[] = [];
  readonly #states = new Map<string, string>();
  /** To the API worker. */
  readonly model: ModelSubscription<ModelChange>;
  /** To the MQTT worker. */
  readonly status: ModelSubscription<ShownChange>;

  constructor(source: ModelSource, time: PublisherTime) {
    this.#source = source;
    this.model = new ModelSubscription(
      (wanted) => this.#modelChange(wanted),
      apiPauses,
      time,
      ({ events }) => {
        this.#events = [...events, ...this.#events].slice(-maxEvents);
      },
    );
    this.status = new ModelSubscription((wanted) => this.#statusChange(wanted), mqttPauses, time);
  }

  /** Call it at every tick: sends the values that wait. */
  tick(): void {
    this.model.tick();
    this.status.tick();
  }

  /** The row of a UPS or group has changed. A value that jitters waits for others; a state does not. */
  rowChanged(groupId: string): void {
    // A worker that connects gets everything; the engine publishes already while it is made.
    if (!this.model.connected && !this.status.connected) return;
    const state = this.#source.stateOf(groupId);
    const isState = this.#states.get(groupId) !== state;
    this.#states.set(groupId, state);
    this.upsChanged(groupId, isState);
  }

  upsChanged(groupId: string, isState = true): void {
    this.model.upsChanged(groupId, isState);
    this.status.upsChanged(groupId, isState);
  }

  /** A UPS was polled: its counters have changed, which only the API shows. */
  polled(groupId: string): void {
    this.model.upsChanged(groupId, false);
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
    this.#states.clear();
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
    const shown = ups.map(({ row, telemetry: { manufacturer, model, firmware, energy } }) => {
      return { row, device: { manufacturer, model, firmware }, totalKwh: energy?.totalKwh ?? null };
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
