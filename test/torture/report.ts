// A line of text for each case, and the figures of many.
import { caseName } from './fault.js';
import type { Verdict } from './judge.js';

/** One line of plain text; broken promises and the command that repeats the case follow below it. */
export function lineOf({ of, broken, pollGapMs, firstCommandMs, sequence, api, backMs }: Verdict): string {
  const figures = [
    `polls ${seconds(pollGapMs)}`,
    `first command ${firstCommandMs === null ? 'none' : seconds(firstCommandMs)}`,
    sequence === null
      ? 'sequence none'
      : `sequence ${String(sequence.commanded)}/${String(sequence.reachable)}, ${seconds(sequence.tookMs)} of ${(sequence.boundMs / 1000).toFixed(0)} s`,
    `API ${seconds(api.slowestMs)}, away ${seconds(api.awayMs)}`,
    `well again ${backMs === null ? 'not' : seconds(backMs)}`,
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
export function worst(verdicts: readonly Verdict[], figure: (verdict: Verdict) => number | null): number {
  return Math.max(0, ...verdicts.flatMap((verdict) => figure(verdict) ?? []));
}
