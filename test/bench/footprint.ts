// Memory and CPU of an idle daemon with one UPS polled every second, compared with `upsc` in a one-second loop.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { configurationFor } from '../fixtures/one-ups.js';
import { descendants, memoryOf, processRow } from '../fixtures/processes.js';
import { freePort, startDaemon } from '../fixtures/running-daemon.js';
import { startSimulatedUpsd } from '../../scripts/simulated-upsd/server.js';
import type { Figure } from './table.js';

/** Long enough that the clock tick of /proc (10 ms) is a small part of what is measured. */
const measureSeconds = 60;
const warmUpMs = 5_000;

export async function footprint(): Promise<readonly Figure[]> {
  const upsd = await startSimulatedUpsd({ ups: [{ name: 'office' }] });
  const toml = configurationFor({ port: upsd.port, apiPort: await freePort() });
  const daemon = await startDaemon({ toml });
  try {
    await pause(warmUpMs);
    const pids = [daemon.pid, ...descendants(daemon.pid).map(({ pid }) => pid)];
    const before = cpuOf(pids);
    await pause(measureSeconds * 1000);
    const cpuSeconds = cpuOf(pids) - before;
    const memory = pids.map((pid) => ({ name: nameOf(pid), ...memoryOf(pid) }));
    const total = memory.reduce((sum, { pssMb }) => sum + pssMb, 0);
    return [
      ...memory.map(({ name, pssMb, privateMb }) => ({
        what: `memory of ${name}`,
        value: `${pssMb.toFixed(1)} MB PSS`,
        against: `${privateMb.toFixed(1)} MB private`,
      })),
      { what: 'memory, all processes', value: `${total.toFixed(1)} MB PSS`, against: 'goal: under 110 MB' },
      {
        what: 'CPU at rest, all processes',
        value: `${((100 * cpuSeconds) / measureSeconds).toFixed(2)} % of a core`,
        against: 'goal: under 1 %',
      },
      {
        what: 'CPU per poll, all processes',
        value: `${((1000 * cpuSeconds) / measureSeconds).toFixed(2)} ms`,
        against: 'heartbeats, API and publishing included',
      },
      {
        what: 'upsc in a one-second loop',
        value: `${(await upscLoop(upsd.port)).toFixed(2)} ms`,
        against: 'CPU per poll',
      },
    ];
  } finally {
    await daemon.stop();
    await upsd.stop();
  }
}

/** CPU in ms that one run of `upsc` costs a process which starts it once a second. */
async function upscLoop(port: number): Promise<number> {
  const runs = 20;
  const before = processRow(process.pid);
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await new Promise((resolve) => {
      const child = spawn('upsc', [`office@127.0.0.1:${String(port)}`], {
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      child.on('exit', resolve);
      child.on('error', resolve);
    });
    await pause(Math.max(0, 1000 - (performance.now() - started)));
  }
  const after = processRow(process.pid);
  return (1000 * ((after?.endedChildrenCpuSeconds ?? NaN) - (before?.endedChildrenCpuSeconds ?? NaN))) / runs;
}

function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (processRow(pid)?.cpuSeconds ?? 0), 0);
}

/** `api`, `log`, `host` or `supervisor`, by the module the process runs. */
function nameOf(pid: number): string {
  const command = processRow(pid)?.command ?? '';
  return /workers\/(?:([a-z]+)\/worker|(host))\S*\.js/.exec(command)?.slice(1).find(Boolean) ?? 'supervisor';
}
