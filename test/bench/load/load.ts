// A thousand UPSes polled every second, with readers of the API: the cost of each process, skipped polls, the lateness of
// polls, and whether a shutdown starts as soon as with one UPS.
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startDaemon } from '../../fixtures/running-daemon.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';
import type { BenchOptions } from '../options.js';
import type { Figure } from '../table.js';
import { percentile, spread } from '../table.js';
import { actionTimes } from './action.js';
import type { DaemonProcess } from './daemon-processes.js';
import { cpuSecondsOf, holdingsOf, processesOf, restartsFigure, restartsIn } from './daemon-processes.js';
import { Fleet } from './fleet.js';
import type { ReaderKind, ReadersAnswers, ReadersOrders } from './messages.js';
import { Program } from './messages.js';
import type { PollFigures } from './polls.js';
import { checkPolls } from './polls.js';

const usual = { ups: 1_000, seconds: 120, rounds: 10 };
const intervalMs = 1_000;
const latenessGoalMs = 250;
/** For a machine with other work; an idle one needs half of it. */
const startWithinMs = 300_000;
/** After the first polls of all UPSes and the JIT compilation of the hot code. */
const settleMs = 5_000;
const readersMs: { readonly [K in ReaderKind]: number } = {
  health: 100,
  ups: 1_000,
  metrics: 5_000,
  history: 500,
};

export interface LoadReport {
  readonly startMs: number;
  readonly polls: PollFigures;
  readonly figures: readonly Figure[];
}

export async function load(options: BenchOptions): Promise<readonly Figure[]> {
  const { ups = usual.ups, seconds = usual.seconds, rounds = usual.rounds } = options;
  const alone = await underLoad(1, 5, rounds);
  const { figures } = await underLoad(ups, seconds, rounds);
  const [one] = alone.figures.filter(({ what }) => what === actionTitle);
  return [...figures, { what: 'the same with one UPS', value: one?.value ?? '' }];
}

const actionTitle = 'poll that is answered with FSD -> power-off command';

/** Runs one daemon with `size` UPSes; `rounds` 0 omits the shutdowns. */
async function underLoad(size: number, seconds: number, rounds: number): Promise<LoadReport> {
  const fleet = await Fleet.start(size);
  const readers = new Program<ReadersOrders, ReadersAnswers>('./readers-program.js');
  let daemon: RunningDaemon | undefined;
  try {
    const startedMs = performance.now();
    daemon = await startDaemon({ toml: fleet.configuration({ apiPort: 0 }), ready: false });
    await allSeen(daemon, size);
    const startMs = performance.now() - startedMs;
    await readers.order('read', {
      apiPort: await daemon.apiListens(),
      names: fleet.names,
      everyMs: readersMs,
    });
    await pause(settleMs);
    const processes = processesOf(daemon);
    const watched = [...processes.map(({ pid }) => pid), ...fleet.pids, readers.pid, process.pid];
    await fleet.arrivals();
    const before = watched.map(cpuSecondsOf);
    const fromMs = performance.timeOrigin + performance.now();
    await pause(1000 * seconds);
    const toMs = performance.timeOrigin + performance.now();
    const cpu = new Map(watched.map((pid, place) => [pid, cpuSecondsOf(pid) - (before[place] ?? NaN)]));
    const averages = loadavg().map((value) => value.toFixed(1));
    const polls = checkPolls(await fleet.arrivals(), { fromMs, toMs }, intervalMs);
    const share = (pids: readonly number[]): string =>
      `${((100 * pids.reduce((sum, pid) => sum + (cpu.get(pid) ?? NaN), 0)) / seconds).toFixed(1)} % of a core`;
    const { kinds, streamMessages } = await readers.order('report', {});
    const action = rounds === 0 ? [] : await actionTimes(fleet, daemon, rounds);
    const figures: Figure[] = [
      { what: 'UPSes', value: String(size), against: `load average ${averages.join(' ')}` },
      {
        what: 'from the start of the daemon to a reading of every UPS',
        value: `${(startMs / 1000).toFixed(1)} s`,
      },
      ...pollFigures(polls),
      ...processes.map((one) => costs(one, share([one.pid]))),
      restartsFigure(restartsIn(daemon.log())),
      { what: 'the daemon', value: share(processes.map(({ pid }) => pid)), against: total(processes) },
      { what: 'the simulated servers', value: share(fleet.pids) },
      {
        what: 'the readers',
        value: share([readers.pid]),
        against: `${String(streamMessages)} messages of the stream`,
      },
      ...Object.entries(kinds).map(([kind, { answers, errors, tookMs, largestBytes }]) => ({
        what: `reader of ${kind}`,
        value: answers === 0 ? 'no answer' : spread(tookMs, 'ms'),
        against: `${String(answers)} answers, ${String(errors)} errors, ${(largestBytes / 1024).toFixed(0)} KiB`,
      })),
    ];
    if (action.length > 0) {
      const against = `${String(action.length)} shutdowns; median ${percentile(action, 0.5).toFixed(1)} ms`;
      figures.push({ what: actionTitle, value: spread(action, 'ms'), against });
    }
    return { startMs, polls, figures };
  } finally {
    readers.end();
    await daemon?.stop();
    fleet.stop();
  }
}

async function allSeen(daemon: RunningDaemon, size: number): Promise<void> {
  let ended = false;
  void daemon.exited.then(() => (ended = true));
  await until(
    () => seenUpses(daemon),
    (count) => ended || count === size,
    startWithinMs,
    250,
  );
  if (ended) throw new Error(`the daemon has ended\n${daemon.log().slice(-2000)}`);
}

/** How many UPSes have a reading; null before the daemon answers. */
export async function seenUpses(daemon: RunningDaemon): Promise<number | null> {
  try {
    const { ups } = (await daemon.control('status')) as { ups: { connectionState: string }[] };
    return ups.filter(({ connectionState }) => connectionState === 'OK').length;
  } catch {
    // The control socket does not exist yet.
    return null;
  }
}

function pollFigures({ expected, done, skipped, upsWithSkips, lateMs }: PollFigures): readonly Figure[] {
  const p99 = percentile(lateMs, 0.99);
  return [
    { what: 'polls', value: String(done), against: `of ${String(expected)} that the time had room for` },
    {
      what: 'intervals without a poll',
      value: String(skipped),
      against: skipped === 0 ? 'goal: none' : `goal: none; of ${String(upsWithSkips.length)} UPSes`,
    },
    {
      what: 'lateness of a poll',
      value: spread(lateMs, 'ms'),
      against: `p99 ${p99 < latenessGoalMs ? 'below' : 'NOT BELOW'} ${String(latenessGoalMs)} ms`,
    },
  ];
}

function costs({ name, pid }: DaemonProcess, cpu: string): Figure {
  const { pssMb, threads } = holdingsOf(pid);
  return { what: name, value: cpu, against: `${pssMb.toFixed(0)} MB PSS, ${String(threads)} threads` };
}

function total(processes: readonly DaemonProcess[]): string {
  return `${processes.reduce((sum, { pid }) => sum + holdingsOf(pid).pssMb, 0).toFixed(0)} MB PSS`;
}
