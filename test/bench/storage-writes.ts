// What the storage worker writes to the disk: the roll-up of a day of samples, then hours of flushes with roll-ups and retention
// on a compressed clock. The real worker in its own process; bytes are those of /proc/PID/io.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseName } from '../../shared/protocol/storage.js';
import { memoryOf, processRow } from '../fixtures/processes.js';
import { StorageProcess } from '../integration/storage/storage-process.js';
import { settings as usualBattery } from '../workers/storage/battery/bench.js';
import { openDatabase } from '../../workers/storage/open-database.js';
import type { BenchOptions } from './options.js';
import { clockVariable } from './soak/clock-file.js';
import { CompressedClock } from './soak/compressed-clock.js';
import { flushOf, flushSeconds, groupOf } from './storage-samples.js';
import { writeSamples } from './storage-history.js';
import type { Figure } from './table.js';
import { spread } from './table.js';

const day = 86_400;
const hour = 3600;
/** Longer than the interval of maintenance: nothing written for this long means that nothing is due. */
const quietMs = 65_000;
const probeMs = 20;
const defaults = { ups: 50, hours: 2, speed: 60 };

export async function storageWrites(options: BenchOptions): Promise<readonly Figure[]> {
  const upsCount = options.ups ?? defaults.ups;
  const directory = mkdtempSync(join(tmpdir(), 'ridethrough-bench-'));
  const clock = new CompressedClock();
  try {
    await dayOfSamples(directory, upsCount, clock.wallSeconds());
    const preload = new URL('soak/preload.js', import.meta.url).href;
    const prefix = ['env', `NODE_OPTIONS=--import=${preload}`, `${clockVariable}=${clock.directory}`];
    const batteries = Array.from({ length: upsCount }, (_, ups) => ({
      ...usualBattery,
      groupId: groupOf(ups + 1),
    }));
    const storage = await StorageProcess.start({ directory, prefix, batteries });
    const rolledUp = await rollUpFigures(storage);
    clock.run(options.speed ?? defaults.speed);
    const steady = await steadyFigures(storage, clock, upsCount, (options.hours ?? defaults.hours) * hour);
    clock.run(1);
    await storage.drain();
    return [...rolledUp, ...steady];
  } finally {
    clock.close();
    rmSync(directory, { recursive: true });
  }
}

async function dayOfSamples(directory: string, upsCount: number, now: number): Promise<void> {
  const { db } = await openDatabase(join(directory, databaseName));
  await db.exec('PRAGMA synchronous = OFF');
  const until = Math.floor(now);
  await writeSamples(db, upsCount, until - day, until);
  await db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  await db.close();
}

interface Usage {
  readonly writtenMb: number;
  readonly cpuSeconds: number;
}

function usageOf(pid: number): Usage {
  const io = readFileSync(`/proc/${String(pid)}/io`, 'utf8');
  const bytes = Number(/^write_bytes: (\d+)$/m.exec(io)?.[1]);
  return { writtenMb: bytes / 1e6, cpuSeconds: processRow(pid)?.cpuSeconds ?? NaN };
}

async function rollUpFigures(storage: StorageProcess): Promise<readonly Figure[]> {
  const before = usageOf(storage.pid);
  const waitsMs: number[] = [];
  let first: number | undefined;
  let last = { atMs: performance.now(), writtenMb: before.writtenMb };
  while (first === undefined || performance.now() - last.atMs < quietMs) {
    const sent = performance.now();
    // Without samples it writes nothing and waits for the work under way, as an event does.
    const answer = await storage.request('samples.append', { samples: [] }, 60_000);
    if (!answer.ok) throw new Error(answer.error.message);
    const { writtenMb } = usageOf(storage.pid);
    if (writtenMb > last.writtenMb) {
      last = { atMs: performance.now(), writtenMb };
      first ??= sent;
    }
    if (first !== undefined && last.atMs >= sent) waitsMs.push(performance.now() - sent);
    await pause(probeMs);
  }
  const after = usageOf(storage.pid);
  const seconds = (last.atMs - first) / 1000;
  return [
    {
      what: 'roll-up of a day of samples',
      value: `${(after.writtenMb - before.writtenMb).toFixed(1)} MB`,
      against: `in ${seconds.toFixed(1)} s; goal: at most 100 MB for 50 UPSes`,
    },
    { what: 'processor time of it', value: `${(after.cpuSeconds - before.cpuSeconds).toFixed(1)} s` },
    { what: 'a request waits for it', value: spread(waitsMs, 'ms') },
    { what: 'memory of the worker after it', value: `${memoryOf(storage.pid).pssMb.toFixed(1)} MB PSS` },
  ];
}

async function steadyFigures(
  storage: StorageProcess,
  clock: CompressedClock,
  upsCount: number,
  seconds: number,
): Promise<readonly Figure[]> {
  const begun = Math.ceil(clock.wallSeconds());
  const before = usageOf(storage.pid);
  const flushMs: number[] = [];
  for (let at = begun; at < begun + seconds; at += flushSeconds) {
    await clock.pass((at + flushSeconds - clock.wallSeconds()) * 1000);
    const sent = performance.now();
    const answer = await storage.request('samples.append', { samples: flushOf(upsCount, at) }, 60_000);
    if (!answer.ok) throw new Error(answer.error.message);
    flushMs.push(performance.now() - sent);
  }
  const after = usageOf(storage.pid);
  const minutes = (clock.wallSeconds() - begun) / 60;
  return [
    {
      what: `${String(upsCount)} UPSes polled every second`,
      value: `${((after.writtenMb - before.writtenMb) / minutes).toFixed(2)} MB/min`,
      against: `over ${minutes.toFixed(0)} minutes; goal: at most 2 MB/min for 50 UPSes`,
    },
    {
      what: 'processor time',
      value: `${((after.cpuSeconds - before.cpuSeconds) / minutes).toFixed(3)} s/min`,
      against: 'with the compressed clock',
    },
    { what: 'from a flush to its answer', value: spread(flushMs, 'ms') },
    { what: 'memory of the worker', value: `${memoryOf(storage.pid).pssMb.toFixed(1)} MB PSS` },
  ];
}
