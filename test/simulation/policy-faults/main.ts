// `npm run simulate:faults -- --runs N --seed S --jobs J --minutes M --from K`: outages with a policy that throws, each beside the
// same outage with one that works. Prints the figures; exits 1 for a broken promise.
import { parseArgs } from 'node:util';
import { campaign } from '../campaign.js';
import { addFigures, blankFigures, inWords } from './figures.js';
import { FaultyProgram } from './program.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '60' },
    from: { type: 'string', default: '0' },
    findings: { type: 'string', default: '10' },
    missed: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const startedMs = performance.now();
const program = new FaultyProgram();
try {
  const figures = await campaign({
    seed,
    runs: Number(values.runs),
    from: Number(values.from),
    jobs: Number(values.jobs),
    limitMs: Number(values.minutes) * 60_000,
    mostBroken: Number(values.findings),
    entry: program.entry,
    blank: blankFigures,
    add: addFigures,
  });
  say(`seed ${values.seed}, ${String(program.places.length)} functions of policy, from run ${values.from}`);
  for (const line of inWords(figures)) say(line);
  if (values.missed)
    for (const { run, text, fault } of figures.missed)
      say(`run ${String(run)}: not met: ${text}; fault ${JSON.stringify(fault)}`);
  for (const { run, rule, text, fault } of figures.broken)
    say(`run ${String(run)}: ${rule}: ${text}; fault ${JSON.stringify(fault)}`);
  say(figures.broken.length === 0 ? 'no promise was broken' : `${String(figures.broken.length)} BROKEN`);
  say(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  if (figures.broken.length > 0) process.exitCode = 1;
} finally {
  program.remove();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
