// Keeps in the history database which servers are FAILED and whether the message was sent: after a restart the daemon sends
// no second message, and sends one when the server is back. Nothing waits for it.
import type { FailedServer, storageContract } from '../../shared/protocol/storage.js';
import { maxFailedServers } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A commit takes milliseconds; a disk that needs longer is asked again. */
const deadlineMs = 5_000;
/** Between tries while storage refuses or is down: a local request each second costs nothing. */
const retryMs = 1_000;
/** An operator may have replaced the database: while a server is FAILED, it is written again. */
const rewriteMs = 600_000;

export interface FailureMemoryDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Clock;
  /** What a daemon before this one has kept. Called once, possibly late or never. */
  readonly recalled: (failed: readonly FailedServer[]) => void;
}

export class FailureMemory {
  readonly #tools: FailureMemoryDependencies;
  #recalled = false;
  /** As it is on disk; undefined where that is not known. */
  #stored: string | undefined;
  #inFlight = false;
  #dueMs = 0;
  #rewriteAtMs = 0;

  constructor(tools: FailureMemoryDependencies) {
    this.#tools = tools;
  }

  /** To be called at every change, and every 250 ms. */
  keep(failed: readonly FailedServer[]): void {
    const now = this.#tools.clock.monotonicMs();
    if (this.#inFlight || now < this.#dueMs) return;
    if (!this.#recalled) {
      // What was kept before would be overwritten by what is known now.
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
    // What was not answered may be on disk all the same.
    this.#stored = outcome.ok ? text : undefined;
    this.#rewriteAtMs = this.#tools.clock.monotonicMs() + rewriteMs;
  }

  #ended(good: boolean): void {
    this.#inFlight = false;
    this.#dueMs = good ? 0 : this.#tools.clock.monotonicMs() + retryMs;
  }
}
