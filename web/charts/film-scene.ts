// One outage on one time axis, as numbers and words: what was, what is coming, and whether the plan fits. Pure.
import type { TriggerExplanation, UpsRow } from '../../shared/domain/status-model.js';
import type { TriggerName } from '../../shared/domain/states.js';
import type { Tone } from '../../shared/domain/wording.js';
import { durationInWords, triggerInWords } from '../../shared/domain/wording.js';
import type { Sample } from './film-data.js';
import type { Fit, Forecast } from './forecast.js';
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
  readonly tone: Tone;
  readonly text: string;
}

export interface SceneFacts {
  readonly row: UpsRow;
  readonly triggers: readonly TriggerExplanation[];
  readonly plan: { readonly boundSeconds: number; readonly estimateSeconds: number } | undefined;
  readonly samples: readonly Sample[];
  /** When the sequence of this outage began, if it has. */
  readonly sequenceStartedAt: number | null;
  readonly advisory: boolean;
  readonly now: number;
}

/** A battery that lasts far longer than anything on the axis would press it all into a corner. */
const longestTail = 5;
/** A runtime that falls this much faster than time is worth a word. */
const notablePace = 1.5;
/** Without a battery's word about itself: a quarter of an hour, as long as the usual limit of an outage. */
const blindSeconds = 900;

export function sceneOf(facts: SceneFacts): Scene {
  const { row, triggers, plan, samples, now } = facts;
  const outage = row.timeOnBattery > 0 || /\bOB\b/.test(row.status);
  const start = outage ? now - row.timeOnBattery : now;
  const thresholds = Object.fromEntries(
    triggers.flatMap(({ name, threshold, armed }) =>
      threshold === null || !armed ? [] : [[name, threshold]],
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
  const triggerAt =
    facts.sequenceStartedAt ?? (forecast.first === null ? null : now + forecast.first.inSeconds);
  const emptyAt = forecast.emptyInSeconds === null ? null : now + forecast.emptyInSeconds;
  const running = facts.sequenceStartedAt === null ? 0 : now - facts.sequenceStartedAt;
  const fit: Fit =
    plan === undefined
      ? { kind: 'unknown' }
      : fitOf(
          facts.sequenceStartedAt === null
            ? forecast
            : { first: { trigger: 'FSD', inSeconds: 0 }, emptyInSeconds: forecast.emptyInSeconds },
          {
            boundSeconds: Math.max(0, plan.boundSeconds - running),
            estimateSeconds: Math.max(0, plan.estimateSeconds - running),
          },
        );
  const planned = (triggerAt ?? now + blindSeconds) + (plan?.boundSeconds ?? 0);
  const needed = Math.max(planned - start, now - start, 60);
  const end = start + Math.min(Math.max(needed, (emptyAt ?? 0) - start), needed * longestTail) * 1.04;
  const { tone, text } = verdictOf(facts, forecast, fit, { outage, pace: pace ?? 1 });
  return { start, now, end, outage, triggerAt, emptyAt, thresholds, fit, tone, text };
}

function verdictOf(
  { plan, sequenceStartedAt, advisory }: SceneFacts,
  { first, emptyInSeconds }: Forecast,
  fit: Fit,
  { outage, pace }: { readonly outage: boolean; readonly pace: number },
): { readonly tone: Tone; readonly text: string } {
  const what = advisory ? 'its group is told' : outage ? 'the shutdown starts' : 'the shutdown would start';
  const faster =
    pace > notablePace ? ` (${pace.toFixed(pace < 10 ? 1 : 0)} times as fast as the UPS says)` : '';
  const when =
    sequenceStartedAt !== null
      ? 'The shutdown has started'
      : first === null
        ? `${outage ? 'At this pace' : 'If the power failed now,'} no trigger is in sight`
        : outage
          ? `At this pace${faster} ${what} in ${durationInWords(first.inSeconds)} by ${triggerInWords(first.trigger)}`
          : `If the power failed now, ${what} after ${durationInWords(first.inSeconds)} by ${triggerInWords(first.trigger)}`;
  switch (fit.kind) {
    case 'nothing':
      return { tone: outage ? 'warning' : 'good', text: `${when}. There is nothing to shut down.` };
    case 'unknown': {
      const battery =
        emptyInSeconds === null
          ? 'How long the battery lasts is unknown'
          : `The battery lasts about ${durationInWords(emptyInSeconds)}`;
      const need = plan === undefined ? '' : `; the plan needs at most ${durationInWords(plan.boundSeconds)}`;
      return { tone: 'unknown', text: `${when}. ${battery}${need}.` };
    }
    case 'fits':
    case 'tight':
    case 'short': {
      const left = `${durationInWords(fit.leftSeconds)} of battery ${sequenceStartedAt === null ? 'would be left then' : 'are left'}`;
      const need = `the plan needs at most ${durationInWords(fit.needSeconds)}`;
      const verdicts = {
        fits: 'It fits.',
        tight: 'It fits only if nothing hangs.',
        short: 'It does not fit.',
      };
      const tones = { fits: outage ? 'warning' : 'good', tight: 'warning', short: 'danger' } as const;
      const who = advisory ? ' The quorum of its group decides.' : '';
      return { tone: tones[fit.kind], text: `${when}; ${left}, ${need}. ${verdicts[fit.kind]}${who}` };
    }
  }
}
