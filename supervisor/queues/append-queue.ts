// A bounded queue towards a worker: in order, in batches, until each entry is acknowledged. The receiver recognises what is sent
// twice. `Turns` sends what `next` gives.
import type { Failure, Outcome } from '../../shared/protocol/contract.js';
import { linkFailure } from '../../shared/protocol/contract.js';
import type { Request } from './turns.js';

export interface AppendQueueOptions<T, V> {
  readonly send: (entries: readonly T[]) => Promise<Outcome<V>>;
  readonly perRequest: number;
  /** Beyond it the oldest that is not being sent is dropped. */
  readonly max?: number;
  /** The worker has acknowledged these, the oldest. */
  readonly taken?: (entries: readonly T[], value: V) => void;
  /** There is no room for it (null), or the worker cannot read it. */
  readonly dropped?: (entry: T, why: Failure | null) => void;
}

export class AppendQueue<T, V = unknown> {
  readonly #options: AppendQueueOptions<T, V>;
  readonly #waiting = new Map<unknown, T>();
  #inFlight = 0;
  #atOnce: number;

  constructor(options: AppendQueueOptions<T, V>) {
    this.#options = options;
    this.#atOnce = options.perRequest;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** One with the key of another that waits replaces it. */
  push(entry: T, key: unknown = entry): void {
    const { max = Infinity, dropped } = this.#options;
    this.#waiting.set(key, entry);
    if (this.#waiting.size <= max) return;
    // What is being sent may be stored already.
    let left = this.#inFlight;
    for (const [oldKey, oldest] of this.#waiting) {
      if (left > 0) left -= 1;
      else {
        this.#waiting.delete(oldKey);
        dropped?.(oldest, null);
        return;
      }
    }
  }

  /** The worker could not read a batch: until it has read as many again they are smaller. */
  get isSplit(): boolean {
    return this.#atOnce < this.#options.perRequest;
  }

  /** One with this key waits. */
  has(key: unknown): boolean {
    return this.#waiting.has(key);
  }

  delete(key: unknown): void {
    this.#waiting.delete(key);
  }

  next(): Request | undefined {
    return this.#waiting.size === 0 ? undefined : () => this.#sendFirst();
  }

  async #sendFirst(): Promise<boolean> {
    const { send, perRequest, taken, dropped } = this.#options;
    const batch = this.#first(this.#atOnce);
    const entries = batch.map(([, entry]) => entry);
    this.#inFlight = batch.length;
    const outcome = await send(entries).finally(() => (this.#inFlight = 0));
    if (!outcome.ok && outcome.error.code !== linkFailure.invalid) return false;
    // A bug must not block all later entries: one that is refused alone is dropped.
    if (!outcome.ok && batch.length > 1) {
      this.#atOnce = Math.floor(batch.length / 2);
      return true;
    }
    // One that was replaced meanwhile is sent again.
    for (const [key, entry] of batch) if (this.#waiting.get(key) === entry) this.#waiting.delete(key);
    if (outcome.ok) {
      this.#atOnce = Math.min(perRequest, this.#atOnce * 2);
      taken?.(entries, outcome.value);
    } else for (const entry of entries) dropped?.(entry, outcome.error);
    return true;
  }

  #first(count: number): readonly (readonly [unknown, T])[] {
    const first: (readonly [unknown, T])[] = [];
    for (const item of this.#waiting) {
      if (first.length === count) break;
      first.push(item);
    }
    return first;
  }
}
