// The wall clock of a condition, by libfaketime. It runs, and its offset is the same in each process that has it: no program of a
// test disagrees with another about the time. The monotonic clock, and the times of files, are those of this machine.
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { libfaketime } from '../torture/settable-clock.js';

const memory = '/dev/shm';

/** NAME=VALUE; null without libfaketime. */
export function clockOf(begins: string): readonly string[] | null {
  const library = libfaketime();
  if (library === null) return null;
  const ahead = Math.round((Date.parse(begins) - Date.now()) / 1000);
  return [
    `LD_PRELOAD=${library}`,
    `FAKETIME=${ahead < 0 ? '' : '+'}${String(ahead)}`,
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
    'DONT_FAKE_MONOTONIC=1',
    'NO_FAKE_STAT=1',
    `NODE_OPTIONS=--import=${fileURLToPath(new URL('inherited-clock.js', import.meta.url))}`,
  ];
}

/**
 * libfaketime names its shared memory by PID, a killed process leaves it behind, and the next process with that PID fails: what
 * belongs to none goes.
 */
export function removeLeftBehind(): void {
  const living = new Set(readdirSync('/proc'));
  for (const name of readdirSync(memory)) {
    const [, pid] = /^(?:sem\.faketime_sem|faketime_shm)_(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !living.has(pid)) rmSync(`${memory}/${name}`, { force: true });
  }
}
