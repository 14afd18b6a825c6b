// A transcript with what policy does about it in its places, as it is printed and copied.
import { parseTranscript } from './parse.js';
import { TranscriptRun } from './run.js';

/** `text` with the effects of the policy of now; expected lines that it had are left out. */
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
