// Packs history into batches and gives them to the storage worker, one after the other. A batch that was not taken is sent
// again: what was stored already is recognised.
import { setTimeout as pause } from 'node:timers/promises';
import type {
  ImportBatch,
  ImportedBucket,
  ImportedEvent,
  ImportedOutage,
  ImportResult,
} from '../../../shared/protocol/history-import.js';
import { maxImportedBuckets, maxImportedEvents } from '../../../shared/protocol/history-import.js';
import { ImportError } from './history-sink.js';

/** Of the values of a batch: well below the 256 KiB of a body, with room for the longest numbers. */
const maxValues = 8_000;
const retryMs = 200;
/** A worker that was killed is back within some seconds. */
const giveUpMs = 20_000;

export type SendResult =
  | { readonly ok: true; readonly value: ImportResult }
  | { readonly ok: false; readonly message: string; readonly mayRetry: boolean };

export type Send = (batch: ImportBatch, isLast: boolean) => Promise<SendResult>;

export class ImportSender {
  readonly #send: Send;
  readonly #head: Pick<ImportBatch, 'groupId' | 'source' | 'isDryRun'>;
  #buckets: ImportedBucket[] = [];
  #values = 0;
  #events: ImportedEvent[] = [];
  #outages: ImportedOutage[] = [];
  result: ImportResult = {
    readings: 0,
    fiveMinute: 0,
    hourly: 0,
    events: 0,
    outages: 0,
    present: 0,
    refused: 0,
  };

  constructor(head: Pick<ImportBatch, 'groupId' | 'source' | 'isDryRun'>, send: Send) {
    this.#head = head;
    this.#send = send;
  }

  bucket(bucket: ImportedBucket): void {
    this.#buckets.push(bucket);
  }

  event(event: ImportedEvent): void {
    this.#events.push(event);
  }

  outage(outage: ImportedOutage): void {
    this.#outages.push(outage);
  }

  /** Sends what fills a batch. Throws an ImportError when it is not taken. */
  async flush(): Promise<void> {
    this.#values = this.#buckets.reduce((sum, { rows }) => sum + sizeOf(rows), 0);
    while (
      this.#values > maxValues ||
      this.#buckets.length > maxImportedBuckets ||
      this.#events.length > maxImportedEvents ||
      this.#outages.length > maxImportedEvents
    )
      await this.#sendOne(false);
  }

  /** Sends all the rest. */
  async finish(): Promise<ImportResult> {
    await this.flush();
    await this.#sendOne(true);
    return this.result;
  }

  async #sendOne(isLast: boolean): Promise<void> {
    let values = 0;
    const fits = (bucket: ImportedBucket | undefined): boolean => {
      values += sizeOf(bucket?.rows ?? []);
      return values <= maxValues;
    };
    let count = 0;
    while (count < Math.min(this.#buckets.length, maxImportedBuckets) && fits(this.#buckets[count]))
      count += 1;
    const batch: ImportBatch = {
      ...this.#head,
      buckets: this.#buckets.slice(0, count),
      events: this.#events.slice(0, maxImportedEvents),
      outages: this.#outages.slice(0, maxImportedEvents),
    };
    await this.#untilTaken(batch, isLast);
    this.#buckets = this.#buckets.slice(count);
    this.#values -= batch.buckets.reduce((sum, { rows }) => sum + sizeOf(rows), 0);
    this.#events = this.#events.slice(maxImportedEvents);
    this.#outages = this.#outages.slice(maxImportedEvents);
  }

  async #untilTaken(batch: ImportBatch, isLast: boolean): Promise<void> {
    const until = performance.now() + giveUpMs;
    for (;;) {
      const sent = await this.#send(batch, isLast);
      if (sent.ok) {
        this.#add(sent.value);
        return;
      }
      if (!sent.mayRetry || performance.now() > until)
        throw new ImportError(
          `${sent.message}\nThe import has stopped. Repeat it: what was added already is left as it is.`,
        );
      await pause(retryMs);
    }
  }

  #add(result: ImportResult): void {
    const sum = { ...this.result };
    for (const name of Object.keys(sum) as (keyof ImportResult)[]) sum[name] += result[name];
    this.result = sum;
  }
}

function sizeOf(rows: ImportedBucket['rows']): number {
  return rows.reduce((sum, row) => sum + row.length, 0);
}
