// `npm run simulate:restarts -- --runs N --seed S --jobs J --minutes M --from K`: worlds of a host that may restart in place of its
// power-off. Prints the figures; exits 1 for a broken promise.
import { parseArgs } from 'node:util';
import { campaign } from '../campaign.js';
import { inWords, ofRestarts } from './figures.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '60' },
    from: { type: 'string', default: '0' },
    findings: { type: 'string', default: '10' },
  },
});
const startedMs = performance.now();
const figures = await campaign({
  ...ofRestarts,
  seed: Number(values.seed),
  runs: Number(values.runs),
  from: Number(values.from),
  jobs: Number(values.jobs),
  limitMs: Number(values.minutes) * 60_000,
  mostBroken: Number(values.findings),
});
const say = (line: string): unknown => process.stdout.write(`${line}\n`);
say(`seed ${values.seed}: ${inWords(figures)}`);
for (const { run, rule, text } of figures.broken) say(`run ${String(run)}: ${rule}: ${text}`);
say(figures.broken.length === 0 ? 'no promise was broken' : `${String(figures.broken.length)} BROKEN`);
say(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
if (figures.broken.length > 0) process.exitCode = 1;
