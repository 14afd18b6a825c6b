// A plan as text: a tree next to a time axis.
import { kindOf } from '../../../shared/domain/actions/table.js';
import type { Plan, PlanPhase, PlanStep } from '../../../shared/domain/outage/plan.js';
import { beginningsOf } from '../../../shared/domain/outage/plan-lanes.js';
import { withoutWaits } from '../../../supervisor/policy/plan/waits.js';
import type { FedTarget } from '../../../supervisor/config/derive/feeds.js';
import { formatPlanTime, formatSetting } from '../../../shared/domain/base/duration.js';

/** The times of a step: its start if nothing hangs, and its latest end; seconds from the start of the sequence. */
interface Span {
  readonly beginsSeconds: number;
  readonly endsSeconds: number;
  readonly latestSeconds: number;
}

/** The part of a line for the names of steps. */
const nameShare = 0.45;
const minNameWidth = 30;
/** A tick of the axis is one of these, so that its labels are round. */
const tickSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200] as const;
/** Minimum distance of two ticks in characters: a label and a gap. */
const tickWidth = 8;

/** What must fail for the plan to run, and for each target, as in `validate`. */
export interface PlanFeeds {
  readonly runsWhen: string;
  readonly targets: readonly FedTarget[];
  /** By the name of a server: how long its shutdowns and drills took. */
  readonly took: ReadonlyMap<string, readonly string[]>;
}

/** `thresholdSeconds`: critical_runtime_threshold, null while it is off. */
export function planTree(
  plan: Plan,
  thresholdSeconds: number | null,
  feeds: PlanFeeds,
  width: number,
): string {
  const title = plan.label === plan.group ? plan.label : `${plan.label} (${plan.group})`;
  if (plan.phases.length === 0) return `${title}: the plan has no steps.`;
  const names = Math.max(minNameWidth, Math.floor(width * nameShare));
  const axis = axisOf(plan.boundSeconds, width - names);
  const dry = plan.dryRun ? ['DRY RUN (behavior.dry_run = true): every step is logged, none is run.'] : [];
  return [
    `${title}: at most ${formatPlanTime(plan.boundSeconds)}, about ${formatPlanTime(plan.estimateSeconds)} when nothing hangs`,
    `runs when ${feeds.runsWhen}`,
    ...dry,
    `${' '.repeat(names)}${axis.labels}`,
    ...phasesOf(plan).flatMap(({ phase, spans }) => [
      phase.name,
      ...phase.steps.flatMap((step) => stepLines(step, spans, axis, names, aboutServer(step, feeds))),
    ]),
    `${' '.repeat(names)}█ when nothing hangs   ░ up to its limit`,
    ...againstTheBattery(plan, thresholdSeconds),
  ].join('\n');
}

function againstTheBattery(plan: Plan, thresholdSeconds: number | null): readonly string[] {
  if (thresholdSeconds === null) return [];
  const { boundSeconds } = withoutWaits(plan);
  const spare = thresholdSeconds - boundSeconds;
  const waits =
    boundSeconds === plan.boundSeconds
      ? []
      : [
          `Without the waits for servers to be off it is at most ${formatPlanTime(boundSeconds)}: a wait ends early when the battery needs it.`,
        ];
  const given = `critical_runtime_threshold leaves ${formatSetting(thresholdSeconds)}`;
  if (spare >= 0) return [...waits, `${given}: in the worst case ${formatPlanTime(spare)} are left.`];
  return [
    ...waits,
    `${given}: in the worst case ${formatPlanTime(-spare)} are missing. Raise critical_runtime_threshold, or shorten the timeouts of the longest steps.`,
  ];
}

/** What it took so far; it goes down with its own group, and with this host if `drain_on_local_shutdown` is on. */
function aboutServer(
  { action, target }: PlanStep,
  { runsWhen, targets, took }: PlanFeeds,
): readonly string[] {
  if (action.kind !== 'remote') return [];
  const known = targets.find(({ name }) => name === target);
  const others = (known?.goesDownWhen ?? []).filter((when) => when !== runsWhen);
  return [
    ...(took.get(target) ?? []).map((text) => `took: ${text}`),
    ...others.map((when) => `also goes down when ${when}`),
  ];
}

interface PlacedPhase {
  readonly phase: PlanPhase;
  readonly spans: ReadonlyMap<string, Span>;
}

/** Each phase with the times of its steps: lanes side by side, ranks one after the other. */
function phasesOf({ phases }: Plan): readonly PlacedPhase[] {
  let expected = 0;
  return phases.map((phase) => {
    const soonest = beginningsOf(phase.steps, expected, (step) => step.estimateSeconds);
    const latest = beginningsOf(phase.steps, phase.beginsAfterSeconds, (step) => step.budgetSeconds);
    const spans = new Map(
      [...soonest].map(([step, beginsSeconds]): [string, Span] => [
        step.id,
        {
          beginsSeconds,
          endsSeconds: beginsSeconds + step.estimateSeconds,
          latestSeconds: (latest.get(step) ?? 0) + step.budgetSeconds,
        },
      ]),
    );
    expected += phase.estimateSeconds;
    return { phase, spans };
  });
}

function stepLines(
  step: PlanStep,
  spans: ReadonlyMap<string, Span>,
  axis: Axis,
  names: number,
  also: readonly string[],
): readonly string[] {
  const name = clip(`  ${step.target}`, names - 1).padEnd(names);
  const span = spans.get(step.id);
  const details = [...detailsOf(step, span?.beginsSeconds === 0), ...also].map((text) => `      ${text}`);
  return [`${name}${span === undefined ? '' : barOf(span, axis)}`.trimEnd(), ...details];
}

/** The commands of a step, as in the configuration. */
function detailsOf({ action, budgetSeconds, begins }: PlanStep, isFirst: boolean): readonly string[] {
  const early = begins === 'with_sequence' && isFirst ? ', begins with the sequence' : '';
  return kindOf(action).details(action, `limit ${formatPlanTime(budgetSeconds)}`, early);
}

interface Axis {
  readonly secondsPerColumn: number;
  readonly labels: string;
}

function axisOf(boundSeconds: number, columns: number): Axis {
  const secondsPerColumn = Math.max(boundSeconds, 1) / Math.max(1, columns - tickWidth);
  const tick =
    tickSeconds.find((seconds) => seconds / secondsPerColumn >= tickWidth) ??
    tickSeconds[tickSeconds.length - 1] ??
    1;
  let labels = '';
  for (let at = 0; at <= boundSeconds + tick / 2; at += tick)
    labels = `${labels.padEnd(Math.round(at / secondsPerColumn))}${at === 0 ? '0' : formatSetting(at)}`;
  return { secondsPerColumn, labels };
}

function barOf({ beginsSeconds, endsSeconds, latestSeconds }: Span, { secondsPerColumn }: Axis): string {
  const column = (seconds: number): number => Math.round(seconds / secondsPerColumn);
  const begin = column(beginsSeconds);
  const solid = Math.max(1, column(endsSeconds) - begin);
  const light = Math.max(0, column(latestSeconds) - begin - solid);
  return `${' '.repeat(begin)}${'█'.repeat(solid)}${'░'.repeat(light)}`;
}

function clip(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
