// The events of a sequence: its phases, its failures, the summary of its servers, its end. Texts only.
import type { EventType } from '../../shared/domain/status/events.js';
import { countText } from '../../shared/domain/base/format.js';
import { kindOf } from '../../shared/domain/actions/table.js';
import type { Plan, PlanPhase } from '../../shared/domain/outage/plan.js';
import type { SequenceObserver, StepEnd } from './observer.js';
import type { Sequence } from './run.js';

export type RecordEvent = (group: string, type: EventType, detail: string) => void;

/** An event has at most 4,000 characters: the summary of very many servers begins with the count and shortens the reasons. */
const maxSummaryChars = 3_800;
const maxReasonChars = 300;

/** Records the events of a sequence while it runs; `recordEnd` records the last one. */
export function recordingObserver(
  plan: Plan,
  record: RecordEvent,
): Omit<SequenceObserver, 'changed' | 'finished'> {
  const { group, label } = plan;
  return {
    phaseStarted: ({ name }) => record(group, 'SHUTDOWN_PHASE_STARTED', `${name} of ${label}`),
    phaseFinished: (phase, ends) => {
      const failures = ends.filter(({ outcome }) => outcome.kind === 'failed').length;
      const what = failures === 0 ? 'every step done' : `${countText(failures, 'step')} failed`;
      record(group, 'SHUTDOWN_PHASE_FINISHED', `${phase.name} of ${label}: ${what}`);
      const summary = summaryOf(phase, ends, plan.dryRun);
      if (summary !== null)
        record(group, 'REMOTE_SHUTDOWN_SUMMARY', `${label}${plan.dryRun ? ' (dry run)' : ''}: ${summary}`);
    },
    stepFailed: (step, reason) =>
      record(group, 'SHUTDOWN_STEP_FAILED', `${step.id} (${step.target}): ${reason}`),
  };
}

/** Every server as ok, failed, unreachable or timeout, failures first, or as not called; null for the other phases. */
function summaryOf({ name }: PlanPhase, ends: readonly StepEnd[], dryRun: boolean): string | null {
  if (name !== 'remote_servers') return null;
  const targets = ends.filter(({ step: { action } }) => kindOf(action).serverOf(action) !== null);
  if (dryRun)
    return `no server was called: ${targets.map(({ step }) => step.target).join(', ')}`.slice(
      0,
      maxSummaryChars,
    );
  const bad = targets.filter(({ outcome }) => outcome.kind === 'failed');
  const good = targets.filter(({ outcome }) => outcome.kind !== 'failed');
  const count = `${String(good.length)} of ${String(targets.length)} ok`;
  const waits = new Map(ends.flatMap(offOf));
  const full = list(count, [...bad, ...good], maxReasonChars, waits);
  if (full.length <= maxSummaryChars) return full;
  const room = Math.max(
    0,
    Math.floor((maxSummaryChars - list(count, targets, 0, waits).length) / Math.max(1, bad.length)) - 3,
  );
  return list(count, [...bad, ...good], Math.min(maxReasonChars, room), waits).slice(0, maxSummaryChars);
}

/** By server: what the wait for it has found. A wait that was skipped says nothing of the server. */
function offOf({ step: { action }, outcome }: StepEnd): readonly (readonly [string, string])[] {
  if (action.kind !== 'awaitOff' || outcome.kind === 'skipped') return [];
  if (outcome.kind === 'done') return outcome.detail === undefined ? [] : [[action.server, outcome.detail]];
  return [[action.server, outcome.how === 'timeout' ? 'not off in time' : 'not known whether off']];
}

function list(
  count: string,
  ends: readonly StepEnd[],
  reasonLength: number,
  waits: ReadonlyMap<string, string>,
): string {
  const words = ends.map(({ step: { target }, outcome }) => {
    const off = waits.get(target);
    if (outcome.kind !== 'failed') return `${target} ok${off === undefined ? '' : ` (${off})`}`;
    const reason = outcome.reason.slice(0, reasonLength);
    return `${target} ${outcome.how}${reason === '' ? '' : ` (${reason})`}`;
  });
  return `${count}: ${words.join(', ')}`;
}

export function recordEnd(
  plan: Plan,
  { state, powerBack }: Pick<Sequence, 'state' | 'powerBack'>,
  record: RecordEvent,
): void {
  const dry = plan.dryRun ? ' (dry run)' : '';
  if (state.kind === 'cancelled') {
    record(plan.group, 'SHUTDOWN_CANCELLED', `${plan.label}: ${state.reason}${dry}`);
    return;
  }
  const back = powerBack ? '; power was back before the end' : '';
  const what = plan.phases.length === 0 ? 'nothing is configured to be shut down' : 'all phases have ended';
  record(plan.group, 'SHUTDOWN_SEQUENCE_COMPLETE', `${plan.label}: ${what}${back}${dry}`);
}
