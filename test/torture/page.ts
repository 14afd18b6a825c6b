// Writes the tables of a run into docs/reliability.md, between its marks; what stands outside of them is written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Moment } from './fault.js';
import { moments } from './fault.js';
import { faultNamed } from './faults/catalogue.js';
import type { Verdict } from './judge.js';
import { cellsOf, seconds, worst } from './report.js';
import type { Ran } from './run.js';

const page = fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url));
const marks = ['<!-- torture: begin -->', '<!-- torture: end -->'] as const;

export interface Told extends Ran {
  readonly seed: number;
  readonly jobs: number;
  readonly startedAt: Date;
  readonly wallSeconds: number;
}

/** Throws when the page has lost its marks. */
export function writePage(told: Told): void {
  const text = readFileSync(page, 'utf8');
  const [from, to] = marks.map((mark) => text.indexOf(mark));
  if (from === undefined || to === undefined || from < 0 || to < from)
    throw new Error(`${page} has no place for the tables: ${marks.join(' ... ')}`);
  writeFileSync(page, `${text.slice(0, from)}${marks[0]}\n\n${tables(told)}\n${text.slice(to)}`);
}

export function tables(told: Told): string {
  const { verdicts } = told;
  const alone = verdicts.filter(({ of }) => of.faults.length === 1);
  const together = verdicts.filter(({ of }) => of.faults.length > 1);
  const groups = new Map<string, Verdict[]>();
  for (const verdict of alone) {
    const heading = headingOf(verdict.of.faults[0] ?? '');
    groups.set(heading, [...(groups.get(heading) ?? []), verdict]);
  }
  return [
    ...summary(told),
    ...[...groups].flatMap(([heading, rows]) => [`### ${heading}`, '', ...table(rows)]),
    ...(together.length > 0 ? ['### Two at once', '', ...table(together)] : []),
  ].join('\n');
}

function summary(told: Told): readonly string[] {
  const { verdicts, skipped, left, seed, jobs, startedAt, wallSeconds } = told;
  const red = verdicts.filter(({ broken }) => broken.length > 0).length;
  const machine = `${String(availableParallelism())} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Linux ${release()}, Node.js ${process.version}`;
  const load = loadavg()[0] ?? 0;
  return [
    `**${String(verdicts.length)} cases, ${red === 0 ? 'every promise held' : `${String(red)} RED`}**, ${String(skipped.length)} skipped${left === 0 ? '' : `, ${String(left)} more not played for want of time`}. Seed ${String(seed)}, ${startedAt.toISOString().slice(0, 10)}, ${String(jobs)} cases side by side, ${(wallSeconds / 60).toFixed(0)} minutes, on ${machine}; load average at the end ${load.toFixed(1)}.`,
    '',
    '| Worst of all cases | on mains | on battery | in a sequence |',
    '|---|---|---|---|',
    across('an untouched UPS was not polled for', verdicts, (one) => (awake(one) ? one.pollGapMs : null)),
    across('the same, where the whole daemon was stopped or dead', verdicts, (one) =>
      awake(one) ? null : one.pollGapMs,
    ),
    across('from low battery to the first command', verdicts, (one) =>
      awake(one) && sees(one) ? one.firstCommandMs : null,
    ),
    across('the same, where the daemon was stopped or dead, or could not see its UPS', verdicts, (one) =>
      awake(one) && sees(one) ? null : one.firstCommandMs,
    ),
    across('the sequence, first step to power-off', verdicts, ({ sequence }) => sequence?.tookMs ?? null),
    across('the API away, where nothing had hit it', verdicts, (verdict) =>
      untouchedApi(verdict) ? verdict.api.awayMs : null,
    ),
    across('until all was well again', verdicts, ({ backMs }) => backMs),
    '',
    ...skipped.map(({ of, why }) => `Skipped: ${of.faults.join(' + ')}, ${of.moment}: ${why}`),
    ...(skipped.length > 0 ? [''] : []),
  ];
}

function across(
  what: string,
  verdicts: readonly Verdict[],
  figure: (verdict: Verdict) => number | null,
): string {
  const cells = moments.map((moment) => {
    const at = verdicts.filter(({ of }) => of.moment === moment);
    return at.some((verdict) => figure(verdict) !== null) ? seconds(worst(at, figure)) : 'none';
  });
  return `| ${what} | ${cells.join(' | ')} |`;
}

/** It is not the daemon as a whole that was hit. */
function awake({ of }: Verdict): boolean {
  return of.faults.map(faultNamed).every(({ part }) => part !== 'daemon');
}

function sees({ of }: Verdict): boolean {
  return of.faults.map(faultNamed).every(({ excuse }) => excuse.blind !== true);
}

function untouchedApi({ of }: Verdict): boolean {
  return of.faults
    .map(faultNamed)
    .every(({ excuse }) => excuse.api !== true && excuse.stoppedMs === undefined);
}

const whenWords: Readonly<Record<Moment, string>> = {
  mains: 'mains',
  outage: 'battery',
  sequence: 'sequence',
};

function table(verdicts: readonly Verdict[]): readonly string[] {
  const rows = verdicts.map((verdict, index) => {
    const { of, broken } = verdict;
    const name = of.faults.join(', and ');
    const same = verdicts[index - 1]?.of.faults.join(', and ') === name;
    const { polls, trigger, sequence, api, back } = cellsOf(verdict);
    const held = broken.length === 0 ? 'all' : `**RED**: ${broken.join('; ').replaceAll('|', '/')}`;
    return `| ${same ? '' : name} | ${whenWords[of.moment]} | ${polls} | ${trigger} | ${sequence} | ${api} | ${back} | ${held} |`;
  });
  return [
    '| Fault | When | Others polled | First command | Targets, sequence | API slowest, away | Well again | Held |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ];
}

function headingOf(name: string): string {
  const { part } = faultNamed(name);
  switch (part) {
    case 'poller':
    case 'nut':
      return 'Pollers';
    case 'remote':
    case 'prober':
      return 'What logs in to servers';
    case 'storage':
      return 'The history';
    case 'api':
      return 'The API';
    case 'log':
      return 'The log';
    case 'mqtt':
    case 'notify':
    case 'outbound':
      return 'MQTT and notifications';
    case 'upsd':
    case 'sshd':
    case 'broker':
    case 'notification server':
      return 'Servers';
    case 'disk':
    case 'descriptors':
    case 'clock':
    case 'daemon':
      return 'The machine and the daemon itself';
  }
}
