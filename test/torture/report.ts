// What came of the cases, in words and figures: a line for each on the screen, a table for the page.
import { caseName } from './fault.js';
import type { Verdict } from './judge.js';

/** One line of plain text. A broken promise is said below it. */
export function lineOf(verdict: Verdict): string {
  const { broken, of } = verdict;
  const cells = cellsOf(verdict);
  const figures = `polls ${cells.polls}, first command ${cells.trigger}, sequence ${cells.sequence}, API ${cells.api}, well again ${cells.back}`;
  const said = broken.map((what) => `\n       BROKEN: ${what}`).join('');
  const again = broken.length === 0 ? '' : `\n       again: -- --case '${JSON.stringify(of)}' --log`;
  return `${broken.length === 0 ? 'held ' : 'RED  '} ${caseName(of)}\n       ${figures}${said}${again}\n`;
}

interface Cells {
  readonly polls: string;
  readonly trigger: string;
  readonly sequence: string;
  readonly api: string;
  readonly back: string;
}

export function cellsOf({ pollGapMs, firstCommandMs, sequence, api, backMs }: Verdict): Cells {
  return {
    polls: seconds(pollGapMs),
    trigger: firstCommandMs === null ? 'none' : seconds(firstCommandMs),
    sequence:
      sequence === null
        ? 'none'
        : `${String(sequence.commanded)}/${String(sequence.reachable)}, ${seconds(sequence.tookMs)} of ${(sequence.boundMs / 1000).toFixed(0)} s`,
    api: `${seconds(api.slowestMs)}, away ${seconds(api.awayMs)}`,
    back: backMs === null ? 'not' : seconds(backMs),
  };
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 99_950 ? 1 : 0)} s`;
}

/** The worst of a figure over many verdicts, in ms; 0 without any. */
export function worst(verdicts: readonly Verdict[], figure: (verdict: Verdict) => number | null): number {
  return Math.max(0, ...verdicts.flatMap((verdict) => figure(verdict) ?? []));
}
