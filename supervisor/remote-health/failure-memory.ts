// Keeps in the database which servers are FAILED and whether a message was sent. After a restart the daemon sends no
// second message, and sends one when the server is back. Nothing waits for it.
import type { FailedServer, storageContract } from '../../shared/protocol/storage.js';
import { maxFailedServers } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A commit takes milliseconds; after this time the request is sent again. */
const deadlineMs = 5_000;
/** While storage refuses or is down: one local request each second. */
const retryMs = 1_000;
/** An operator may have replaced the database: while a server is FAILED, the row is written again. */
const rewriteMs = 600_000;

export interface FailureMemoryDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Clock;
  /** The failed servers a previous daemon has stored. Called once, possibly late or never. */
  readonly recalled: (failed: readonly FailedServer[]) => void;
}

export class FailureMemory {
  readonly #tools: FailureMemoryDependencies;
  #recalled = false;
  /** The stored text; undefined while it is not known. */
  #stored: string | undefined;
  #inFlight = false;
  #dueMs = 0;
  #rewriteAtMs = 0;

  constructor(tools: FailureMemoryDependencies) {
    this.#tools = tools;
  }

  /** Called at every change, and at every tick. */
  keep(failed: readonly FailedServer[]): void {
    const now = this.#tools.clock.monotonicMs();
    if (this.#inFlight || now < this.#dueMs) return;
    if (!this.#recalled) {
      // The stored rows are read before they are overwritten.
      this.#inFlight = true;
      void this.#recall();
      return;
    }
    const text = JSON.stringify(failed);
    const isOld = failed.length > 0 && now >= this.#rewriteAtMs;
    if (text === this.#stored && !isOld) return;
    this.#inFlight = true;
    void this.#write(failed.slice(0, maxFailedServers), text);
  }

  async #recall(): Promise<void> {
    const outcome = await this.#tools.storage.request('health.recall', {}, deadlineMs);
    this.#ended(outcome.ok);
    if (!outcome.ok) return;
    this.#recalled = true;
    this.#stored = JSON.stringify(outcome.value.failed);
    this.#rewriteAtMs = this.#tools.clock.monotonicMs() + rewriteMs;
    this.#tools.recalled(outcome.value.failed);
  }

  async #write(failed: readonly FailedServer[], text: string): Promise<void> {
    const outcome = await this.#tools.storage.request('health.keep', { failed }, deadlineMs);
    this.#ended(outcome.ok);
    // A request without an answer may have been committed.
    this.#stored = outcome.ok ? text : undefined;
    this.#rewriteAtMs = this.#tools.clock.monotonicMs() + rewriteMs;
  }

  #ended(good: boolean): void {
    this.#inFlight = false;
    this.#dueMs = good ? 0 : this.#tools.clock.monotonicMs() + retryMs;
  }
}
