// Keeps the record of who was up: beside the snapshot for a restart on this boot, and on the disk for the next one. Nothing waits for
// it but the step `record` and the restart in place of a power-off, each for 2 s at most (specification/recovery.md#where-it-lies).
import { decode } from '../../shared/domain/base/decode.js';
import { RecoveryRecord, recordVersion } from '../../shared/domain/recovery/record.js';
import type { UnusedRecord } from '../../shared/protocol/recorder.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { BootCopyDependencies } from './boot-copy.js';
import { BootCopy, strangeness } from './boot-copy.js';
import type { GroupState, Identity } from './group-record.js';
import { recordAfter } from './group-record.js';
import type { RecordDiskDependencies } from './record-disk.js';
import { RecordDisk } from './record-disk.js';
import { afterBoot } from './target-record.js';

export interface RecoveryDependencies extends BootCopyDependencies {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly recorder: RecordDiskDependencies['recorder'];
  /** Of every group, as it is now. */
  readonly facts: () => readonly GroupState[];
}

/** A look is at most this old when it is in the record. */
const updateMs = 1_000;

const noRecords: ReadonlyMap<string, RecoveryRecord> = new Map();

export class Recovery {
  readonly #deps: RecoveryDependencies;
  readonly #copy: BootCopy;
  readonly #disk: RecordDisk;
  #records = noRecords;
  /** Counted, and not in a record yet. */
  readonly #restarts = new Map<string, number>();
  /** Servers that a person has shut down, and that are not in a record yet. */
  #byHand: ReadonlyMap<string, number> = new Map();
  /** Machines on which a person has begun a shutdown, in the same way. */
  #begun: ReadonlyMap<string | null, number> = new Map();
  /** Of the last change of any record. */
  #number = 0;
  #updatedMs = -Infinity;
  /** The records have what the journal had then. Of what it had before this daemon the copy has it. */
  #derivedMs: number;

  constructor(deps: RecoveryDependencies) {
    this.#deps = deps;
    this.#derivedMs = deps.clock.monotonicMs();
    this.#copy = new BootCopy(deps);
    const { isRecalled, records } = this.#copy.read();
    this.#disk = new RecordDisk({ ...deps, recordOf: (group) => this.#records.get(group) }, isRecalled);
    this.#adopt(records);
    // The daemon before may have been killed while it waited for the disk.
    for (const { group } of records) this.#disk.add(group);
  }

  /** None without the lock of the disk: there is no recovery then. The same object while no record changes. */
  get records(): ReadonlyMap<string, RecoveryRecord> {
    return this.#disk.isLockedOut ? noRecords : this.#records;
  }

  get trouble(): string {
    return this.#disk.trouble;
  }

