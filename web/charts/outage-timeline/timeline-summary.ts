// The sentence above a timeline: when a trigger fires and whether the plan fits the battery. Pure.
import type { Tone } from '../../../shared/domain/status/wording.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { triggerInWords } from '../../../shared/domain/status/wording.js';
import type { Fit, PlanForecast } from '../forecast.js';

/** A sequence with its times in Unix seconds; `endedAt` null while it runs. */
export interface Run {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly dryRun: boolean;
  readonly cancelled: boolean;
}

export interface SummaryInput {
  readonly forecast: PlanForecast;
  readonly fit: Fit;
  readonly run: Run | null;
  readonly plan: { readonly boundSeconds: number } | undefined;
  /** The UPS is a member of a redundancy group: its triggers start no shutdown. */
  readonly advisory: boolean;
  readonly outage: boolean;
  readonly pace: number;
}

export interface TimelineSummary {
  readonly tone: Tone;
  readonly text: string;
}

/** The text mentions a runtime that falls at least this many times as fast as time. */
export const notablePace = 1.5;

export function summarize(facts: SummaryInput): TimelineSummary {
  const { forecast, fit, run, plan, outage } = facts;
  if (run !== null && run.endedAt !== null) return afterRun(run, run.endedAt, forecast);
  const when = whenOf(facts);
  switch (fit.kind) {
    case 'nothing':
      return { tone: outage ? 'warning' : 'good', text: `${when}. There is nothing to shut down.` };
    case 'unknown': {
      const { emptyInSeconds } = forecast;
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
      const of = run === null ? 'would be left then' : 'are left';
      const left = `${durationInWords(fit.leftSeconds)} of battery ${of}`;
      const need = `the plan ${run === null ? '' : 'still '}needs at most ${durationInWords(fit.needSeconds)}`;
      const tones = { fits: outage ? 'warning' : 'good', tight: 'warning', short: 'danger' } as const;
      const who = facts.advisory ? ' The quorum of its group decides.' : '';
      return { tone: tones[fit.kind], text: `${when}; ${left}, ${need}. ${fits[fit.kind]}${who}` };
    }
  }
}

const fits = {
  fits: 'It fits.',
  tight: 'It fits only if nothing hangs.',
  short: 'It does not fit.',
} as const;

function afterRun(
  { startedAt, dryRun, cancelled }: Run,
  endedAt: number,
  { emptyInSeconds }: PlanForecast,
): TimelineSummary {
  const what = dryRun ? 'The dry run' : 'The shutdown sequence';
  const end = cancelled ? 'was cancelled' : `has ended after ${durationInWords(endedAt - startedAt)}`;
  const battery =
    emptyInSeconds === null ? '' : ` The battery lasts about ${durationInWords(emptyInSeconds)} more.`;
  return {
    tone: 'warning',
    text: `${what} ${end}.${battery}`,
  };
}

/** When the first trigger fires; a sentence without its end. */
export function whenOf({ forecast: { first }, run, advisory, outage, pace }: SummaryInput): string {
  if (run !== null) return 'The shutdown has started';
  if (first === null) return `${outage ? 'At this pace' : 'If the power failed now,'} no trigger is expected`;
  const by = `by ${triggerInWords(first.trigger)}`;
  const isNow = first.inSeconds < 0.5;
  const time = durationInWords(first.inSeconds);
  if (!outage) {
    const what = advisory ? 'its group would be notified' : 'the shutdown would start';
    return `If the power failed now, ${what} ${isNow ? 'at once' : `after ${time}`} ${by}`;
  }
  if (isNow) return `The limit is reached: ${triggerInWords(first.trigger)}`;
  return `At this pace${faster(pace)} ${advisory ? 'its group is notified' : 'the shutdown starts'} in ${time} ${by}`;
}

function faster(pace: number): string {
  return pace > notablePace ? ` (${pace.toFixed(pace < 10 ? 1 : 0)} times as fast as the UPS estimates)` : '';
}
