// Keeps the API worker's copy of the read model current: only what changed, newest wins, one change under way at a time.
import type { Outcome } from '../shared/protocol/contract.js';
import type {
  ModelChange,
  NotificationTelemetry,
  PublishedUps,
  ReadyModel,
  StorageTelemetry,
  StoredRow,
} from '../shared/protocol/api.js';
import type { RedundancyRow, RemoteHealthRow, SequenceModel } from '../shared/domain/status-model.js';

/** Ten changes a second are live enough for a person and bound the work of a fleet on battery. */
const shortestPauseMs = 100;
const publishDeadlineMs = 5_000;
/** What a worse flood of events has before these nobody follows live; the history has all of them. */
const mostEvents = 1_000;

export interface ModelSource {
  /** groupIds of all UPSes in configuration order. */
  order(): readonly string[];
  ups(groupId: string): PublishedUps;
  redundancyGroups(): readonly RedundancyRow[];
  remoteHealth(): readonly RemoteHealthRow[];
  ready(): ReadyModel;
  sequence(): SequenceModel;
  storage(): StorageTelemetry;
  notifications(): NotificationTelemetry;
}

export type Publish = (change: ModelChange, deadlineMs: number) => Promise<Outcome<unknown>>;

export class Publisher {
  readonly #source: ModelSource;
  readonly #changed = new Set<string>();
  #events: readonly StoredRow[] = [];
  #whole = false;
  #dirty = false;
  #busy = false;
  #publish: Publish | undefined;

  constructor(source: ModelSource) {
    this.#source = source;
  }

  /** The API worker is ready (again): it gets everything. */
  connect(publish: Publish): void {
    this.#publish = publish;
    this.#whole = true;
    // Nobody follows an API that has just started.
    this.#events = [];
    this.#touch();
  }

  disconnect(): void {
    this.#publish = undefined;
  }

  upsChanged(groupId: string): void {
    this.#changed.add(groupId);
    this.#touch();
  }

  /** Something besides a UPS row has changed: groups, sequence, workers, readiness. */
  changed(): void {
    this.#touch();
  }

  /** New rows are in the history, in order. */
  stored(rows: readonly StoredRow[]): void {
    this.#events = [...this.#events, ...rows].slice(-mostEvents);
    this.#touch();
  }

  /** UPSes came or went. */
  allChanged(): void {
    this.#whole = true;
    this.#touch();
  }

  #touch(): void {
    this.#dirty = true;
    // On the next turn: what stands between a trigger and its command must not pay for the picture of it.
    if (!this.#busy) setImmediate(() => this.#pump());
  }

  #pump(): void {
    const publish = this.#publish;
    if (this.#busy || !this.#dirty || publish === undefined) return;
    const change = this.#take();
    this.#busy = true;
    void publish(change, publishDeadlineMs).then((outcome) => {
      if (!outcome.ok) {
        this.#whole = true;
        this.#dirty = true;
        this.#events = [...change.events, ...this.#events].slice(-mostEvents);
      }
      setTimeout(() => {
        this.#busy = false;
        this.#pump();
      }, shortestPauseMs);
    });
  }

  #take(): ModelChange {
    const order = this.#source.order();
    const known = new Set(order);
    const groupIds = this.#whole ? order : [...this.#changed].filter((groupId) => known.has(groupId));
    const change: ModelChange = {
      whole: this.#whole,
      ups: groupIds.map((groupId) => this.#source.ups(groupId)),
      order: [...order],
      redundancyGroups: [...this.#source.redundancyGroups()],
      ready: this.#source.ready(),
      remoteHealth: [...this.#source.remoteHealth()],
      sequence: this.#source.sequence(),
      storage: this.#source.storage(),
      notifications: this.#source.notifications(),
      events: [...this.#events],
    };
    this.#changed.clear();
    this.#events = [];
    this.#whole = false;
    this.#dirty = false;
    return change;
  }
}
