// `npm run torture`: every fault alone at every moment, and pairs; a line for each, exit code 1 for a broken promise.
// `--seed S --pairs N --jobs J`; `--only TEXT` plays cases whose name has it; `--short`; `--case JSON` plays one again;
// `--log` shows what the daemon said; `--write` puts the tables into docs/reliability.md.
import { parseArgs } from 'node:util';
import { pairs, short, singles } from './cases.js';
import type { Case } from './fault.js';
import { caseName } from './fault.js';
import { whyNoNest } from './nest.js';
import { writePage } from './page.js';
import { lineOf } from './report.js';
import { runCases } from './run.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261121' },
    pairs: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '3' },
    only: { type: 'string' },
    case: { type: 'string' },
    short: { type: 'boolean', default: false },
    log: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const refusal = whyNoNest();
if (refusal !== null) {
  process.stderr.write(`nothing can be tortured here: ${refusal}\n`);
  process.exit(2);
}

const seed = whole('seed', values.seed);
const jobs = Math.max(1, whole('jobs', values.jobs));
const cases = chosen();
const startedAt = new Date();
const began = performance.now();
process.stdout.write(`seed ${String(seed)}, ${String(cases.length)} cases, ${String(jobs)} side by side\n`);
const ran = await runCases({
  cases,
  jobs,
  keepsLog: values.log,
  told: (verdict, done) =>
    process.stdout.write(`${String(done).padStart(4)}/${String(cases.length)} ${lineOf(verdict)}`),
  say: (text) => process.stderr.write(text),
});
const wallSeconds = (performance.now() - began) / 1000;
const red = ran.verdicts.filter(({ broken }) => broken.length > 0);
process.stdout.write(
  `\n${String(ran.verdicts.length)} cases in ${wallSeconds.toFixed(0)} s: ${String(ran.verdicts.length - red.length)} held, ${String(red.length)} red, ${String(ran.skipped.length)} skipped\n`,
);
for (const verdict of red) process.stdout.write(lineOf(verdict));
if (values.write) writePage({ ...ran, seed, jobs, startedAt, wallSeconds });
if (red.length > 0 || ran.verdicts.length === 0) process.exitCode = 1;

function chosen(): readonly Case[] {
  if (values.case !== undefined) return [JSON.parse(values.case) as Case];
  const all = values.short ? short(seed) : [...singles(seed), ...pairs(seed, whole('pairs', values.pairs))];
  const { only } = values;
  return only === undefined ? all : all.filter((of) => caseName(of).includes(only));
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`--${name} is a whole number of 0 or more, not "${text}"\n`);
  process.exit(2);
}
