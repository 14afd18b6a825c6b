// An outage of test/scenarios/ as a picture for readers: a bar of the power source, and a table of what happens when.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { durationInWords } from '../../shared/domain/base/duration.js';
import type { PollOutcome } from '../../supervisor/policy/base/inputs.js';
import type { Transcript } from './parse.js';
import { parseTranscript } from './parse.js';
import { TranscriptRun } from './run.js';

const root = join(import.meta.dirname, '../../..');
export const page = join(root, 'docs/triggers.md');
const columns = 60;

interface Poll {
  readonly atMs: number;
  readonly outcome: PollOutcome;
}

/** The page with the timeline of the present policy in each block ```timeline NAME. */
export function withTimelines(text: string): string {
  return text.replace(
    /(```timeline ([\w-]+)\n)[^]*?(?=```)/g,
    (_, head: string, name: string) => head + timeline(name),
  );
}

export function timeline(name: string): string {
  const transcript = ofFirstUps(
    parseTranscript(readFileSync(join(root, `test/scenarios/${name}.txt`), 'utf8')),
  );
  const polls: Poll[] = [];
  let beganMs: number | undefined;
  const run = new TranscriptRun(transcript, (input) => {
    beganMs ??= input.at.monotonicMs;
    if (input.kind === 'polled') polls.push({ atMs: input.at.monotonicMs - beganMs, outcome: input.outcome });
  });
  const endMs = transcript.commands.at(-1)?.atMs ?? 0;
  const starts = run.happened.flatMap(({ atMs, effect }) => (effect.kind === 'startSequence' ? [atMs] : []));
  const rows = [
    ...transcript.commands.slice(0, -1).map(({ atMs }) => ({ atMs, words: '' })),
    ...run.happened.flatMap(({ atMs, effect }) => {
      if (effect.kind === 'startSequence')
        return [{ atMs, words: `the shutdown starts by ${effect.trigger}: ${effect.why}` }];
      const shown = effect.kind === 'recordEvent' && !/^SHUTDOWN_|^FSD_DETECTED/.test(effect.type);
      return shown ? [{ atMs, words: `${effect.type}: ${effect.detail}` }] : [];
    }),
  ]
    .sort((a, b) => a.atMs - b.atMs)
    .filter(
      ({ atMs, words }, index, all) => words !== '' || !all.some((row, i) => i > index && row.atMs === atMs),
    )
    .map(({ atMs, words }) => [durationInWords(atMs / 1000), ...shownPoll(pollAt(polls, atMs)), words]);
  return `${bar(polls, starts, endMs)}\n\n${table(rows)}\n`;
}

/** The others of a scenario without groups are the same outage in other variants. */
function ofFirstUps(transcript: Transcript): Transcript {
  const [ups] = transcript.ups;
  if (ups === undefined || transcript.groups.length > 0) throw new Error('a timeline shows one UPS');
  const commands = transcript.commands.filter(
    ({ command }) => !('ups' in command) || command.ups === ups.groupId,
  );
  return { ...transcript, ups: [ups], commands };
}

/** The poll at that time, or the last one before it. */
const pollAt = (polls: readonly Poll[], atMs: number): PollOutcome | undefined =>
  polls.findLast((poll) => poll.atMs <= atMs)?.outcome;

function bar(polls: readonly Poll[], starts: readonly number[], endMs: number): string {
  const cells = Array.from({ length: columns }, (_, i) => signOf(pollAt(polls, (endMs * i) / columns)));
  for (const atMs of starts) cells[Math.min(columns - 1, Math.floor((atMs / endMs) * columns))] = '▼';
  return `0 ${cells.join('')} ${durationInWords(endMs / 1000)}`;
}

function signOf(outcome: PollOutcome | undefined): string {
  if (outcome?.kind !== 'reading') return '·';
  return outcome.reading.status.includes('OB') ? '░' : '█';
}

function shownPoll(outcome: PollOutcome | undefined): readonly string[] {
  if (outcome?.kind !== 'reading') return ['not read', '', ''];
  const { status, chargePercent, runtimeSeconds } = outcome.reading;
  return [
    status.join(' '),
    chargePercent === null ? '' : `${String(chargePercent)} %`,
    runtimeSeconds === null ? '' : durationInWords(runtimeSeconds),
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
