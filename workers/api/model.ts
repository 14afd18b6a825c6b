// This worker's copy of the read model, kept current by `model.publish`. Each row is serialised once per change of it,
// the status body once per change of any; nothing here asks or waits.
import { fullUpsName, parseUpsName } from '../../shared/domain/ups-name.js';
import type {
  RedundancyRow,
  RemoteHealthRow,
  SequenceModel,
  UpsRow,
} from '../../shared/domain/status-model.js';
import type {
  ModelChange,
  PublishedUps,
  ReadyModel,
  NotificationTelemetry,
  StorageTelemetry,
  UpsTelemetry,
} from '../../shared/protocol/api.js';

/** What the supervisor publishes about the daemon as a whole. */
export interface DaemonModel {
  readonly redundancyGroups: readonly RedundancyRow[];
  readonly remoteHealth: readonly RemoteHealthRow[];
  readonly ready: ReadyModel;
  readonly sequence: SequenceModel;
  readonly storage: StorageTelemetry;
  readonly notifications: NotificationTelemetry;
}

interface Entry {
  readonly row: UpsRow;
  readonly telemetry: UpsTelemetry;
  readonly json: string;
  /** The full form of its configured name, by which another spelling of it is recognised. */
  readonly fullName: string | undefined;
}

export class Model {
  #ups: ReadonlyMap<string, Entry> = new Map();
  #daemon: DaemonModel | null = null;
  #statusTail: string | null = null;

  /** Null before the first publish: then nothing may be said about any UPS. */
  get daemon(): DaemonModel | null {
    return this.#daemon;
  }

  /** In configuration order. */
  get ups(): readonly PublishedUps[] {
    return [...this.#ups.values()];
  }

  /** Applies a change whole or not at all; false when it names a UPS this copy has never been told about. */
  apply(change: ModelChange): boolean {
    const entries = new Map<string, Entry>(change.whole ? [] : this.#ups);
    for (const published of change.ups) entries.set(published.row.groupId, entryOf(published));
    const ordered = new Map<string, Entry>();
    for (const groupId of change.order) {
      const entry = entries.get(groupId);
      if (entry === undefined) return false;
      ordered.set(groupId, entry);
    }
    this.#ups = ordered;
    this.#daemon = {
      redundancyGroups: change.redundancyGroups,
      remoteHealth: change.remoteHealth,
      ready: change.ready,
      sequence: change.sequence,
      storage: change.storage,
      notifications: change.notifications,
    };
    this.#statusTail = null;
    return true;
  }

  /** By configured name, by groupId, or by another spelling of NAME@HOST[:PORT] (contract 1.5). */
  find(name: string): PublishedUps | undefined {
    const entries = [...this.#ups.values()];
    const exact = entries.find(({ row }) => row.name === name) ?? this.#ups.get(name);
    if (exact !== undefined) return exact;
    const full = fullNameOf(name);
    return full === undefined ? undefined : entries.find((entry) => entry.fullName === full);
  }

  /** The body of GET /api/v1/ups; `generatedAt` is all that is new while nothing has changed. */
  statusJson(generatedAt: number): string {
    return `{"generatedAt":${String(generatedAt)},${this.fingerprint}`;
  }

  /** The status body without `generatedAt` (contract 1.6): equal texts, equal state. */
  get fingerprint(): string {
    return (this.#statusTail ??= this.#serialise());
  }

  /** The row of a UPS by its groupId. */
  rowOf(groupId: string): UpsRow | undefined {
    return this.#ups.get(groupId)?.row;
  }

  /** The JSON of one row, as it stands in the status body. */
  rowJson(groupId: string): string | undefined {
    return this.#ups.get(groupId)?.json;
  }

  #serialise(): string {
    const rows = [...this.#ups.values()].map((entry) => entry.json).join(',');
    return `"ups":[${rows}],"redundancyGroups":${JSON.stringify(this.#daemon?.redundancyGroups ?? [])}}`;
  }
}

function entryOf({ row, telemetry }: PublishedUps): Entry {
  return { row, telemetry, json: JSON.stringify(row), fullName: fullNameOf(row.name) };
}

function fullNameOf(name: string): string | undefined {
  const address = parseUpsName(name);
  return address === undefined ? undefined : fullUpsName(address);
}
