// Asks the remote worker when a commanded server is off, within the step's budget, and again when the worker was restarted.
import type { Outcome } from '../../../shared/protocol/contract.js';
import { formatSeconds } from '../../../shared/domain/base/duration.js';
import type { Performer } from '../actuator.js';
import type { StepOutcome } from '../outcome.js';
import { failureOf } from '../outcome.js';
import { pause } from './local-calls.js';
import type { RemoteDependencies } from './remote-servers.js';
import { replyMarginMs, retryMs } from './remote-servers.js';

/** `target.awaitOff` of the worker. Never rejects; WORKER_GONE immediately while there is no worker. */
export type AwaitOff = (
  server: string,
  commandedAgoMs: number,
  budgetMs: number,
) => Promise<Outcome<{ readonly off: boolean; readonly afterMs: number; readonly reason: string }>>;

export function offWaitPerformer(
  deps: Pick<RemoteDependencies, 'clock' | 'setTimer'> & { readonly awaitOff: AwaitOff },
): Performer<'awaitOff'> {
  return async ({ server, timeoutSeconds }, { budgetSeconds }, signal) => {
    const nowMs = () => deps.clock.monotonicMs();
    const endMs = nowMs() + budgetSeconds * 1000;
    const commandedMs = endMs - timeoutSeconds * 1000;
    let reason = 'the remote worker does not run';
    for (;;) {
      const leftMs = endMs - nowMs();
      if (signal.aborted || leftMs <= 0) return stillOn(timeoutSeconds, reason);
      const budgetMs = Math.max(leftMs - replyMarginMs, leftMs / 2);
      const outcome = await deps.awaitOff(server, Math.max(0, nowMs() - commandedMs), budgetMs);
      if (outcome.ok) {
        const { off, afterMs } = outcome.value;
        if (off) return { kind: 'done', detail: `off after ${formatSeconds(Math.round(afterMs / 1000))}` };
        return stillOn(timeoutSeconds, outcome.value.reason);
      }
      const { code, message } = outcome.error;
      reason = `remote worker: ${message}`;
      if (code === 'DEADLINE_EXCEEDED') return stillOn(timeoutSeconds, reason);
      if (code !== 'WORKER_GONE') return failureOf(reason);
      await pause(deps, signal, retryMs);
    }
  };
}

function stillOn(seconds: number, reason: string): StepOutcome {
  const text = `not off ${formatSeconds(seconds)} after its command (${reason})`;
  return { kind: 'failed', how: 'timeout', reason: text };
}
