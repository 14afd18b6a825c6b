// The least that five Node processes cost which only stay alive: four send a frame a second over the link of a worker, the
// fifth receives them and has the tick of the supervisor. Nobody polls, decides or answers.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { descendants } from '../fixtures/processes.js';
import type { BenchOptions } from './options.js';
import type { Figure } from './table.js';

const settleMs = 10_000;

export async function floor({ seconds = 30 }: BenchOptions): Promise<readonly Figure[]> {
  const parent = fork(fileURLToPath(new URL('./floor-program.js', import.meta.url)), ['supervisor']);
  try {
    await once(parent, 'spawn');
    await pause(settleMs);
    const pids = [parent.pid ?? 0, ...[...descendants(parent.pid ?? 0)].map(({ pid }) => pid)];
    const before = pids.map(mainThreadMs);
    await pause(1000 * seconds);
    const spent = pids.map((pid, place) => (mainThreadMs(pid) - (before[place] ?? NaN)) / seconds);
    const [supervisor = NaN, ...workers] = spent;
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    return [
      { what: 'receives four frames and ticks twice a second', value: ms(supervisor) },
      { what: 'sends a frame a second', value: ms(sum(workers) / workers.length), against: 'each of four' },
      { what: 'all five', value: ms(sum(spent)) },
    ];
  } finally {
    parent.kill();
  }
}

const ms = (value: number): string => `${value.toFixed(2)} ms/s`;

function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${String(pid)}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}
