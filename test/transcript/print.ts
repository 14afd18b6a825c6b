// Prints a transcript with the effects of policy in their places.
import { parseTranscript } from './parse.js';
import { TranscriptRun } from './run.js';

/** `text` with the effects of the present policy instead of its expected lines. */
export function withEffects(text: string): string {
  const transcript = parseTranscript(text);
  const run = new TranscriptRun(transcript);
  const head = text.split('\n').filter((line) => /^(#|ups |group )/.test(line));
  const timed = [
    ...transcript.commands.map(({ atMs, line }) => ({ atMs, rank: 0, text: line })),
    ...run.happened.flatMap(({ atMs, line, remark }) =>
      line === null ? [] : [{ atMs, rank: 1, text: `    = ${line}${remark === '' ? '' : `  # ${remark}`}` }],
    ),
  ].sort((a, b) => a.atMs - b.atMs || a.rank - b.rank);
  return `${[...head, '', ...timed.map((one) => one.text)].join('\n')}\n`;
}
