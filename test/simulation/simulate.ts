// Plays outages against the real engine and looks for a broken promise: `npm run simulate -- --runs N --seed S
// --minutes M --jobs J`, or `--run K` for one run of a seed. Exits 1 with the seed and a transcript when it finds one.
// `--from K` continues a long campaign; `--findings N` lets it continue until it has found N.
import { parseArgs } from 'node:util';
import { campaign } from './campaign.js';
import { findingOf } from './finding.js';
import { generateScenario } from './generator/scenario.js';
import type { Tally } from './tally.js';
import { medianReadings, ofScenarios } from './tally.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '2' },
    from: { type: 'string', default: '0' },
    findings: { type: 'string', default: '1' },
    run: { type: 'string' },
  },
});
const seed = parseCount('seed', values.seed);
const startedMs = performance.now();
/** Interval of the progress lines. */
const progressMs = 5_000;
let toldMs = startedMs;

if (values.run === undefined) await manyRuns(parseCount('runs', values.runs));
else await oneRun(parseCount('run', values.run));

async function manyRuns(runs: number): Promise<void> {
  let shown = 0;
  const tally = await campaign({
    ...ofScenarios,
    seed,
    runs,
    from: parseCount('from', values.from),
    mostBroken: parseCount('findings', values.findings),
    jobs: parseCount('jobs', values.jobs),
    limitMs: parseCount('minutes', values.minutes) * 60_000,
    progress: (sofar) => {
      for (const { run, rule } of sofar.broken.slice(shown))
        process.stderr.write(`run ${String(run)}: ${rule}\n`);
      shown = sofar.broken.length;
      if (performance.now() - toldMs < progressMs) return;
      toldMs = performance.now();
      process.stderr.write(`${String(sofar.runs)} of ${String(runs)} runs, ${speedOf(sofar)}\n`);
    },
  });
  say(
    `seed ${String(seed)}: ${String(tally.runs)} runs, ${String(tally.runsWithOutage)} of them with an outage`,
  );
  say(
    `${String(tally.outages)} failures of mains, ${String(tally.readings)} readings, median ${String(medianReadings(tally))} a run`,
  );
  say(
    `${String(tally.starts)} sequences, ${String(tally.powerOffs)} power-offs, ${String(tally.blackouts)} batteries outlasted by the outage`,
  );
  say(speedOf(tally));
  for (const { run, rule, text } of tally.broken) say(`run ${String(run)}: ${rule}: ${text}`);
  const first = tally.broken[0];
  if (first === undefined) say('no promise was broken');
  else await oneRun(first.run);
}

async function oneRun(run: number): Promise<void> {
  const finding = await findingOf(generateScenario(seed, run));
  if (finding === null) return say(`run ${String(run)} of seed ${String(seed)} breaks no promise`);
  const again = `npm run simulate -- --seed ${String(seed)} --run ${String(run)}`;
  say(`\nBROKEN in run ${String(run)} of seed ${String(seed)}; again: ${again}\n`);
  say(finding.text);
  process.exitCode = 1;
}

function speedOf({ runsWithOutage, readings, playedMs }: Tally): string {
  const seconds = (performance.now() - startedMs) / 1000;
  const perSecond = (amount: number) => String(Math.round(amount / seconds));
  const hours = (playedMs / 3_600_000).toFixed(1);
  return `${seconds.toFixed(1)} s: ${perSecond(runsWithOutage)} outages/s, ${perSecond(readings)} readings/s, ${hours} h of simulated time`;
}

function parseCount(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    process.stderr.write(`--${name} is a whole number of 0 or more, not "${text}"\n`);
    process.exit(2);
  }
  return value;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
