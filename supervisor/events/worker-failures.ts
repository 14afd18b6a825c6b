// Records the loss of a worker: an event row for each, one for the members that a process takes with it, and one WORKER_FAILED when the worker keeps failing.
import type { EventRecorder } from './event-recorder.js';

/** Five quick failures in a row are four restarts that did not help, the last two after a backoff of 2 s or more. */
const reportAfter = 5;

/** `quickFailures` as in `SupervisionObserver.workerLost`; it starts at 0 again after a life that was long enough. */
export function recordFailure(
  recorder: Pick<EventRecorder, 'record'>,
  loss: string,
  quickFailures: number,
): void {
  recorder.record({ source: 'daemon', type: 'WORKER_RESTARTED', detail: loss });
  if (quickFailures !== reportAfter) return;
  const detail = `${loss}; it failed ${String(quickFailures)} times in a row within a minute of its start; still restarting`;
  recorder.record({ source: 'daemon', type: 'WORKER_FAILED', detail });
}
