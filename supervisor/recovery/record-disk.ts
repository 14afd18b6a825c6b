// The records on the disk, by the recorder: read once after a boot, and only then replaced. Nothing waits for it but the last step before
// the power-off and the choice of a restart, each for as long as it may.
import type { RecoveryRecord } from '../../shared/domain/recovery/record.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { KeptRecord, UnusedRecord } from '../../shared/protocol/recorder.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { KeptValue } from '../queues/kept-value.js';
import { recordText } from './record-bytes.js';

/** What lies on the disk, by the recorder worker. */
export interface Recalled {
  readonly records: readonly KeptRecord[];
  /** False: another daemon has it, or it cannot be locked; `reason` says why. */
  readonly locked: boolean;
  readonly reason: string | null;
}

export interface RecordDiskDependencies {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly recorder: {
    keep(group: string, text: string): Promise<Outcome<unknown>>;
    recall(): Promise<Outcome<Recalled>>;
    /** Settles once they are renamed, so that the next record of their group does not replace them. */
    setAside(records: readonly UnusedRecord[]): Promise<Outcome<unknown>>;
  };
  /** The newest record. */
  readonly recordOf: (group: string) => RecoveryRecord | undefined;
}

interface Waiting {
  /** Undefined: all. */
  readonly groups: readonly string[] | undefined;
  readonly settle: () => void;
}

export class RecordDisk {
  readonly #deps: RecordDiskDependencies;
  readonly #kept = new Map<string, KeptValue<RecoveryRecord>>();
  /** Groups whose newest record is not on the disk. */
  readonly #pending = new Set<string>();
  /** By group: records that are not used, and lie where that of the group is to be. */
  readonly #unused = new Map<string, UnusedRecord>();
  #settingAside: Promise<unknown> = Promise.resolve();
  #waiting: readonly Waiting[] = [];
  /** What the disk has of an earlier boot is known: only then it may be replaced. */
  #isRecalled: boolean;
  #isRecalling = false;
  #isLockedOut = false;
  /** Why nothing is recorded, which the recorder logs; empty while all is well. */
  #trouble = '';

  constructor(deps: RecordDiskDependencies, isRecalled: boolean) {
    this.#deps = deps;
    this.#isRecalled = isRecalled;
  }

  get isRecalled(): boolean {
    return this.#isRecalled;
  }

  /** Another daemon has the directory, or nobody can know whether one has: the last time it was read it was not locked. */
  get isLockedOut(): boolean {
    return this.#isLockedOut;
  }

  get trouble(): string {
    return this.#trouble;
  }

  /** The record of this group is newer than that on the disk. */
  add(group: string): void {
    this.#pending.add(group);
  }

  /** At each tick: what failed is tried again. */
  write(): void {
    for (const group of this.#pending) {
      const record = this.#deps.recordOf(group);
      if (record !== undefined) this.#keeper(group).keep(record);
    }
    this.#settle();
  }

  /** Null: it is not known what the disk has, or it is being read. */
  async recall(): Promise<Recalled['records'] | null> {
    if (this.#isRecalled || this.#isRecalling) return null;
    this.#isRecalling = true;
    const outcome = await this.#deps.recorder.recall();
    this.#isRecalling = false;
    if (!outcome.ok) {
      this.#trouble = `the record cannot be read: ${outcome.error.message}`;
      return null;
    }
    const { records, locked, reason } = outcome.value;
    this.#isLockedOut = !locked;
    if (locked) return records;
    this.#trouble = `nothing is recorded, and nothing that a shutdown stops is started again: ${reason ?? 'the record is not locked'}`;
    return null;
  }

  /** What it has is known; `unused` of it is set aside, and the rest may be replaced. */
  begin(unused: readonly UnusedRecord[]): void {
    this.#isRecalled = true;
    this.#trouble = '';
    for (const record of unused) this.#unused.set(record.group, record);
    if (unused.length > 0) this.#settingAside = this.#setAside(unused);
  }

  /** All that was known at the last update is on the disk; of these groups, or of all. */
  isSynced(groups?: readonly string[]): boolean {
    if (!this.#isRecalled) return false;
    return groups === undefined
      ? this.#pending.size === 0
      : !groups.some((group) => this.#pending.has(group));
  }

  /** Settles once it is; the caller bounds the time. */
  untilSynced(groups?: readonly string[]): Promise<void> {
    if (this.isSynced(groups)) return Promise.resolve();
    return new Promise((settle) => {
      this.#waiting = [...this.#waiting, { groups, settle }];
    });
  }

  #settle(): void {
    if (this.isSynced()) this.#trouble = '';
    const synced = this.#waiting.filter(({ groups }) => this.isSynced(groups));
    this.#waiting = this.#waiting.filter((waiting) => !synced.includes(waiting));
    for (const { settle } of synced) settle();
  }

  #keeper(group: string): KeptValue<RecoveryRecord> {
    const known = this.#kept.get(group);
    if (known !== undefined) return known;
    const { clock } = this.#deps;
    const kept = new KeptValue<RecoveryRecord>({
      ...{ clock, textOf: recordText },
      write: (record) => this.#keep(record),
    });
    kept.ready();
    this.#kept.set(group, kept);
    return kept;
  }

  async #keep(record: RecoveryRecord): Promise<Outcome<unknown>> {
    const { recorder, recordOf } = this.#deps;
    const { group } = record;
    const place = await this.#free(group);
    const outcome = place.ok ? await recorder.keep(group, recordText(record)) : place;
    if (outcome.ok && recordOf(group) === record) this.#pending.delete(group);
    if (!outcome.ok) this.#trouble = `the record of ${group} is not on the disk: ${outcome.error.message}`;
    this.#settle();
    return outcome;
  }

  /** Nothing lies where the record is to be that is not used, and was not set aside. */
  async #free(group: string): Promise<Outcome<unknown>> {
    await this.#settingAside;
    const unused = this.#unused.get(group);
    return unused === undefined ? { ok: true, value: {} } : this.#setAside([unused]);
  }

  async #setAside(unused: readonly UnusedRecord[]): Promise<Outcome<unknown>> {
    const outcome = await this.#deps.recorder.setAside(unused);
    if (outcome.ok) for (const { group } of unused) this.#unused.delete(group);
    return outcome;
  }
}
