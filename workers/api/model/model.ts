// This worker's copy of the read model, updated by `model.publish`: the status, and the data of the other routes and the
// metrics. It sends no request.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecoveryStatus } from '../../../shared/domain/recovery/recovery-status.js';
import { groupIdOf, UpsNames } from '../../../shared/domain/ups/ups-name.js';
import type {
  RedundancyRow,
  RemoteHealthRow,
  SequenceModel,
  UpsRow,
} from '../../../shared/domain/status/status-model.js';
import type {
  ModelChange,
  PublishedUps,
  ReadyModel,
  NotificationTelemetry,
  StorageTelemetry,
} from '../../../shared/protocol/api.js';
import { StatusCopy } from '../../../shared/http/status-copy.js';

export interface DaemonModel {
  readonly redundancyGroups: readonly RedundancyRow[];
  readonly remoteHealth: readonly RemoteHealthRow[];
  readonly recovery: RecoveryStatus;
  readonly ready: ReadyModel;
  readonly sequence: SequenceModel;
  readonly storage: StorageTelemetry;
  readonly notifications: NotificationTelemetry;
  readonly mqttConnected: boolean | null;
}

export class Model {
  readonly #published: Promise<void>;
  #isPublished: () => void = () => undefined;
  readonly #status = new StatusCopy<PublishedUps>(JSON.stringify);
  #daemon: DaemonModel | null = null;
  #rest: Buffer | undefined;
  #names = new UpsNames([]);

  constructor() {
    this.#published = new Promise((resolve) => {
      this.#isPublished = resolve;
    });
  }

  /** Null before the first publish: routes then answer 503. */
  get daemon(): DaemonModel | null {
    return this.#daemon;
  }

  /** After the first publish, or `withinMs` if that is earlier. */
  async published(withinMs: number): Promise<void> {
    await Promise.race([this.#published, sleep(withinMs, undefined, { ref: false })]);
  }

  /** In configuration order. */
  get ups(): readonly PublishedUps[] {
    return this.#status.ups;
  }

  /** Applies the complete change or none of it; false when it names a UPS that this copy does not have. */
  apply(change: ModelChange): boolean {
    if (!this.#status.apply(change)) return false;
    this.#rest = undefined;
    const { ups } = this.#status;
    const { configured } = this.#names;
    // Only a reload changes the names; the index of a fleet is not rebuilt for every reading.
    if (ups.length !== configured.length || ups.some(({ row }, index) => row.name !== configured[index]))
      this.#names = new UpsNames(ups.map(({ row }) => row.name));
    this.#isPublished();
    this.#daemon = {
      redundancyGroups: change.redundancyGroups,
      remoteHealth: change.remoteHealth,
      recovery: change.recovery,
      ready: change.ready,
      sequence: change.sequence,
      storage: change.storage,
      notifications: change.notifications,
      mqttConnected: change.mqttConnected,
    };
    return true;
  }

  /** By configured name, by groupId, or by an alias that no other UPS has (specification/api.md#ups-names). */
  find(name: string): PublishedUps | undefined {
    const configured = this.#names.find(name);
    return configured === undefined ? undefined : this.#status.of(groupIdOf(configured));
  }

  /** The body of GET /api/v1/ups; without a change only `generatedAt` differs. */
  statusJson(generatedAt: number): string {
    return this.#status.body(generatedAt);
  }

  /**
   * The same in two parts, for frequent requests. `lead` is new each time. The rest is serialised once for each change of the
   * model, and an answer does not copy it.
   */
  statusParts(generatedAt: number): { readonly lead: string; readonly body: Buffer } {
    this.#rest ??= Buffer.from(this.#status.rest);
    return { lead: this.#status.lead(generatedAt), body: this.#rest };
  }

  /** The status body without `generatedAt`: equal texts, equal state (specification/api-resources.md#status-fingerprint). */
  get fingerprint(): string {
    return this.#status.fingerprint;
  }

  rowOf(groupId: string): UpsRow | undefined {
    return this.#status.of(groupId)?.row;
  }

  rowJson(groupId: string): string | undefined {
    return this.#status.rowText(groupId);
  }
}
