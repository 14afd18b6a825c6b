// `scripts/test.sh` ends here: plays the tests of a built tree. `--all` plays everything, `--units` the unit tests alone;
// with files or folders only those are played. `--write-times` writes what was measured to test/run/times.txt.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { Cost } from './cost.js';
import { spent } from './cost.js';
import { testEnvironment, unknownZone } from './environment.js';
import { abandonedFolders, fullDisk, makeFolder, removeFolder } from './folder.js';
import { runJob } from './job-process.js';
import type { Level, RunJob } from './jobs.js';
import { allFiles, filesNamed, filesOf, jobsOf, shortName } from './jobs.js';
import { isLast } from './levels.js';
import { JobReport, totals } from './report.js';
import { runAll } from './schedule.js';
import { readTimes, writeTimes } from './times.js';

/** Beyond it the memory of a small machine is short: a daemon with its workers takes 300 MB. */
const jobsForProcessor = 4;

const { level, names, writes } = readArguments();
const full = fullDisk();
if (full !== null) give(full, 1);
for (const abandoned of abandonedFolders()) {
  say(`removing ${abandoned} of a run that was killed`);
  removeFolder(abandoned);
}
const folder = makeFolder();
process.once('exit', () => removeFolder(folder.path));
const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // Before what is stopped counts as failed.
    if (!ended.signal.aborted) tellFailures();
    ended.abort(signal);
  });

if (unknownZone(process.env['TZ']))
  say(`TZ=${process.env['TZ'] ?? ''} is no zone that Node knows: the tests run in UTC`);
const env = testEnvironment(folder);
const processors = availableParallelism();
const reports: JobReport[] = [];
const times = new Map<string, Cost>();
const files = allFiles();
const jobs = chosenJobs();
const bounds = { processors, jobs: jobsForProcessor * processors };
await runAll(
  jobs.filter(({ name }) => !isLast(name)),
  bounds,
  play,
  ended.signal,
);
await runAll(
  jobs.filter(({ name }) => isLast(name)),
  { processors: 1, jobs: 1 },
  play,
  ended.signal,
);
if (ended.signal.aborted)
  give(`stopped by ${String(ended.signal.reason)}; nothing of it is left, run it again`, 130);
if (writes) writeTimes(times, new Set(files.map(shortName)));
printEnd();

function chosenJobs(): readonly RunJob[] {
  if (names.length === 0) return jobsOf(filesOf(level, files), readTimes(), level !== 'units');
  try {
    return jobsOf(filesNamed(names, files), readTimes(), false);
  } catch (error) {
    return give(errorMessage(error), 2);
  }
}

async function play(job: RunJob): Promise<void> {
  const report = new JobReport(job);
  reports.push(report);
  const began = performance.now();
  report.end(await runJob(job, env, (message) => report.note(message), ended.signal));
  for (const [file, cost] of report.measured) times.set(shortName(file), cost);
  if (!ended.signal.aborted) process.stdout.write(report.line((performance.now() - began) / 1000));
}

function printEnd(): void {
  const skips = [...new Set(reports.flatMap((report) => report.skips))];
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    reports.reduce((total, report) => total + report[key], 0);
  const all = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  if (skips.length > 0) process.stdout.write(`\nskipped:\n${skips.map((line) => `  ${line}\n`).join('')}`);
  tellFailures();
  const full = all.failed === 0 ? null : fullDisk();
  if (full !== null) process.stdout.write(`${full}\n`);
  const { wall, cpu } = spent();
  process.stdout.write(
    `${wall.toFixed(0)} s, ${cpu.toFixed(0)} s of processor time on ${String(processors)} processors\n${totals(all)}\n`,
  );
  process.exitCode = all.failed === 0 ? 0 : 1;
}

function tellFailures(): void {
  const blocks = reports.flatMap((report) => report.blocks);
  if (blocks.length > 0) process.stdout.write(`\nwhat went wrong:\n\n${blocks.join('\n')}\n`);
}

function readArguments(): { level: Level; names: readonly string[]; writes: boolean } {
  const flag = { type: 'boolean', default: false } as const;
  const options = { all: flag, units: flag, 'write-times': flag };
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const level = values.all ? 'all' : values.units ? 'units' : 'default';
    return { level, names: positionals, writes: values['write-times'] };
  } catch (error) {
    return give(
      `${errorMessage(error)}\nusage: scripts/test.sh [--all | --units] [--installed] [FILE...]`,
      2,
    );
  }
}

function say(text: string): void {
  process.stderr.write(`test.sh: ${text}\n`);
}

function give(text: string, code: number): never {
  say(text);
  process.exit(code);
}
