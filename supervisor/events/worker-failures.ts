// What is recorded of a worker that was lost: each loss is a row, and one that does not stay alive is told to people, once.
import type { EventRecorder } from './event-recorder.js';

/**
 * Five short lives in a row are four restarts that did not help, the last two after waiting for 2 s or more: no single
 * bad moment any more.
 */
const livesOfAFailure = 5;

/** `shortLives` as `SupervisionObserver.workerLost` tells it: it begins anew after a good life, and so does the telling. */
export function recordFailure(
  recorder: Pick<EventRecorder, 'record'>,
  loss: string,
  shortLives: number,
): void {
  recorder.record({ source: 'daemon', type: 'WORKER_RESTARTED', detail: loss });
  if (shortLives !== livesOfAFailure) return;
  const detail = `${loss}; it was lost ${String(shortLives)} times in a row within a minute of its start and is started again and again`;
  recorder.record({ source: 'daemon', type: 'WORKER_FAILED', detail });
}
