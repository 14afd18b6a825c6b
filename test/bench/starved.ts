// A machine that is short of processor time: busy loops beside the daemon, and a real-time loop on the processor of its workers.
// How many healthy workers are lost, how late polls are, and how late a shutdown.
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { descendants } from '../fixtures/processes.js';
import type { RunningDaemon } from '../fixtures/running-daemon.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import { is, until } from '../fixtures/until.js';
import { actionTimes } from './load/action.js';
import { restartsIn } from './load/daemon-processes.js';
import { Fleet } from './load/fleet.js';
import { seenUpses } from './load/load.js';
import { checkPolls } from './load/polls.js';
import type { BenchOptions } from './options.js';
import type { Figure } from './table.js';
import { spread } from './table.js';

const startWithinMs = 300_000;
const intervalMs = 1_000;
const realTimeSeconds = 4;
const realTimeRounds = 3;

export async function starved({
  ups = 50,
  seconds = 60,
  rounds = 3,
}: BenchOptions): Promise<readonly Figure[]> {
  const fleet = await Fleet.start(ups);
  const daemon = await startDaemon({
    toml: fleet.configuration({ apiPort: 0 }),
    ready: false,
  });
  try {
    const all = await until(() => seenUpses(daemon), is(ups), startWithinMs, 100);
    const figures: Figure[] = [{ what: `UPSes: ${String(all)}`, value: '' }];
    for (const loops of [0, 2, 8]) {
      const busy = Array.from({ length: loops }, () => busyLoop(seconds * 4));
      const title = loops === 0 ? 'an idle machine' : `${String(loops)} busy loops`;
      figures.push(...(await measured(title, fleet, daemon, () => pause(1000 * seconds))));
      const times = await actionTimes(fleet, daemon, rounds);
      figures.push({ what: `${title}: poll with FSD -> power-off command`, value: spread(times, 'ms') });
      for (const loop of busy) loop.kill('SIGTERM');
    }
    const title = `${String(realTimeRounds)} times a real-time loop for ${String(realTimeSeconds)} s`;
    figures.push(...(await measured(title, fleet, daemon, () => realTimeLoops(daemon))));
    return figures;
  } finally {
    await daemon.stop();
    fleet.stop();
  }
}

async function measured(
  title: string,
  fleet: Fleet,
  daemon: RunningDaemon,
  during: () => Promise<unknown>,
): Promise<readonly Figure[]> {
  const before = restartsIn(daemon.log()).length;
  await fleet.arrivals();
  const fromMs = performance.timeOrigin + performance.now();
  await during();
  const toMs = performance.timeOrigin + performance.now();
  const { lateMs, skipped } = checkPolls(await fleet.arrivals(), { fromMs, toMs }, intervalMs);
  const lost = restartsIn(daemon.log()).slice(before);
  return [
    { what: `${title}: workers lost`, value: String(lost.length), against: lost[0] ?? 'goal: none' },
    {
      what: `${title}: lateness of a poll`,
      value: spread(lateMs, 'ms'),
      against: `${String(skipped)} intervals without one`,
    },
  ];
}

/** `timeout` passes SIGTERM on, and ends the loop even if this program is killed. */
function busyLoop(seconds: number, ...prefix: readonly string[]): ChildProcess {
  const command = ['timeout', String(seconds), ...prefix, 'sh', '-c', 'while :; do :; done'];
  return spawn(command[0] ?? '', command.slice(1), { stdio: 'ignore' });
}

/** Moves all workers to one processor and takes it from them; the supervisor stays on all. */
async function realTimeLoops(daemon: RunningDaemon): Promise<void> {
  for (const { pid } of descendants(daemon.pid))
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(pid)], { stdio: 'ignore' });
  for (let round = 0; round < realTimeRounds; round += 1) {
    const loop = busyLoop(realTimeSeconds, 'taskset', '--cpu-list', '0', 'chrt', '--fifo', '50');
    await once(loop, 'exit');
    await pause(1000 * realTimeSeconds);
  }
}
