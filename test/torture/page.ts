// Writes the summary and the tables of a run into docs/reliability.md, between its marks. The rest is written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import type { Part } from './fault.js';
import { caseName, moments, parts } from './fault.js';
import { catalogue, faultNamed } from './faults/catalogue.js';
import type { CaseResult } from './checker.js';
import { seconds, worst } from './report.js';
import type { RunResult } from './run.js';
import type { OwnProcess } from './workers.js';
import { ownWorkers } from './workers.js';

const page = new URL('../../../docs/reliability.md', import.meta.url);

export interface RunSummary extends RunResult {
  readonly seed: number;
  readonly jobs: number;
  readonly startedAt: Date;
  readonly wallSeconds: number;
}

export function writePage(run: RunSummary): void {
  writeFileSync(page, filledIn(readFileSync(page, 'utf8'), run));
}

/** The page with the summary and the tables of this run between its marks. Throws without the marks. */
export function filledIn(text: string, run: RunSummary): string {
  const marked = { 'torture summary': summary(run), torture: tables(run.results) };
  return Object.entries(marked).reduce((whole, [name, lines]) => {
    const place = new RegExp(`(?<=<!-- ${name}: begin -->\\n).*(?=<!-- ${name}: end -->)`, 's');
    if (!place.test(whole)) throw new Error(`the page has no marks for "${name}"`);
    return whole.replace(place, () => ['', ...lines, '', ''].join('\n'));
  }, text);
}

function summary(run: RunSummary): readonly string[] {
  const { results, skipped, left, seed, jobs, startedAt, wallSeconds } = run;
  const red = results.filter(({ broken }) => broken.length > 0).length;
  const machine = `${String(availableParallelism())} cores\n(${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Linux ${release()}, Node.js ${process.version}`;
  const load = loadavg()[0] ?? 0;
  return [
    `**${String(results.length)} cases, ${red === 0 ? 'every promise held' : `${String(red)} RED`}**, ${String(skipped.length)} skipped${left === 0 ? '' : `, ${String(left)} more not played for want of time`}. Seed ${String(seed)}, ${startedAt.toISOString().slice(0, 10)}, ${String(jobs)} cases side by side, ${(wallSeconds / 60).toFixed(0)} minutes, on ${machine}; load average at the end ${load.toFixed(1)}.`,
    '',
    '| Worst of all cases | on mains | on battery | in a sequence |',
    '|---|---|---|---|',
    across('an untouched UPS was not polled for', results, (one) => (awake(one) ? one.pollGapMs : null)),
    across('the same, where the whole daemon was stopped or dead', results, (one) =>
      awake(one) ? null : one.pollGapMs,
    ),
    across('from low battery to the first command', results, (one) =>
      awake(one) && sees(one) ? one.firstCommandMs : null,
    ),
    across('the same, where the daemon was stopped or dead, or could not see its UPS', results, (one) =>
      awake(one) && sees(one) ? null : one.firstCommandMs,
    ),
    across('the sequence, first step to power-off', results, ({ sequence }) => sequence?.tookMs ?? null),
    across('the API away, where nothing had hit it', results, (result) =>
      untouchedApi(result) ? result.api.awayMs : null,
    ),
    across('until all was well again', results, ({ recoveryMs }) => recoveryMs),
    ...(skipped.length > 0 ? [''] : []),
    ...skipped.map(({ of, why }) => `- Skipped: ${caseName(of)}: ${why}`),
  ];
}

function across(
  what: string,
  results: readonly CaseResult[],
  figure: (result: CaseResult) => number | null,
): string {
  const cells = moments.map((moment) =>
    worstIn(
      results.filter(({ of }) => of.moment === moment),
      figure,
    ),
  );
  return `| ${what} | ${cells.join(' | ')} |`;
}

/** No fault stopped or killed the whole daemon. */
function awake({ of }: CaseResult): boolean {
  return of.faults.map(faultNamed).every(({ part }) => part !== 'daemon');
}

function sees({ of }: CaseResult): boolean {
  return of.faults.map(faultNamed).every(({ allowance }) => allowance.blind !== true);
}

function untouchedApi({ of }: CaseResult): boolean {
  return of.faults
    .map(faultNamed)
    .every(({ allowance }) => allowance.api !== true && allowance.stoppedMs === undefined);
}

/** One row a fault, with the worst of its moments. Pairs have no row. Every case that broke a promise is listed. */
function tables(results: readonly CaseResult[]): readonly string[] {
  const red = results.filter(({ broken }) => broken.length > 0);
  const casesOf = (name: string): readonly CaseResult[] =>
    results.filter(({ of }) => of.faults.length === 1 && of.faults[0] === name);
  return [
    ...[...new Set(parts.map(headingOf))].flatMap((heading) => {
      const faults = catalogue.filter(
        ({ name, part }) => headingOf(part) === heading && casesOf(name).length > 0,
      );
      if (faults.length === 0) return [];
      return [
        ...['', `### ${heading}`, ''],
        '| Fault | Others polled | First command | Sequence | API away | Well again |',
        '|---|---|---|---|---|---|',
        ...faults.map(({ name }) => `| ${[name, ...worstOf(casesOf(name))].join(' | ')} |`),
      ];
    }),
    ...(red.length > 0 ? ['', '### Broken promises', ''] : []),
    ...red.map(({ of, broken }) => `- ${caseName(of)}: ${broken.join('; ')}`),
  ].slice(1);
}

function worstOf(cases: readonly CaseResult[]): readonly string[] {
  return [
    worstIn(cases, ({ pollGapMs }) => pollGapMs),
    worstIn(cases, ({ firstCommandMs }) => firstCommandMs),
    worstIn(cases, ({ sequence }) => sequence?.tookMs ?? null),
    worstIn(cases, ({ api }) => api.awayMs),
    cases.some(({ recoveryMs }) => recoveryMs === null)
      ? 'not'
      : worstIn(cases, ({ recoveryMs }) => recoveryMs),
  ];
}

function worstIn(cases: readonly CaseResult[], figure: (result: CaseResult) => number | null): string {
  return cases.some((one) => figure(one) !== null) ? seconds(worst(cases, figure)) : 'none';
}

const pollers = 'Pollers';
const servers = 'Servers';
const machine = 'The machine and the daemon';
const others: Readonly<Record<Exclude<Part, OwnProcess>, string>> = {
  'nut-local': pollers,
  'nut-1': pollers,
  upsd: servers,
  sshd: servers,
  broker: servers,
  'notification server': servers,
  disk: machine,
  descriptors: machine,
  clock: machine,
  daemon: machine,
};

function headingOf(part: Part): string {
  const isOwn = (one: Part): one is OwnProcess => one in ownWorkers;
  return isOwn(part) ? ownWorkers[part].heading : others[part];
}
