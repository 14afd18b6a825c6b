// What the daemon costs for 1 to 1,000 UPSes: from its start to the first readings, CPU per poll, memory. The yardstick is a
// loop of `upsc` in the same seconds, since the speed of a shared machine changes by the minute.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { onLoopback } from '../fixtures/loopback-server.js';
import { recoveryOn } from '../fixtures/one-ups.js';
import { processRow } from '../fixtures/processes.js';
import { remoteServerToml } from '../fixtures/remote-server-toml.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import { until } from '../fixtures/until.js';
import type { DaemonProcess } from './load/daemon-processes.js';
import { holdingsOf, processesOf, restartsFigure, restartsIn } from './load/daemon-processes.js';
import { Fleet } from './load/fleet.js';
import { seenUpses } from './load/load.js';
import type { BenchOptions } from './options.js';
import type { Figure } from './table.js';

const sizes = [1, 10, 50, 250, 1_000];
const defaultSeconds = 60;
/** From the first readings to the measurement: compilation of hot code, first flush of the history. */
const settleMs = 20_000;
const startWithinMs = 300_000;
const yardstickPauseMs = 500;

export async function cost({ ups, ...options }: BenchOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const size of ups === undefined ? sizes : [ups]) figures.push(...(await costOf(size, options)));
  return figures;
}

async function costOf(
  size: number,
  { seconds = defaultSeconds, interval = 1, perServer, servers = 0, recovery }: Omit<BenchOptions, 'ups'>,
): Promise<readonly Figure[]> {
  const fleet = await Fleet.start(size, perServer, interval);
  const watched = await onLoopback(createServer());
  const more = `${recovery ? recoveryOn : ''}${servers === 0 ? '' : '[remote_health]\nenabled = false\n'}`;
  const toml = fleet.configuration({ apiPort: 0, more }, (ups) => watchedServers(ups, servers, watched.port));
  const startedMs = performance.now();
  const daemon = await startDaemon({ toml, ready: false });
  try {
    let healthMs = NaN;
    const look = async (): Promise<number> => {
      const seen = await seenUpses(daemon);
      if (seen !== null && Number.isNaN(healthMs)) healthMs = performance.now() - startedMs;
      return seen ?? 0;
    };
    await until(look, (count) => count === size, startWithinMs, 25);
    const seenMs = performance.now() - startedMs;
    const startCpu = sum(processesOf(daemon).map(cpuSeconds));
    await pause(settleMs);
    const processes = processesOf(daemon);
    const before = processes.map(cpuSeconds);
    const upscMs = await upscLoop(fleet.names[0] ?? '', seconds);
    const spent = processes.map((one, place) => cpuSeconds(one) - (before[place] ?? NaN));
    const perPollMs = (1000 * sum(spent) * interval) / seconds / size;
    const each = (cpu: number): string => `${((100 * cpu) / seconds).toFixed(2)} % of a core`;
    return [
      {
        what: `UPSes: ${String(size)}, recovery ${recovery ? 'on' : 'off'}`,
        value: `${String(size * servers)} servers`,
      },
      { what: 'start to the first answer of the API', value: `${(healthMs / 1000).toFixed(2)} s` },
      {
        what: 'start to a reading of every UPS',
        value: `${(seenMs / 1000).toFixed(2)} s`,
        against: `${startCpu.toFixed(2)} s of CPU`,
      },
      {
        what: 'CPU per poll of one UPS',
        value: `${perPollMs.toFixed(3)} ms`,
        against: `${(perPollMs / upscMs).toFixed(2)} of one upsc (${upscMs.toFixed(2)} ms)`,
      },
      ...processes.map((one, place) => ({
        what: one.name,
        value: each(spent[place] ?? NaN),
        against: `${holdingsOf(one.pid).pssMb.toFixed(1)} MB PSS`,
      })),
      {
        what: 'all processes',
        value: each(sum(spent)),
        against: `${sum(processes.map(({ pid }) => holdingsOf(pid).pssMb)).toFixed(0)} MB PSS`,
      },
      restartsFigure(restartsIn(daemon.log())),
    ];
  } finally {
    await daemon.stop();
    fleet.stop();
    await watched.close();
  }
}

/** Not probed: the looks of the recovery are measured, not the logins of the health checks. */
function watchedServers(ups: number, count: number, port: number): string {
  const tables = Array.from({ length: count }, (_, index) => {
    // One machine has one login: these differ by a port that nothing asks.
    const place = ups * count + index;
    const login = { port: 1 + place, user: 'nobody', keyFile: '/dev/null', knownHosts: '/dev/null' };
    return `${remoteServerToml({ name: `server${String(place)}`, ...login })}off_check = "tcp"\noff_port = ${String(port)}\n`;
  });
  return tables.join('');
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Time on a processor of all its threads, by the scheduler's nanoseconds. */
function cpuSeconds({ pid }: DaemonProcess): number {
  const tasks = `/proc/${String(pid)}/task`;
  // A process or a thread may have ended meanwhile.
  const listed = existsSync(tasks) ? readdirSync(tasks) : [];
  return sum(
    listed.map((task) => {
      try {
        return Number(readFileSync(`${tasks}/${task}/schedstat`, 'latin1').split(' ')[0]) / 1e9;
      } catch {
        return 0;
      }
    }),
  );
}

/** Runs `upsc` again and again for `seconds`; returns the CPU in ms of one run. */
async function upscLoop(name: string, seconds: number): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  const before = processRow(process.pid)?.endedChildrenCpuSeconds ?? NaN;
  let runs = 0;
  while (performance.now() < until) {
    runs += 1;
    await new Promise((resolve) => {
      const child = spawn('upsc', [name], { stdio: 'ignore' });
      child.on('exit', resolve);
      child.on('error', resolve);
    });
    await pause(Math.min(yardstickPauseMs, Math.max(0, until - performance.now())));
  }
  const after = processRow(process.pid)?.endedChildrenCpuSeconds ?? NaN;
  return (1000 * (after - before)) / runs;
}
