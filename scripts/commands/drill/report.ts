// The output of a drill or a manual shutdown.
import type { ServerTime } from '../../../shared/domain/outage/server-time.js';
import type { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { formatPlanTime } from '../../../shared/domain/base/duration.js';
import { countText } from '../../../shared/domain/base/format.js';

export interface DrilledStep {
  readonly step: PlanStep;
  readonly outcome: StepOutcome;
  readonly seconds: number;
}

export interface Battery {
  readonly label: string;
  /** False without a reading; `runtimeSeconds` is then null. */
  readonly read: boolean;
  readonly runtimeSeconds: number | null;
}

export interface DrillResult {
  readonly plan: Plan;
  readonly steps: readonly DrilledStep[];
  readonly seconds: number;
  readonly cancelled: string | null;
  readonly batteries: readonly Battery[];
  readonly measured: readonly ServerTime[];
  /** critical_runtime_threshold; null while it is off. */
  readonly thresholdSeconds: number | null;
}

export function stepLine({ step, outcome, seconds }: DrilledStep): string {
  const word = outcome.kind === 'failed' ? outcome.how : outcome.kind === 'done' ? 'ok' : 'skipped';
  const text = outcome.kind === 'done' ? (outcome.detail ?? '') : outcome.reason;
  const reason = text === '' ? '' : `  ${text}`;
  return `  ${step.phase.padEnd(20)} ${step.target.padEnd(30)} ${word.padEnd(12)}${seconds.toFixed(1).padStart(6)} s${reason}`;
}

export function drillIntroduction(plan: Plan, dryByConfiguration: boolean): string {
  const count = plan.phases.reduce((sum, { steps }) => sum + steps.length, 0);
  const what = `${plan.label}: ${countText(count, 'step')}, at most ${formatPlanTime(plan.boundSeconds)}`;
  if (!plan.dryRun) return `SHUTTING DOWN ${what}`;
  const why = dryByConfiguration
    ? 'behavior.dry_run = true: nothing is run, also with --i-really-want-to-shut-down.'
    : 'A drill logs in, checks that every command exists and may be run, and runs none of them.';
  return `Drill of ${what}\n${why}`;
}

export function drillReport(result: DrillResult): string {
  const { plan, steps, cancelled, seconds } = result;
  const failed = steps.filter(({ outcome }) => outcome.kind === 'failed');
  const servers = steps.filter(isServer);
  const reached = servers.filter(({ outcome }) => outcome.kind === 'done');
  const isUnchecked = plan.dryRun && servers.some(wasUnchecked);
  const verb = plan.dryRun ? 'could be shut down' : 'were shut down without an error';
  const every = isUnchecked ? 'No step failed' : `Every step ${plan.dryRun ? 'could run' : 'succeeded'}`;
  return [
    ...(cancelled === null ? [] : [`Cancelled: ${cancelled}`]),
    ...(servers.length === 0 || isUnchecked
      ? []
      : [`${String(reached.length)} of ${String(servers.length)} servers ${verb}.`]),
    failed.length === 0
      ? `${every}; it took ${formatPlanTime(Math.ceil(seconds))}.`
      : `${String(failed.length)} of ${String(steps.length)} steps failed: ${failed.map(({ step }) => step.target).join(', ')}. Correct the causes shown above and repeat the drill.`,
    ...timeLines(result),
    ...(isUnchecked ? [uncheckedLine(servers)] : []),
  ].join('\n');
}

/** Also the host of a container. Phases that run on it before its power-off are not separate servers. */
const isServer = ({ step: { action } }: DrilledStep): boolean =>
  (action.kind === 'remote' || action.kind === 'poweroffDelegate') && action.work.final !== null;

/** In a drill: logged in, and its commands could not be checked. */
const wasUnchecked = ({ outcome }: DrilledStep): boolean => outcome.kind === 'skipped';

function uncheckedLine(servers: readonly DrilledStep[]): string {
  const inside = servers.filter(
    ({ outcome }) => outcome.kind !== 'failed' || !outcome.reason.startsWith('connect: '),
  );
  const checked = inside.filter((step) => !wasUnchecked(step));
  return `${String(inside.length)} of ${String(servers.length)} could log in, ${String(checked.length)} checked.`;
}

/** The time a shutdown needs, and the time the batteries leave. */
function timeLines({ plan, batteries, thresholdSeconds }: DrillResult): readonly string[] {
  const { boundSeconds, estimateSeconds } = plan;
  const needed = `A shutdown takes about ${formatPlanTime(estimateSeconds)}, at most ${formatPlanTime(boundSeconds)}`;
  const left = batteries.map(({ label, read, runtimeSeconds }) => {
    if (!read) return `${label} cannot be read: its battery runtime is unknown.`;
    if (runtimeSeconds === null) return `${label} reports no battery runtime.`;
    const fits = runtimeSeconds >= boundSeconds ? 'enough' : 'NOT ENOUGH in the worst case';
    return `${label} would last ${formatPlanTime(runtimeSeconds)} at the present load: ${fits}.`;
  });
  if (thresholdSeconds === null) return [`${needed}.`, ...left];
  const fits = thresholdSeconds >= boundSeconds ? 'enough' : 'NOT ENOUGH in the worst case';
  return [
    `${needed}; it starts at the latest with ${formatPlanTime(thresholdSeconds)} of runtime left (critical_runtime_threshold): ${fits}.`,
    ...left,
  ];
}
