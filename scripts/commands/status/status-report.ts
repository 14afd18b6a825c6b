// The text of `ridethrough status`: the table, the next step, warnings. Has no policy.
import { fullBatteryWarning } from './full-battery.js';
import { printable } from '../terminal/printable.js';
import type { SequenceModel, SequenceRun, UpsRow } from '../../../shared/domain/status/status-model.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import {
  detailInWords,
  furtherFlagsInWords,
  headlineOf,
  labelOf,
  onBattery,
  forecastLines,
  quantity,
  runsOf,
  triggerInWords,
  wasCancelled,
} from '../../../shared/domain/status/wording.js';
import { replacementInWords, scoreInWords } from '../../../shared/domain/ups/battery/wording.js';
import type { BatteryHealthBody } from '../../../shared/http/battery-bodies.js';
import type { ExplainBody, ReadyBody, StatusBody } from '../../../shared/http/bodies.js';

export interface StatusFacts {
  readonly status: StatusBody;
  /** Null when the request failed. */
  readonly sequence: SequenceModel | null;
  readonly ready: ReadyBody | null;
  readonly explanations: readonly ExplainBody[];
  readonly batteries: readonly BatteryHealthBody[];
}

export function statusReport(facts: StatusFacts): string {
  const { ups } = facts.status;
  const parts = [
    ups.length === 0 ? ['No UPS is configured.'] : table(facts),
    sequenceLines(facts),
    ups.flatMap((row) => nextLines(row, facts)),
    ups.flatMap((row) => batteryLines(row, facts)),
    ups.flatMap((row) => warningLines(row, facts)),
    readyLines(facts.ready),
  ];
  return printable(
    parts
      .filter((lines) => lines.length > 0)
      .map((lines) => `${lines.join('\n')}\n`)
      .join('\n'),
  );
}

function table({ status, ready }: StatusFacts): readonly string[] {
  const ages = new Map(ready?.ups.map(({ groupId, lastUpdateTime }) => [groupId, lastUpdateTime]));
  const rows = status.ups.map((row) => {
    const last = ages.get(row.groupId) ?? row.staleSince;
    return [
      row.label,
      headlineOf(row).text,
      quantity(row.batteryCharge, '%'),
      row.runtime === null ? 'unknown' : durationInWords(row.runtime),
      quantity(row.load, '%'),
      last === null ? 'never' : `${durationInWords(status.generatedAt - last)} ago`,
    ];
  });
  const all = [['UPS', 'STATE', 'CHARGE', 'RUNTIME', 'LOAD', 'LAST READING'], ...rows];
  const widths =
    all[0]?.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return all.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

/** Facts that are not in the table: why a UPS cannot be read, its other status words, the next step in an outage. */
function nextLines(row: UpsRow, { explanations }: StatusFacts): readonly string[] {
  const lines: string[] = [];
  if (row.connectionDetail !== 'OK') lines.push(`${detailInWords(row.connectionDetail)}.`);
  const flags = furtherFlagsInWords(row);
  if (flags.length > 0) lines.push(`${flags.join(', ')}.`);
  if (row.triggerReason !== '') lines.push(`shutdown trigger met: ${triggerInWords(row.triggerReason)}.`);
  if (onBattery(row)) {
    lines.push(`on battery for ${durationInWords(row.timeOnBattery)}.`);
    const text = explanations.find(({ ups }) => ups === row.name)?.text;
    lines.push(
      ...(text === undefined ? ['the forecast could not be read; try again.'] : forecastLines(text)),
    );
  }
  return lines.map((line) => `${row.label}: ${line}`);
}

function batteryLines(row: UpsRow, { batteries }: StatusFacts): readonly string[] {
  const health = batteries.find(({ ups }) => ups === row.name)?.batteryHealth ?? null;
  if (health === null || health.score === null) return [];
  const { state } = health.replacement;
  const when =
    state === 'unknown' || state === 'none' ? '' : `; replacement ${replacementInWords(health.replacement)}`;
  return [`${row.label}: battery health ${scoreInWords(health)}${when}.`];
}

function warningLines(row: UpsRow, { explanations }: StatusFacts): readonly string[] {
  const threshold = explanations
    .find(({ ups }) => ups === row.name)
    ?.triggers.find(({ name }) => name === 'CRITICAL_RUNTIME')?.threshold;
  const warning = fullBatteryWarning(row, threshold ?? 0);
  return warning === null ? [] : [`Warning: ${warning}`];
}

function sequenceLines({ sequence, status }: StatusFacts): readonly string[] {
  return runsOf(sequence ?? { active: false }).flatMap((run) => runLines(run, status));
}

function runLines(run: SequenceRun, status: StatusFacts['status']): readonly string[] {
  const label = labelOf(run.group, status);
  const failed = run.steps.filter(({ state }) => state === 'failed');
  const ended = run.steps.filter(({ state }) => state !== 'pending' && state !== 'running').length;
  const what = `${run.dryRun ? 'The dry run (nothing is shut down)' : 'The shutdown'} of ${label}`;
  const since = `began at ${localTime(run.startedAt)}`;
  if (wasCancelled(run)) return [`${what} ${since} and was cancelled.`];
  const progress = `${String(ended)} of ${String(run.steps.length)} steps have ended`;
  const point = run.pointOfNoReturn
    ? 'it can no longer be cancelled'
    : 'it is cancelled if the power returns now';
  return [
    run.active
      ? `${what} ${since} and is RUNNING, phase ${run.phase}: ${progress}, ${point}.`
      : `${what} ${since} and has ended: ${progress}.`,
    ...failed.map(({ target, error }) => `  failed: ${target}: ${error ?? 'no reason given'}`),
  ];
}

function readyLines(ready: ReadyBody | null): readonly string[] {
  if (ready === null || ready.ready) return [];
  return ['The daemon is not ready for an outage:', ...ready.reasons.map((reason) => `  ${reason}`)];
}
