// Keeps the record of who was up: beside the snapshot for a restart on this boot, and on the disk for the next one. Nothing waits for
// it but the last step before the power-off, for as long as that step may (specification/recovery.md#record).
import { decode } from '../../shared/domain/base/decode.js';
import { RecoveryRecord } from '../../shared/domain/recovery/record.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { KeptValue } from '../queues/kept-value.js';
import type { BootCopyDependencies } from './boot-copy.js';
import { BootCopy, strangeness } from './boot-copy.js';
import type { GroupFacts } from './group-record.js';
import { recordAfter } from './group-record.js';
import { afterBoot } from './target-record.js';

/** What lies on the disk, by the recorder worker. */
export interface Recalled {
  readonly records: readonly { readonly group: string; readonly text: string }[];
  /** False: another daemon has it, or it cannot be locked; `reason` says why. */
  readonly locked: boolean;
  readonly reason: string | null;
}

export interface RecoveryDependencies extends BootCopyDependencies {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly recorder: {
    keep(group: string, text: string): Promise<Outcome<unknown>>;
    recall(): Promise<Outcome<Recalled>>;
  };
  /** Of every group, as it is now. */
  readonly facts: () => readonly GroupFacts[];
}

interface Waiting {
  /** Undefined: all. */
  readonly groups: readonly string[] | undefined;
  readonly settle: () => void;
}

/** A look is at most this old when it is in the record. */
const updateMs = 1_000;

export class Recovery {
  readonly #deps: RecoveryDependencies;
  readonly #copy: BootCopy;
  #records = new Map<string, RecoveryRecord>();
  readonly #kept = new Map<string, KeptValue<RecoveryRecord>>();
  /** Groups whose newest record is not on the disk. */
  readonly #pending = new Set<string>();
  #waiting: readonly Waiting[] = [];
  /** Counted, and not in a record yet. */
  readonly #restarts = new Map<string, number>();
  /** Servers that a person has shut down, and that are not in a record yet. */
  #byHand: ReadonlyMap<string, number> = new Map();
  /** Machines on which a person has begun a shutdown, in the same way. */
  #begun: ReadonlyMap<string | null, number> = new Map();
  #number = 0;
  #updatedMs = -Infinity;
  /** What the disk has of an earlier boot is known: only then it may be replaced. */
  #isRecalled = false;
  #isRecalling = false;
  /** Why nothing is recorded, which the recorder logs; empty while all is well. */
  #trouble = '';

  constructor(deps: RecoveryDependencies) {
    this.#deps = deps;
    this.#copy = new BootCopy(deps);
    const { isRecalled, records } = this.#copy.read();
    this.#isRecalled = isRecalled;
    for (const record of records) this.#adopt(record);
  }

  get records(): ReadonlyMap<string, RecoveryRecord> {
    return this.#records;
  }

  /** Of the last change of any record. */
  get number(): number {
    return this.#number;
  }

  get trouble(): string {
    return this.#trouble;
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
    let isChanged = false;
    for (const group of facts()) {
      const before = this.#records.get(group.group);
      const restarts = this.#restarts.get(group.group);
      const byPerson = { byHand: this.#byHand, begun: this.#begun };
      const counted = { ...group, ...(restarts === undefined ? {} : { restarts }), ...byPerson };
      const after = recordAfter(before, counted, of, this.#number + 1);
      if (after === before) continue;
      isChanged = true;
      this.#sayLeftOut(before, after);
      this.#number += 1;
      this.#records.set(group.group, after);
      this.#pending.add(group.group);
    }
    this.#restarts.clear();
    this.#byHand = this.#begun = new Map();
    if (isChanged) this.#save();
    if (!this.#isRecalled) void this.#recall();
    else for (const group of this.#pending) this.#keep(group);
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
    if (!this.#isRecalled || counts.length === 0 || counts.includes(undefined)) return null;
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
    return this.#isRecalled;
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

  #save(): void {
    this.#copy.write({ isRecalled: this.#isRecalled, records: [...this.#records.values()] });
  }

  #keep(group: string): void {
    const record = this.#records.get(group);
    if (record !== undefined) this.#keeper(group).keep(record);
  }

  #keeper(group: string): KeptValue<RecoveryRecord> {
    const known = this.#kept.get(group);
    if (known !== undefined) return known;
    const { clock, recorder } = this.#deps;
    const kept = new KeptValue<RecoveryRecord>({
      clock,
      write: async (record) => {
        const outcome = await recorder.keep(group, JSON.stringify(record));
        if (outcome.ok && this.#records.get(group) === record) this.#pending.delete(group);
        if (!outcome.ok)
          this.#trouble = `the record of ${group} is not on the disk: ${outcome.error.message}`;
        this.#settle();
        return outcome;
      },
    });
    kept.ready();
    this.#kept.set(group, kept);
    return kept;
  }

  async #recall(): Promise<void> {
    if (this.#isRecalled || this.#isRecalling) return;
    this.#isRecalling = true;
    const outcome = await this.#deps.recorder.recall();
    this.#isRecalling = false;
    if (!outcome.ok) {
      this.#trouble = `the record cannot be read: ${outcome.error.message}`;
      return;
    }
    const { records, locked, reason } = outcome.value;
    if (!locked) {
      this.#trouble = `nothing is recorded: ${reason ?? 'the record is not locked'}`;
      return;
    }
    for (const { group, text } of records) this.#fromDisk(group, text);
    this.#isRecalled = true;
    this.#trouble = '';
    this.#save();
    this.update();
    this.#settle();
  }

  /** Of an earlier boot: what this one has seen since is newer only where nothing is to be brought back. */
  #fromDisk(group: string, text: string): void {
    const identity = this.#deps.identity();
    const record = readRecord(text);
    if (typeof record === 'string') return this.#ignore(group, record);
    const reason = strangeness(record, identity);
    if (reason !== null) return this.#ignore(group, reason);
    if (record.group !== group) return this.#ignore(group, `it is of the group ${record.group}`);
    const isOfThisBoot = record.bootId === identity.bootId;
    const targets = isOfThisBoot
      ? record.targets
      : record.targets.map((target) => afterBoot(target, record.inOutage));
    this.#adopt({ ...record, targets });
  }

  #ignore(group: string, reason: string): void {
    this.#deps.log.warning(
      `the recovery record of ${group} on the disk is not used: ${reason}; it is replaced by what is up now`,
    );
  }

  #adopt(record: RecoveryRecord): void {
    this.#number = Math.max(this.#number, record.number);
    this.#records.set(record.group, record);
  }
}

const leftOutOf = (record: RecoveryRecord | undefined): number =>
  (record?.targets ?? []).reduce((sum, { guestsLeftOut }) => sum + guestsLeftOut, 0);

function readRecord(text: string): RecoveryRecord | string {
  try {
    const decoded = decode(RecoveryRecord, JSON.parse(text));
    return decoded.ok ? decoded.value : (decoded.problems[0]?.message ?? 'it cannot be read');
  } catch {
    return 'it is no JSON';
  }
}
