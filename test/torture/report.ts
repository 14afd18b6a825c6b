// A line of text for each case, and the figures of many.
import { caseName } from './fault.js';
import type { CaseResult } from './checker.js';

/** One line of plain text; broken promises and the command that repeats the case follow below it. */
export function caseLine({
  of,
  broken,
  pollGapMs,
  firstCommandMs,
  sequence,
  api,
  recoveryMs,
}: CaseResult): string {
  const figures = [
    `polls ${seconds(pollGapMs)}`,
    `first command ${firstCommandMs === null ? 'none' : seconds(firstCommandMs)}`,
    sequence === null
      ? 'sequence none'
      : `sequence ${String(sequence.commanded)}/${String(sequence.reachable)}, ${seconds(sequence.tookMs)} of ${(sequence.boundMs / 1000).toFixed(0)} s`,
    `API ${seconds(api.slowestMs)}, away ${seconds(api.awayMs)}`,
    `well again ${recoveryMs === null ? 'not' : seconds(recoveryMs)}`,
  ];
  const problems = [
    ...broken.map((what) => `BROKEN: ${what}`),
    ...(broken.length === 0 ? [] : [`again: -- --case '${JSON.stringify(of)}' --log`]),
  ];
  return (
    [`${broken.length === 0 ? 'held' : 'RED'} ${caseName(of)}`, figures.join(', '), ...problems].join(
      '\n       ',
    ) + '\n'
  );
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 99_950 ? 1 : 0)} s`;
}

/** The worst of a figure over many verdicts, in ms; 0 without any. */
export function worst(results: readonly CaseResult[], figure: (result: CaseResult) => number | null): number {
  return Math.max(0, ...results.flatMap((result) => figure(result) ?? []));
}
