// An outage in words, the same for the page, the file that it saves, the command line and the reports.
import { durationInWords } from '../base/duration.js';
import type { LabelledFact } from '../base/format.js';
import { countText } from '../base/format.js';
import type { OutageCause, ShutdownRecord, ShutdownStepRecord } from './outage.js';
import { estimatedText } from '../status/wording.js';

export const outageCauses: Readonly<Record<OutageCause, string>> = {
  outage: 'power failure',
  'self-test': 'self test',
  calibration: 'calibration',
};

interface Lasted {
  readonly durationSeconds: number | null;
  readonly durationUncertain: boolean;
}

export function lastedText({ durationSeconds, durationUncertain }: Lasted): string {
  if (durationSeconds === null) return 'it lasts';
  const length = durationInWords(durationSeconds);
  return durationUncertain ? `about ${length} (the clock was set meanwhile)` : length;
}

export function chargeText(percent: number | null): string {
  return percent === null ? '' : `${String(percent)} %`;
}

interface OutageFacts extends Lasted {
  readonly cause: OutageCause;
  /** Unix seconds. */
  readonly start: number;
  readonly end: number | null;
  readonly endSeen: boolean;
  readonly clockSetSeconds: number | null;
  readonly interruptions: number;
  readonly lowestCharge: number | null;
  readonly lowestRuntimeSeconds: number | null;
  readonly energyWh: number | null;
  readonly energyEstimated: boolean;
  readonly powerFactor: number | null;
}

/** `time` writes Unix seconds in the time zone of the reader. */
export function outageFacts(
  outage: OutageFacts,
  time: (unixSeconds: number) => string,
): readonly LabelledFact[] {
  const { cause, start, end, endSeen, interruptions, clockSetSeconds } = outage;
  const { lowestCharge, lowestRuntimeSeconds, energyWh, energyEstimated, powerFactor } = outage;
  const ended = (at: number): string =>
    `${time(at)}${endSeen ? '' : ' (the last reading on battery: nobody saw the power return)'}`;
  const energy = (wh: number): string =>
    `${wh.toFixed(1)} Wh${energyEstimated ? ` (${estimatedText(powerFactor)})` : ''}`;
  const facts: readonly LabelledFact[] = [
    ['Cause', outageCauses[cause]],
    ['Begin', time(start)],
    ['End', end === null ? '' : ended(end)],
    ['Duration', lastedText(outage)],
    ['Clock', clockSetSeconds === null ? '' : clockText(clockSetSeconds)],
    ['Lowest charge', chargeText(lowestCharge)],
    ['Lowest runtime', lowestRuntimeSeconds === null ? '' : durationInWords(lowestRuntimeSeconds)],
    ['Energy from the battery', energyWh === null ? '' : energy(energyWh)],
    ['Power back for less than a minute', interruptions === 0 ? '' : countText(interruptions, 'time')],
  ];
  return facts.filter(([, text]) => text !== '');
}

function clockText(seconds: number): string {
  const [way, side] = seconds < 0 ? ['back', 'later'] : ['forward', 'earlier'];
  const by = durationInWords(Math.abs(seconds));
  return `it was set ${way} by ${by}: events of before that have dates that much ${side}`;
}

/** Of an event that was recorded before the clock was set; empty for any other. */
export function eventClockNote(
  { ts, clockSetSeconds }: { readonly ts: number; readonly clockSetSeconds?: number },
  time: (unixSeconds: number) => string,
): string {
  return clockSetSeconds === undefined
    ? ''
    : `the clock was set meanwhile: by it, that was at ${time(ts + clockSetSeconds)}`;
}

export function shutdownName({ label, dryRun }: Pick<ShutdownRecord, 'label' | 'dryRun'>): string {
  return `Shutdown of ${label}${dryRun ? ' (dry run)' : ''}`;
}

/** Why a shutdown started, marked when it was a dry run. */
export function shutdownReason({ why, dryRun }: Pick<ShutdownRecord, 'why' | 'dryRun'>): string {
  return `${why}${dryRun ? ' (dry run)' : ''}`;
}

/** When and why it started, what the plan expected, and how it ended. */
export function shutdownSummary(shutdown: ShutdownRecord, time: (unixSeconds: number) => string): string {
  const { startedAt, why, estimateSeconds, boundSeconds, over, cancelled } = shutdown;
  const state =
    cancelled !== '' ? `Cancelled: ${cancelled}` : over ? 'Complete' : 'Cut off, or still running';
  return `${time(startedAt)}: ${why}. Expected ${durationInWords(estimateSeconds)}, at most ${durationInWords(boundSeconds)}. ${state}.`;
}

export const stepColumns = ['Phase', 'Target', 'Begin', 'Took', 'Expected', 'At most', 'Result'] as const;

/** A step under `stepColumns`; the phase by its name in the configuration. */
export function stepCells(
  step: ShutdownStepRecord,
  time: (unixSeconds: number) => string,
): readonly string[] {
  const { phase, target, startedAt, endedAt, estimateSeconds, budgetSeconds, state, reason } = step;
  return [
    phase,
    target,
    startedAt === null ? '' : time(startedAt),
    startedAt === null || endedAt === null ? '' : tenths(endedAt - startedAt),
    tenths(estimateSeconds),
    tenths(budgetSeconds),
    reason === '' ? state : `${state}: ${reason}`,
  ];
}

const tenths = (seconds: number): string => `${seconds.toFixed(1)} s`;
