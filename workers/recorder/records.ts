// The records of one directory: one piece of work at a time, so that a recall sees no half of a write. What waits together is written
// together, and of a group only the newest: a disk that hangs collects no queue.
import type { Failure, Outcome } from '../../shared/protocol/contract.js';
import type { KeptRecord, SetAside, UnusedRecord } from '../../shared/protocol/recorder.js';
import { maxRecordBytes, recordFailure } from '../../shared/protocol/recorder.js';
import { SerialWork } from '../../shared/runtime/serial-work.js';
import type { Held, OpenDirectory } from './directory.js';
import { RecordDirectory } from './directory.js';
import { failureWith, writeFailure } from './faults.js';
import { namesIn } from './names.js';
import type { Part } from './recall.js';
import { jsonBytes, maxPartBytes, recallPart } from './recall.js';
import { fileNameOf } from './record-text.js';
import { setAside } from './set-aside.js';
import { writeRecord } from './write-file.js';

/** Of records that wait for the disk: a tenth of what the worker may take. */
const maxWaitingBytes = 32 * 1_048_576;

/** One sync of the directory is for all of them; each has a file open. */
const atOnce = 16;

type Kept = Outcome<object>;

interface Waiting {
  record: KeptRecord;
  bytes: number;
  readonly settle: (outcome: Kept) => void;
  readonly settled: Promise<Kept>;
}

export interface RecordsDependencies {
  readonly path: string;
  /** A file that stood in the place of a record. */
  readonly setAside: (aside: SetAside) => void;
}

export class Records {
  readonly #deps: RecordsDependencies;
  readonly #directory: RecordDirectory;
  readonly #work = new SerialWork();
  #waiting = new Map<string, Waiting>();

  constructor(deps: RecordsDependencies) {
    this.#deps = deps;
    this.#directory = new RecordDirectory(deps.path);
  }

  get path(): string {
    return this.#directory.path;
  }

  /** Settles once this record, or a newer one of its group, is on disk. */
  keep(record: KeptRecord): Promise<Kept> {
    const bytes = Buffer.byteLength(record.text);
    if (bytes > maxRecordBytes || jsonBytes(record) > maxPartBytes)
      return failed(
        failureWith(
          recordFailure.tooLarge,
          `the record of ${record.group} has ${String(bytes)} bytes, and at most ${String(maxRecordBytes)} are kept`,
        ),
      );
    const waiting = this.#waiting.get(record.group);
    const others = [...this.#waiting.values()].filter((other) => other !== waiting);
    if (others.reduce((sum, other) => sum + other.bytes, bytes) > maxWaitingBytes)
      return failed(
        failureWith(recordFailure.busy, `${this.path} does not take the records as fast as they change`),
      );
    if (waiting !== undefined) {
      waiting.record = record;
      waiting.bytes = bytes;
      return waiting.settled;
    }
    let settle: Waiting['settle'] = () => undefined;
    const settled = new Promise<Kept>((resolve) => (settle = resolve));
    if (this.#waiting.size === 0) void this.#work.run(() => this.#writeWaiting());
    this.#waiting.set(record.group, { record, bytes, settle, settled });
    return settled;
  }

  /** Fails with the reason why the directory is not locked. */
  recall(after: string): Promise<{ readonly part: Part } | { readonly reason: string }> {
    return this.#work.run(async () => {
      const held = await this.#directory.hold();
      return held.ok ? { part: await recallPart(held.directory, after) } : { reason: held.reason };
    });
  }

  /** The files of these groups, renamed. */
  setAside(unused: readonly UnusedRecord[]): Promise<Outcome<{ readonly setAside: readonly SetAside[] }>> {
    return this.#work.run(async () => {
      const held = await this.#directory.hold();
      if (!held.ok) return this.#failureOf(held);
      const aside: SetAside[] = [];
      const done = await this.#tried(async () => {
        const { names } = await namesIn(held.directory);
        for (const { group, reason } of unused) {
          const name = fileNameOf(group);
          if (names.has(name)) aside.push(await setAside(held.directory, names, name, reason));
        }
        await held.directory.sync();
      });
      return done.ok ? { ok: true, value: { setAside: aside } } : done;
    });
  }

  /** Unlocks the directory after what is under way. */
  close(): Promise<void> {
    return this.#work.run(() => this.#directory.release());
  }

  async #writeWaiting(): Promise<void> {
    const batch = [...this.#waiting.values()];
    this.#waiting = new Map();
    const held = await this.#directory.hold();
    if (!held.ok) {
      const failure = this.#failureOf(held);
      for (const { settle } of batch) settle(failure);
      return;
    }
    for (let begun = 0; begun < batch.length; begun += atOnce)
      await this.#writeTogether(held.directory, batch.slice(begun, begun + atOnce));
  }

  #failureOf({ reason, error }: Extract<Held, { ok: false }>): Outcome<never> {
    if (error === undefined) return { ok: false, error: failureWith(recordFailure.notLocked, reason) };
    return { ok: false, error: writeFailure(this.path, error) };
  }

  async #writeTogether(directory: OpenDirectory, batch: readonly Waiting[]): Promise<void> {
    const written = await Promise.all(
      batch.map(async ({ record }) =>
        this.#tried(async () => {
          for (const aside of await writeRecord(directory, record)) this.#deps.setAside(aside);
        }),
      ),
    );
    const synced = await this.#tried(() => directory.sync());
    for (const [index, { settle }] of batch.entries()) {
      const own = written[index];
      settle(own?.ok === false ? own : synced);
    }
  }

  async #tried(act: () => Promise<void>): Promise<Kept> {
    try {
      await act();
      return { ok: true, value: {} };
    } catch (error) {
      return { ok: false, error: writeFailure(this.path, error) };
    }
  }
}

const failed = (error: Failure): Promise<Kept> => Promise.resolve({ ok: false, error });
