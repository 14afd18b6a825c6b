// Passes imported history from the API worker to storage, one batch at a time and behind the daemon's own rows, and records who
// imported how much. It keeps no batch: the sender gives each again that was refused.
import type { Outcome } from '../../shared/protocol/contract.js';
import { failureOf } from '../../shared/protocol/contract.js';
import type { HistoryOrder } from '../../shared/protocol/api.js';
import type { ImportBatch, ImportResult } from '../../shared/protocol/history-import.js';
import { storageFailure } from '../../shared/protocol/storage.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { SetTimer } from '../host/timer.js';

/** Imports at once; each has an audit row at its end. */
const maxOpen = 4;
/** Without a batch for so long an import has ended: its program was killed. */
const idleMs = 60_000;

export interface HistoryImportDependencies {
  hasUps(groupId: string): boolean;
  isSequenceRunning(): boolean;
  importHistory(batch: ImportBatch): Promise<Outcome<ImportResult>>;
  record(event: RecordedEvent): void;
  readonly setTimer: SetTimer;
}

interface OpenImport {
  readonly source: string;
  readonly what: string;
  rows: number;
  cancel: () => void;
}

export class HistoryImports {
  readonly #deps: HistoryImportDependencies;
  readonly #open = new Map<string, OpenImport>();
  #inFlight = false;

  constructor(deps: HistoryImportDependencies) {
    this.#deps = deps;
  }

  async take(order: HistoryOrder): Promise<Outcome<ImportResult>> {
    const { id, batch } = order;
    const deps = this.#deps;
    if (!deps.hasUps(batch.groupId)) return failureOf('NOT_FOUND', 'there is no such UPS');
    if (deps.isSequenceRunning())
      return failureOf('CONFLICT', 'a shutdown sequence is running: repeat the import after it');
    if (this.#inFlight || (!this.#open.has(id) && this.#open.size >= maxOpen))
      return failureOf(storageFailure.busy, 'another import is running');
    this.#inFlight = true;
    const outcome = await deps.importHistory(batch).finally(() => (this.#inFlight = false));
    if (outcome.ok && !batch.isDryRun) this.#count(order, outcome.value);
    return outcome;
  }

  /** Records the imports that have not ended. Call it when the API worker has ended for good. */
  ended(): void {
    for (const id of this.#open.keys()) this.#interrupted(id);
  }

  #count({ principal, id, isLast, batch }: HistoryOrder, result: ImportResult): void {
    const { readings, fiveMinute, hourly, events, outages } = result;
    const rows = readings + fiveMinute + hourly + events + outages;
    const what = `${principal}: import from ${batch.source}`;
    const open = this.#open.get(id) ?? { source: batch.groupId, what, rows: 0, cancel: () => undefined };
    open.cancel();
    // At once: whatever kills the daemon later, the history says who has added to it.
    if (open.rows === 0 && rows > 0 && !isLast) this.#record(open, 'begun');
    open.rows += rows;
    if (isLast) {
      this.#open.delete(id);
      this.#record(open, `${String(open.rows)} rows`);
      return;
    }
    this.#open.set(id, open);
    open.cancel = this.#deps.setTimer(idleMs, () => this.#interrupted(id));
  }

  #interrupted(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    open.cancel();
    this.#open.delete(id);
    this.#record(open, `failed: not finished, ${String(open.rows)} rows were added`);
  }

  #record({ source, what }: OpenImport, result: string): void {
    this.#deps.record({ source, type: 'HISTORY_IMPORTED', detail: `${what}: ${result}` });
  }
}
