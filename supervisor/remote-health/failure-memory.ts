// Keeps in the database which servers are FAILED and whether a message was sent. After a restart the daemon sends no
// second message, and sends one when the server is back. Nothing waits for it.
import type { FailedServer, storageContract } from '../../shared/protocol/storage.js';
import { maxFailedServers } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { KeptValue } from '../queues/kept-value.js';
import { deadlineMs } from '../queues/turns.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** An operator may have replaced the database: while a server is FAILED, the row is written again. */
const rewriteMs = 600_000;

export type FailureMemory = KeptValue<readonly FailedServer[]>;

/** `recalled`: the failed servers that a previous daemon has stored. Called once, possibly late or never. */
export function failureMemory(
  storage: Pick<WorkerHandle<typeof storageContract>, 'request'>,
  clock: Clock,
  recalled: (failed: readonly FailedServer[]) => void,
): FailureMemory {
  return new KeptValue<readonly FailedServer[]>({
    clock,
    recall: async () => {
      const outcome = await storage.request('health.recall', {}, deadlineMs);
      return outcome.ok ? { ok: true, value: outcome.value.failed } : outcome;
    },
    recalled,
    write: (failed) =>
      storage.request('health.keep', { failed: failed.slice(0, maxFailedServers) }, deadlineMs),
    rewriteMs: (failed) => (failed.length > 0 ? rewriteMs : null),
  });
}
