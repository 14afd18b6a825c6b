// Faults of the machine under the daemon: its disk, its descriptors, its clock, and the daemon itself stopped or killed.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { descendants, signal } from '../../fixtures/processes.js';
import { freezeRefusal } from '../../integration/storage/sandbox.js';
import type { Fault, Heal } from '../fault.js';
import type { Testbed } from '../testbed.js';
import { processesOf, workersOf } from '../processes.js';
import { libfaketime } from '../settable-clock.js';

const diskMs = 5_000;
/** Longer than every heartbeat limit (2 s) and than the deadline of a poll (5 s). */
const suspendedMs = 6_000;
/** Longer than an undisturbed sequence. */
const exhaustedMs = 8_000;
const setForMs = 5_000;
const stepHours = 7;
/** The kill comes at a random moment of these two seconds. */
const killWithinMs = 2_000;
/** A restart: reading the configuration and starting every worker, on two cores shared with other cases. */
const restartMs = 6_000;

type Disk = NonNullable<Testbed['disk']>;

function disk(effect: string, inject: (disk: Disk, testbed: Testbed) => Promise<Heal> | Heal): Fault {
  return {
    name: `the disk of the history ${effect}`,
    part: 'disk',
    allowance: {},
    lastsMs: diskMs,
    persists: true,
    needs: 'disk',
    inject: async (testbed) => {
      if (testbed.disk === null) throw new Error('this testbed has no private disk');
      return inject(testbed.disk, testbed);
    },
  };
}

/** As the kernel does after an error. A remount fails while a file is open for writing, so the writers are killed. */
async function withdraw(disk: Disk, testbed: Testbed): Promise<Heal> {
  for (let tries = 0; tries < 200 && !disk.makeReadOnly(); tries += 1) {
    if (tries % 40 === 0)
      for (const worker of ['storage', 'api'] as const)
        signal(
          processesOf(testbed.daemon.pid, worker).map(({ pid }) => pid),
          'SIGKILL',
        );
    await pause(5);
  }
  return () => disk.makeWritable();
}

function descriptors(
  who: string,
  pids: (testbed: Testbed) => readonly number[],
  fault: Partial<Fault>,
): Fault {
  return {
    name: `${who} no file descriptor left`,
    part: 'descriptors',
    allowance: {},
    lastsMs: exhaustedMs,
    persists: false,
    ...fault,
    inject: (testbed) => {
      const hit = pids(testbed);
      for (const pid of hit) limit(pid, lowestFree);
      return Promise.resolve(() => {
        for (const pid of hit) limit(pid, () => 1024);
      });
    },
  };
}

function lowestFree(pid: number): number {
  const open = new Set(readdirSync(`/proc/${String(pid)}/fd`).map(Number));
  let free = 0;
  while (open.has(free)) free += 1;
  return free;
}

/** Ignores a process that has ended. */
function limit(pid: number, mostOf: (pid: number) => number): void {
  try {
    const most = mostOf(pid);
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${String(most)}:1024`], { stdio: 'ignore' });
  } catch {
    // No such directory in /proc; prlimit(1) exits 1.
  }
}

function clockStep(effect: string, hours: number): Fault {
  return {
    name: `the clock is set ${effect} by ${String(Math.abs(hours))} hours`,
    part: 'clock',
    allowance: {},
    lastsMs: setForMs,
    persists: true,
    needs: 'clock',
    inject: (testbed) => {
      if (testbed.clock === null) throw new Error('this testbed has no settable clock');
      testbed.clock.set(hours);
      return Promise.resolve(() => testbed.clock?.set(0));
    },
  };
}

const suspended: Fault = {
  name: `the whole daemon is suspended for ${String(suspendedMs / 1000)} s`,
  part: 'daemon',
  allowance: { api: true, stoppedMs: suspendedMs, again: true },
  lastsMs: suspendedMs,
  persists: false,
  inject: ({ daemon: { pid } }) => {
    const all = [pid, ...descendants(pid).map((row) => row.pid)];
    signal(all, 'SIGSTOP');
    return Promise.resolve(() => signal(all, 'SIGCONT'));
  },
};

const supervisorKilled: Fault = {
  name: 'the supervisor is killed at a random moment and started again',
  part: 'daemon',
  allowance: { api: true, stoppedMs: restartMs, again: true },
  lastsMs: killWithinMs,
  persists: false,
  inject: async (testbed, random) => {
    await pause(random() * killWithinMs);
    await testbed.daemon.kill();
    await testbed.startDaemon();
    return () => undefined;
  },
};

export const machineFaults: readonly Fault[] = [
  disk('is full', (scratch) => {
    scratch.fill();
    return () => scratch.free();
  }),
  // The API has its database on that disk and is killed for the remount.
  { ...disk('becomes read-only', withdraw), allowance: { api: true } },
  disk('is frozen', (scratch) => {
    scratch.freeze();
    return () => scratch.thaw();
  }),
  descriptors('the supervisor has', ({ daemon: { pid } }) => [pid], { allowance: { lateMs: exhaustedMs } }),
  descriptors('every worker has', ({ daemon: { pid } }) => workersOf(pid), {
    // No login is possible during the fault, and the API accepts no connection.
    allowance: { api: true, lateMs: exhaustedMs },
  }),
  clockStep('ahead', stepHours),
  clockStep('back', -stepHours),
  suspended,
  supervisorKilled,
];

/** Why this machine lacks what a fault needs; null if it does not. */
export function missingFor(need: Fault['needs']): string | null {
  if (need === 'disk') return freezeRefusal();
  if (need === 'clock' && libfaketime() === null)
    return 'libfaketime is missing (Debian: the package libfaketime; scripts/test.sh gets it)';
  return null;
}
