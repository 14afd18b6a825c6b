// Requests the shutdown of one server from the remote worker, within the step's budget. When the worker dies or hangs, it
// repeats the request as soon as the worker runs again: the final command must not be lost.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { linkFailure } from '../../../shared/protocol/contract.js';
import type { TargetOutcome } from '../../../shared/protocol/remote.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { SetTimer } from '../../host/timer.js';
import type { ReportFound } from '../actuator.js';
import type { FailureKind, StepOutcome } from '../outcome.js';
import { pause } from './local-calls.js';

/** `target.shutdown` of the worker, within `budgetMs`. Never rejects; WORKER_GONE immediately while there is no worker. */
export type ShutDownTarget = (
  work: RemoteWork,
  budgetMs: number,
  found: ReportFound,
) => Promise<Outcome<TargetOutcome>>;

export interface RemoteDependencies {
  readonly shutDown: ShutDownTarget;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly setTimer: SetTimer;
}

/** The worker replies this long before the end of the step's budget, so that the step reports its reason. */
export const replyMarginMs = 500;
/** A worker that died is restarted immediately and is ready within a third of a second. */
export const retryMs = 250;

type RemoteAction = { readonly work: RemoteWork };

/** Performs `remote` and `poweroffDelegate`. */
export function remotePerformer(
  deps: RemoteDependencies,
): (action: RemoteAction, step: PlanStep, signal: AbortSignal, found: ReportFound) => Promise<StepOutcome> {
  return async ({ work }, { budgetSeconds }, signal, found) => {
    const endMs = deps.clock.monotonicMs() + budgetSeconds * 1000;
    let reason = 'the remote worker does not run';
    let isLost = false;
    for (;;) {
      const leftMs = endMs - deps.clock.monotonicMs();
      if (signal.aborted || leftMs <= 0) return noAnswer(reason, isLost);
      const outcome = await deps.shutDown(work, Math.max(leftMs - replyMarginMs, leftMs / 2), found);
      if (outcome.ok) return outcomeOf(outcome.value, isLost);
      const { code, message } = outcome.error;
      reason = `remote worker: ${message}`;
      if (code === linkFailure.deadline) return noAnswer(reason, true);
      if (code !== linkFailure.gone) return noAnswer(reason, isLost || code === linkFailure.broken, 'failed');
      isLost = true;
      await pause(deps, signal, retryMs);
    }
  };
}

function outcomeOf(
  { result, detail, delivered, sent, unchecked, ...target }: TargetOutcome,
  isLost: boolean,
): StepOutcome {
  if (result === 'ok')
    return unchecked !== ''
      ? { kind: 'skipped', reason: `logged in; ${unchecked}` }
      : detail === ''
        ? { kind: 'done' }
        : { kind: 'done', detail };
  const reason = detail === '' ? 'no reason given' : detail;
  return {
    kind: 'failed',
    how: result,
    reason: delivered ? `${reason}; the final command was given` : reason,
    ...(!sent && { neverSent: true }),
    ...((target.maybeSent || (isLost && !sent)) && { maybeSent: true }),
  };
}

function noAnswer(reason: string, maybeSent: boolean, how: FailureKind = 'timeout'): StepOutcome {
  return { kind: 'failed', how, reason, neverSent: true, ...(maybeSent && { maybeSent }) };
}
