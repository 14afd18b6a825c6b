// `npm run torture`: every fault alone at every moment, and pairs. Prints a line for each; exits 1 for a broken promise.
// `--seed S --pairs N --jobs J --minutes M`; `--only TEXT` runs the cases whose name contains it; `--short`; `--case JSON`
// repeats one; `--log` prints the daemon's log; `--write` updates docs/reliability.md; `--ledger FILE` keeps the results,
// and the next run with it skips the cases that held.
import { parseArgs } from 'node:util';
import { pairs, short, singles } from './cases.js';
import type { Case } from './fault.js';
import { caseName } from './fault.js';
import { Ledger } from './ledger.js';
import { namespaceProblem } from './namespaces.js';
import { writePage } from './page.js';
import { caseLine } from './report.js';
import { runCases } from './run.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261121' },
    pairs: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '120' },
    only: { type: 'string' },
    case: { type: 'string' },
    short: { type: 'boolean', default: false },
    ledger: { type: 'string' },
    log: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const refusal = namespaceProblem();
if (refusal !== null) {
  process.stderr.write(`torture cannot run here: ${refusal}\n`);
  process.exit(2);
}

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort());
const seed = parseCount('seed', values.seed);
const jobs = Math.max(1, parseCount('jobs', values.jobs));
const cases = chosen();
const ledger = new Ledger(values.ledger);
const wanted = inDrawnOrder(cases.filter((of) => ledger.heldOf(of) === undefined));
const startedAt = new Date();
const began = performance.now();
process.stdout.write(`seed ${String(seed)}, ${String(wanted.length)} cases, ${String(jobs)} side by side\n`);
const ran = await runCases({
  cases: wanted,
  jobs,
  withinMs: parseCount('minutes', values.minutes) * 60_000,
  keepsLog: values.log,
  onResult: (result, done) => {
    ledger.note(result);
    process.stdout.write(`${String(done).padStart(4)}/${String(wanted.length)} ${caseLine(result)}`);
  },
  warn: (text) => process.stderr.write(text),
  ended: ended.signal,
});
const tookSeconds = (performance.now() - began) / 1000;
ledger.note({ tookSeconds });
if (ended.signal.aborted) process.exit(130);
const results = cases.flatMap(
  (of) => ledger.heldOf(of) ?? ran.results.find((result) => caseName(result.of) === caseName(of)) ?? [],
);
const red = results.filter(({ broken }) => broken.length > 0);
process.stdout.write(
  `\n${String(results.length)} cases in ${(ledger.earlierSeconds + tookSeconds).toFixed(0)} s: ${String(results.length - red.length)} held, ${String(red.length)} red, ${String(ran.skipped.length)} skipped, ${String(ran.left)} left for want of time\n`,
);
for (const result of red) process.stdout.write(caseLine(result));
const wallSeconds = ledger.earlierSeconds + tookSeconds;
if (values.write)
  writePage({ results, skipped: ran.skipped, left: ran.left, seed, jobs, startedAt, wallSeconds });
if (red.length > 0 || results.length === 0) process.exitCode = 1;

function chosen(): readonly Case[] {
  if (values.case !== undefined) return [JSON.parse(values.case) as Case];
  const all = values.short
    ? short(seed)
    : [...singles(seed), ...pairs(seed, parseCount('pairs', values.pairs))];
  const { only } = values;
  return only === undefined ? all : all.filter((of) => caseName(of).includes(only));
}

/** In random order: an interrupted run has covered something of everything. */
function inDrawnOrder(all: readonly Case[]): readonly Case[] {
  return [...all].sort((a, b) => a.seed - b.seed);
}

function parseCount(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`--${name} is a whole number of 0 or more, not "${text}"\n`);
  process.exit(2);
}