  tick(): void {
    if (this.#deps.clock.monotonicMs() - this.#updatedMs >= updateMs) this.update();
  }

  /** Something has happened that the next tick records. A thousand sequences may begin in one turn. */
  soon(): void {
    this.#updatedMs = -Infinity;
  }

  update(): void {
    this.#updatedMs = this.#deps.clock.monotonicMs();
    const { facts, identity } = this.#deps;
    const of = identity();
    const sinceMs = this.#derivedMs;
    this.#derivedMs = this.#updatedMs;
    const changed = new Map<string, RecoveryRecord>();
    for (const group of facts()) {
      const before = this.#records.get(group.group);
      const restarts = this.#restarts.get(group.group) ?? null;
      const known = { ...group, sinceMs, restarts, byHand: this.#byHand, begun: this.#begun };
      const after = recordAfter(before, known, of, this.#number + 1);
      if (after === before) continue;
      this.#sayLeftOut(before, after);
      this.#number += 1;
      changed.set(group.group, after);
      this.#disk.add(group.group);
    }
    this.#restarts.clear();
    this.#byHand = this.#begun = new Map();
    if (changed.size > 0) {
      this.#records = new Map([...this.#records, ...changed]);
      this.#save();
    }
    if (!this.#disk.isRecalled) void this.#recall();
    else this.#disk.write();
  }

  #sayLeftOut(before: RecoveryRecord | undefined, after: RecoveryRecord): void {
    const left = leftOutOf(after);
    if (left <= leftOutOf(before)) return;
    const text = `the recovery record of ${after.group} is full: ${String(left)} guests that were stopped are not in it, and are not started again; start them by hand`;
    this.#deps.log.warning(text, { category: 'shutdown', group: after.group });
  }

  /** Restarts of this host in the records of these groups; null: one has no record, or it is not known what the disk has. */
  restarts(groups: readonly string[]): number | null {
    const counts = groups.map((group) => this.#records.get(group));
    if (!this.isRecalled || counts.length === 0 || counts.includes(undefined)) return null;
    return Math.max(...counts.map((record) => record?.restarts ?? 0));
  }

  countRestarts(groups: readonly string[], number: number): void {
    for (const group of groups) this.#restarts.set(group, number);
    this.update();
  }

  /** By server, with the date. Only once it is known what the disk has, which would replace it. */
  shutDownByHand(servers: ReadonlyMap<string, number>): void {
    this.#byHand = servers;
    this.update();
  }

  /** What was stopped on these machines until the date is none of this daemon any more. */
  shutdownBegins(machines: ReadonlyMap<string | null, number>): void {
    this.#begun = machines;
    this.update();
  }

  get isRecalled(): boolean {
    return this.#disk.isRecalled;
  }

  isSynced(): boolean {
    return this.#disk.isSynced();
  }

  untilSynced(groups?: readonly string[]): Promise<void> {
    return this.#disk.untilSynced(groups);
  }

  #save(): void {
    this.#copy.write({ isRecalled: this.isRecalled, records: [...this.#records.values()] });
  }

  async #recall(): Promise<void> {
    const recalled = await this.#disk.recall();
    if (recalled === null) return;
    const identity = this.#deps.identity();
    const unused: UnusedRecord[] = [];
    const used: RecoveryRecord[] = [];
    for (const { group, text } of recalled) {
      const record = recordFrom(group, text, identity);
      if (typeof record === 'string') unused.push({ group, reason: record });
      else used.push(record);
    }
    this.#adopt(used);
    this.#disk.begin(unused);
    this.#save();
    this.update();
  }

  #adopt(records: readonly RecoveryRecord[]): void {
    this.#number = records.reduce((highest, { number }) => Math.max(highest, number), this.#number);
    this.#records = new Map([...this.#records, ...records.map((record) => [record.group, record] as const)]);
  }
}

const leftOutOf = (record: RecoveryRecord | undefined): number =>
  (record?.targets ?? []).reduce((sum, { guestsLeftOut }) => sum + guestsLeftOut, 0);

/** Of an earlier boot: what this one has seen since is newer only where nothing is to be brought back. Else why it is not used. */
function recordFrom(group: string, text: string, identity: Identity): RecoveryRecord | string {
  const record = readRecord(text);
  if (typeof record === 'string') return record;
  const reason = strangeness(record, identity);
  if (reason !== null) return reason;
  if (record.group !== group) return `it is of the group ${record.group}`;
  const isOfThisBoot = record.bootId === identity.bootId;
  const targets = isOfThisBoot
    ? record.targets
    : record.targets.map((target) => afterBoot(target, record.inOutage));
  return { ...record, targets };
}

function readRecord(text: string): RecoveryRecord | string {
  try {
    const content: unknown = JSON.parse(text);
    const { version } = Object(content) as { readonly version?: unknown };
    if (Number.isInteger(version) && version !== recordVersion)
      return `it is of version ${String(version)}, and this daemon reads version ${String(recordVersion)}`;
    const decoded = decode(RecoveryRecord, content);
    return decoded.ok ? decoded.value : (decoded.problems[0]?.message ?? 'it cannot be read');
  } catch {
    return 'it is no JSON';
  }
}
