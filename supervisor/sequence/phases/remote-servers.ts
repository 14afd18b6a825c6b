// Has one server shut down by the remote worker, within the step's budget. A worker that dies or hangs in the middle is
// asked again as soon as it is back: the server's last command must not be lost with it.
import type { PlanStep, RemoteWork } from '../../../shared/domain/plan.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { TargetOutcome } from '../../../shared/protocol/remote.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { SetTimer } from '../budget.js';
import type { StepOutcome } from '../outcome.js';
import { failed } from '../outcome.js';

/** `target.shutdown` of the worker, within `budgetMs`. Never rejects; WORKER_GONE at once while there is no worker. */
export type ShutDownTarget = (work: RemoteWork, budgetMs: number) => Promise<Outcome<TargetOutcome>>;

export interface RemoteDependencies {
  readonly shutDown: ShutDownTarget;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly setTimer: SetTimer;
}

/** The worker answers this much before the step's budget ends, so that what it knows is told. */
const answerMs = 500;
/** A worker that died is started again at once, and ready within a third of a second. */
const againMs = 250;

type RemoteAction = { readonly work: RemoteWork };

/** Performs `remote` and `poweroffDelegate`. */
export function remotePerformer(
  tools: RemoteDependencies,
): (action: RemoteAction, step: PlanStep, signal: AbortSignal) => Promise<StepOutcome> {
  return async ({ work }, { budgetSeconds }, signal) => {
    const endMs = tools.clock.monotonicMs() + budgetSeconds * 1000;
    let reason = 'the worker that logs in to servers does not run';
    for (;;) {
      const leftMs = endMs - tools.clock.monotonicMs();
      if (signal.aborted || leftMs <= 0) return { kind: 'failed', how: 'timeout', reason };
      const outcome = await tools.shutDown(work, Math.max(leftMs - answerMs, leftMs / 2));
      if (outcome.ok) return outcomeOf(outcome.value);
      const { code, message } = outcome.error;
      reason = `the worker that logs in to servers: ${message}`;
      if (code === 'DEADLINE_EXCEEDED') return { kind: 'failed', how: 'timeout', reason };
      if (code !== 'WORKER_GONE') return failed(reason);
      await pause(tools.setTimer, signal);
    }
  };
}

function outcomeOf({ result, detail, delivered }: TargetOutcome): StepOutcome {
  if (result === 'ok') return { kind: 'done' };
  const reason = detail === '' ? 'without a reason given' : detail;
  return {
    kind: 'failed',
    how: result,
    reason: delivered ? `${reason}; the final command was given` : reason,
  };
}

function pause(setTimer: SetTimer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = setTimer(againMs, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
