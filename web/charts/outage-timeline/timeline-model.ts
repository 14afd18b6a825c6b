// The numbers and the text of a timeline: past, forecast, and whether the plan fits the battery. Pure.
import type { TriggerExplanation, UpsRow } from '../../../shared/domain/status/status-model.js';
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { Tone } from '../../../shared/domain/status/wording.js';
import type { Sample } from './sample.js';
import type { Run } from './timeline-summary.js';
import { notablePace, summarize, whenOf } from './timeline-summary.js';
import type { Fit } from '../forecast.js';
import { fitOf, forecastOf, paceOf } from '../forecast.js';

export interface TimelineModel {
  /** Unix seconds: when the power failed; now on line power. */
  readonly start: number;
  readonly now: number;
  readonly end: number;
  readonly outage: boolean;
  /** When a trigger fires or fired; null when none is expected. */
  readonly triggerAt: number | null;
  readonly emptyAt: number | null;
  readonly thresholds: Readonly<Partial<Record<TriggerName, number>>>;
  readonly fit: Fit;
  /** When a trigger fires, where the runtime falls faster than the UPS reports; else empty. */
  readonly paceWarning: string;
  readonly tone: Tone;
  readonly text: string;
}

export interface TimelineInput {
  readonly row: UpsRow;
  readonly triggers: readonly TriggerExplanation[];
  readonly plan: { readonly boundSeconds: number; readonly estimateSeconds: number } | undefined;
  readonly samples: readonly Sample[];
  /** The sequence of this outage, if there was one. */
  readonly run: Run | null;
  readonly advisory: boolean;
  readonly now: number;
}

/** The axis ends at this multiple of the needed time: a long battery time would compress everything else. */
const maxAxisFactor = 5;
/** The chart draws their thresholds also while no shutdown is armed. */
const alwaysOn: readonly TriggerName[] = ['LOW_BATTERY', 'CRITICAL_RUNTIME'];
/** The length of the axis when the battery reports nothing: the default of extended_time.threshold. */
const defaultAxisSeconds = 900;

export function timelineModel(facts: TimelineInput): TimelineModel {
  const { row, triggers, plan, samples, now } = facts;
  const outage = row.timeOnBattery > 0 || /\bOB\b/.test(row.status);
  const start = outage ? now - row.timeOnBattery : now;
  const thresholds = Object.fromEntries(
    triggers.flatMap(({ name, threshold, armed }) =>
      threshold === null || !(armed || alwaysOn.includes(name)) ? [] : [[name, threshold]],
    ),
  ) as TimelineModel['thresholds'];
  const runtimes = samples.flatMap(({ ts, runtime }) => (runtime === null ? [] : [{ ts, value: runtime }]));
  const pace = outage ? paceOf(runtimes) : null;
  const forecast = forecastOf({
    charge: row.batteryCharge,
    runtime: row.runtime,
    depletionRate: outage ? row.depletionRate : null,
    runtimePace: pace,
    onBatterySeconds: row.timeOnBattery,
    // On line power no trigger is active; the configured ones would be armed.
    triggers: outage ? triggers : triggers.map((trigger) => ({ ...trigger, active: false })),
  });
  const { run } = facts;
  const triggerAt = run?.startedAt ?? (forecast.first === null ? null : now + forecast.first.inSeconds);
  const emptyAt = forecast.emptyInSeconds === null ? null : now + forecast.emptyInSeconds;
  const fit: Fit = plan === undefined ? { kind: 'unknown' } : fitOf(forecast, remaining(plan, run, now));
  const planned = (triggerAt ?? now + defaultAxisSeconds) + (plan?.boundSeconds ?? 0);
  const needed = Math.max(planned - start, now - start, 60);
  const end = start + Math.min(Math.max(needed, (emptyAt ?? 0) - start), needed * maxAxisFactor) * 1.04;
  const { advisory } = facts;
  const summary = { forecast, fit, run, plan, advisory, outage, pace: pace ?? 1 };
  const paceWarning = run === null && summary.pace > notablePace ? `${whenOf(summary)}.` : '';
  const { tone, text } = summarize(summary);
  return { start, now, end, outage, triggerAt, emptyAt, thresholds, fit, paceWarning, tone, text };
}

type Needs = NonNullable<TimelineInput['plan']>;

/** The time that a started plan still needs; 0 when it has ended. */
function remaining(plan: Needs, run: Run | null, now: number): Needs {
  if (run === null) return plan;
  const elapsed = run.endedAt === null ? now - run.startedAt : Infinity;
  return {
    boundSeconds: Math.max(0, plan.boundSeconds - elapsed),
    estimateSeconds: Math.max(0, plan.estimateSeconds - elapsed),
  };
}
