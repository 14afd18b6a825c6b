// One outage on one time axis, as numbers and words: what was, what is coming, and whether the plan fits. Pure.
import type { TriggerExplanation, UpsRow } from '../../shared/domain/status-model.js';
import type { TriggerName } from '../../shared/domain/states.js';
import type { Tone } from '../../shared/domain/wording.js';
import type { Sample } from './sample.js';
import type { Run } from './film-verdict.js';
import { verdictOf } from './film-verdict.js';
import type { Fit } from './forecast.js';
import { fitOf, forecastOf, paceOf } from './forecast.js';

export interface Scene {
  /** Unix seconds: when the power failed, or now when it has not. */
  readonly start: number;
  readonly now: number;
  readonly end: number;
  readonly outage: boolean;
  /** When a trigger fires or fired; null when none is in sight. */
  readonly triggerAt: number | null;
  readonly emptyAt: number | null;
  readonly thresholds: Readonly<Partial<Record<TriggerName, number>>>;
  readonly fit: Fit;
  /** Seconds of runtime that go in a second. */
  readonly pace: number;
  readonly tone: Tone;
  readonly text: string;
}

export interface SceneFacts {
  readonly row: UpsRow;
  readonly triggers: readonly TriggerExplanation[];
  readonly plan: { readonly boundSeconds: number; readonly estimateSeconds: number } | undefined;
  readonly samples: readonly Sample[];
  /** The sequence of this outage, if there was one. */
  readonly run: Run | null;
  readonly advisory: boolean;
  readonly now: number;
}

/** A battery that lasts far longer than anything on the axis would press it all into a corner. */
const longestTail = 5;
/** They have no switch: not being armed only says that the sequence has been. */
const alwaysOn: readonly TriggerName[] = ['LOW_BATTERY', 'CRITICAL_RUNTIME'];
/** Without a battery's word about itself: a quarter of an hour, as long as the usual limit of an outage. */
const blindSeconds = 900;

export function sceneOf(facts: SceneFacts): Scene {
  const { row, triggers, plan, samples, now } = facts;
  const outage = row.timeOnBattery > 0 || /\bOB\b/.test(row.status);
  const start = outage ? now - row.timeOnBattery : now;
  const thresholds = Object.fromEntries(
    triggers.flatMap(({ name, threshold, armed }) =>
      threshold === null || !(armed || alwaysOn.includes(name)) ? [] : [[name, threshold]],
    ),
  ) as Scene['thresholds'];
  const seen = samples.flatMap(({ ts, runtime }) => (runtime === null ? [] : [{ ts, value: runtime }]));
  const pace = outage ? paceOf(seen) : null;
  const forecast = forecastOf({
    charge: row.batteryCharge,
    runtime: row.runtime,
    depletionRate: outage ? row.depletionRate : null,
    runtimePace: pace,
    onBatterySeconds: row.timeOnBattery,
    // On line power nothing is armed by a reading, yet everything in the configuration would be.
    triggers: outage ? triggers : triggers.map((trigger) => ({ ...trigger, active: false })),
  });
  const { run } = facts;
  const triggerAt = run?.startedAt ?? (forecast.first === null ? null : now + forecast.first.inSeconds);
  const emptyAt = forecast.emptyInSeconds === null ? null : now + forecast.emptyInSeconds;
  const fit: Fit = plan === undefined ? { kind: 'unknown' } : fitOf(forecast, remaining(plan, run, now));
  const planned = (triggerAt ?? now + blindSeconds) + (plan?.boundSeconds ?? 0);
  const needed = Math.max(planned - start, now - start, 60);
  const end = start + Math.min(Math.max(needed, (emptyAt ?? 0) - start), needed * longestTail) * 1.04;
  const { tone, text } = verdictOf({
    forecast,
    fit,
    run,
    plan,
    advisory: facts.advisory,
    outage,
    pace: pace ?? 1,
  });
  return { start, now, end, outage, triggerAt, emptyAt, thresholds, fit, pace: pace ?? 1, tone, text };
}

type Needs = NonNullable<SceneFacts['plan']>;

/** What a plan still needs that has begun; nothing when it has ended. */
function remaining(plan: Needs, run: Run | null, now: number): Needs {
  if (run === null) return plan;
  const gone = run.endedAt === null ? now - run.startedAt : Infinity;
  return {
    boundSeconds: Math.max(0, plan.boundSeconds - gone),
    estimateSeconds: Math.max(0, plan.estimateSeconds - gone),
  };
}
