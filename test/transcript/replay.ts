// Prints a transcript with the effects of policy: `node dist/test/transcript/replay.js FILE`. A copy of the output is a
// scenario. Exits 1 when expected lines differ.
import { readFileSync } from 'node:fs';
import { formatDuration } from './duration.js';
import { parseTranscript } from './parse.js';
import { withEffects } from './print.js';
import { TranscriptRun } from './run.js';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: replay FILE, a transcript as in test/scenarios\n');
  process.exit(2);
}
const text = readFileSync(file, 'utf8');
process.stdout.write(withEffects(text));

const transcript = parseTranscript(text);
const run = new TranscriptRun(transcript);
const firstDifference = transcript.expected.findIndex((line, index) => line !== run.lines[index]);
if (firstDifference !== -1 || run.lines.length > transcript.expected.length) {
  const at = firstDifference === -1 ? transcript.expected.length : firstDifference;
  const end = formatDuration(transcript.commands.at(-1)?.atMs ?? 0);
  process.stderr.write(
    `differs from what the file expects (it runs to ${end}); first at: expected "${transcript.expected[at] ?? 'nothing'}", found "${run.lines[at] ?? 'nothing'}"\n`,
  );
  process.exitCode = 1;
}
