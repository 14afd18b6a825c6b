// Storage at full size: a day of one-second samples of 50 UPSes through the real worker, 30 days of five-minute rows, five
// years of hourly rows, and queries of all of it while the worker writes. Takes 15 minutes and 2 GB:
// `node dist/test/bench/storage.js [--directory DIR] [--ups N] [--keep]`; `--reuse DIR` takes a kept database and measures
// only queries and flushes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { metrics } from '../../shared/domain/status/metrics.js';
import type { SampleRecord } from '../../shared/protocol/storage.js';
import { databaseName } from '../../shared/protocol/storage.js';
import { memoryOf } from '../fixtures/processes.js';
import { StorageProcess } from '../integration/storage/storage-process.js';
import { ReadPool } from '../../workers/api/history/read-pool.js';
import { readSeries } from '../../workers/api/history/series.js';
import { Database } from '../../workers/storage/database.js';
import { writeHistory } from './storage-history.js';
import { reportFigures } from './storage-reports.js';
import { flushOf, flushSeconds, groupOf } from './storage-samples.js';
import type { Figure } from './table.js';
import { percentile, printFigures, spread } from './table.js';

const hour = 3600;
const day = 86_400;
/** The last hour is written during the queries, ten times faster than real time. */
const liveSeconds = hour;
const livePauseMs = 1000;
const queriesPerWindow = 100;
const points = 1000;
const retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 };

interface Run {
  readonly directory: string;
  /** The database exists already, without the live hour. */
  readonly filled: boolean;
  readonly upsCount: number;
  /** The end of the live hour. */
  readonly now: number;
}

async function storageFigures(run: Run): Promise<readonly Figure[]> {
  const path = join(run.directory, databaseName);
  const start = run.now - day;
  const bulk = run.filled ? [] : await bulkSamples(run, start, run.now - liveSeconds);
  const history = run.filled ? [] : await oldRows(path, run, start);
  const storage = await StorageProcess.start({ directory: run.directory, retention });
  const rolledUpMs = await rolledUp(path);
  const live = new LiveWriter(storage, run);
  const writing = live.write(run.now - liveSeconds, run.now);
  const queries = [
    ...(await queryFigures(path, run, live)),
    ...(await reportFigures(path, run.now - liveSeconds)),
  ];
  live.stop();
  await writing;
  const memory = memoryOf(storage.pid);
  await storage.drain();
  return [
    {
      what: 'machine',
      value: `load ${loadavg()[0]?.toFixed(1) ?? ''} of others and us`,
      against: `${String(run.upsCount)} UPSes, ${(statSync(path).size / 1e6).toFixed(0)} MB in all`,
    },
    ...bulk,
    ...history,
    {
      what: 'samples that are not rolled up',
      value: `${((live.reached * 1000 - rolledUpMs) / 60_000).toFixed(0)} minutes`,
      against: 'in a running daemon at most 30, and what comes in a minute',
    },
    { what: 'flush while queries run', value: spread(live.flushMs, 'ms'), against: 'goal: p99 under 250 ms' },
    ...queries,
    { what: 'memory of the worker', value: `${memory.pssMb.toFixed(1)} MB PSS` },
    ...(await sizes(path)),
  ];
}

/** Waits until everything is rolled up that can be, as in a daemon that has run for an hour. Returns that time in ms. */
async function rolledUp(path: string): Promise<number> {
  const db = await Database.open(path);
  const behind = `SELECT count(*) AS value FROM ups
    WHERE five_minute_until < unixepoch() / 1800 * 1800 OR hourly_until < five_minute_until / 21600 * 21600`;
  const begun = performance.now();
  while ((await db.number(behind)) > 0) {
    if (performance.now() - begun > 10 * 60_000) throw new Error('the roll-up did not end within 10 minutes');
    await pause(1000);
  }
  const until = await db.number('SELECT min(five_minute_until) AS value FROM ups');
  await db.close();
  return until * 1000;
}

/** Duration of the transaction by the worker, in seconds. */
async function flush(storage: StorageProcess, samples: readonly SampleRecord[]): Promise<number> {
  const outcome = await storage.request('samples.append', { samples }, 60_000);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value.seconds;
}

async function bulkSamples(run: Run, from: number, until: number): Promise<readonly Figure[]> {
  const storage = await StorageProcess.start({ directory: run.directory, retention });
  const flushMs: number[] = [];
  const begun = performance.now();
  for (let at = from; at < until; at += flushSeconds)
    flushMs.push(1000 * (await flush(storage, flushOf(run.upsCount, at))));
  const seconds = (performance.now() - begun) / 1000;
  const rows = run.upsCount * (until - from);
  const memory = memoryOf(storage.pid);
  await storage.drain();
  return [
    {
      what: 'samples through the worker, one flush after the other',
      value: `${Math.round(rows / seconds).toLocaleString('en')} rows/s`,
      against: `${rows.toLocaleString('en')} rows, ${String(run.upsCount * flushSeconds)} a flush, roll-ups beside`,
    },
    { what: 'flush in bulk', value: spread(flushMs, 'ms') },
    { what: 'memory of the worker after the bulk', value: `${memory.pssMb.toFixed(1)} MB PSS` },
  ];
}

async function oldRows(path: string, { upsCount }: Run, start: number): Promise<readonly Figure[]> {
  const db = await Database.open(path);
  // Written directly, without the worker, to save time.
  await db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -262144');
  const begun = performance.now();
  const until = Math.floor(start / hour) * hour;
  const fine = { table: 'five_minute', bucketSeconds: 300, from: until - 29 * day, until } as const;
  const coarse = { table: 'hourly', bucketSeconds: hour, from: until - 1824 * day, until } as const;
  const buckets = (await writeHistory(db, upsCount, fine)) + (await writeHistory(db, upsCount, coarse));
  const seconds = (performance.now() - begun) / 1000;
  await db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  await db.close();
  return [
    {
      what: 'five-minute and hourly rows, by the generator',
      value: `${Math.round(buckets / seconds).toLocaleString('en')} buckets/s`,
      against: `${buckets.toLocaleString('en')} buckets of ${String(metrics.length)} metrics`,
    },
  ];
}

/** Writes samples during the queries. */
class LiveWriter {
  readonly flushMs: number[] = [];
  readonly #storage: StorageProcess;
  readonly #run: Run;
  /** Unix seconds up to which samples are written. */
  reached = 0;
  #stopped = false;

  constructor(storage: StorageProcess, run: Run) {
    this.#storage = storage;
    this.#run = run;
  }

  async write(from: number, until: number): Promise<void> {
    for (let at = from; at < until && !this.#stopped; at += flushSeconds) {
      this.flushMs.push(1000 * (await flush(this.#storage, flushOf(this.#run.upsCount, at))));
      this.reached = at + flushSeconds;
      await pause(livePauseMs);
    }
  }

  stop(): void {
    this.#stopped = true;
  }
}

const windows = [
  ['1 hour', hour],
  ['24 hours', day],
  ['30 days', 30 * day],
  ['5 years', 1825 * day],
] as const;

async function queryFigures(path: string, run: Run, live: LiveWriter): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, span] of windows)
    for (const cold of [false, true]) {
      const tookMs: number[] = [];
      const counts: number[] = [];
      const pool = new ReadPool(path);
      for (let turn = 0; turn < queriesPerWindow; turn += 1) {
        if (cold) dropFromPageCache(path);
        const fresh = cold ? new ReadPool(path) : pool;
        const begun = performance.now();
        counts.push(await query(fresh, run, live, span, turn));
        tookMs.push(performance.now() - begun);
        if (cold) await fresh.close();
      }
      await pool.close();
      figures.push({
        what: `${name}, ${cold ? 'cold' : 'warm'}`,
        value: spread(tookMs, 'ms'),
        against: `${String(percentile(counts, 0.5))} points; goal: p99 under 100 ms`,
      });
    }
  return figures;
}

/** Returns the number of points. UPSes and metrics take turns. */
async function query(
  pool: ReadPool,
  run: Run,
  live: LiveWriter,
  span: number,
  turn: number,
): Promise<number> {
  const now = Math.max(live.reached, run.now - liveSeconds);
  const metric = metrics[turn % metrics.length]?.name ?? 'charge';
  const groupId = groupOf(1 + ((turn * 7) % run.upsCount));
  const series = await readSeries(
    pool,
    { groupId, metric, from: now - span, to: null, points },
    retention,
    now,
    { signal: new AbortController().signal, deadlineMs: 60_000 },
  );
  if (!series.ok) throw new Error(series.error.message);
  return series.value.data.length;
}

/** Drops the file from the page cache (posix_fadvise, by dd), and no other pages. */
function dropFromPageCache(path: string): void {
  for (const file of [path, `${path}-wal`])
    execFileSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
}

async function sizes(path: string): Promise<readonly Figure[]> {
  const db = await Database.open(path);
  const figures: Figure[] = [];
  for (const table of ['samples', 'five_minute', 'hourly']) {
    const bytes = await db.number(
      `SELECT sum(pgsize) AS value FROM dbstat WHERE name = '${table}' AND aggregate = 1`,
    );
    const rows = await db.number(`SELECT count(*) AS value FROM ${table}`);
    figures.push({
      what: `bytes on disk per row of ${table}`,
      value: (bytes / rows).toFixed(1),
      against: `${rows.toLocaleString('en')} rows${table === 'samples' ? '; goal: at most 60' : ''}`,
    });
  }
  await db.close();
  return figures;
}

/** The end of the live hour, which starts now, or at the newest sample. */
async function endOf(directory: string | undefined): Promise<number> {
  const now = Math.floor(Date.now() / 1000 / flushSeconds) * flushSeconds;
  if (directory === undefined) return now + liveSeconds;
  const db = await Database.open(join(directory, databaseName));
  const ms = await db.number(
    'SELECT max(ts) AS value FROM (SELECT ts FROM samples WHERE ups = 1 UNION ALL SELECT ts FROM recent_samples)',
  );
  await db.close();
  return Math.ceil(ms / 1000 / flushSeconds) * flushSeconds + liveSeconds;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      directory: { type: 'string', default: tmpdir() },
      ups: { type: 'string', default: '50' },
      keep: { type: 'boolean', default: false },
      reuse: { type: 'string' },
    },
  });
  const directory = values.reuse ?? mkdtempSync(join(values.directory, 'ridethrough-bench-'));
  const run = {
    directory,
    filled: values.reuse !== undefined,
    upsCount: Number(values.ups),
    now: await endOf(values.reuse),
  };
  try {
    printFigures(`Storage (${directory})`, await storageFigures(run));
  } finally {
    if (!values.keep && !run.filled) rmSync(directory, { recursive: true });
  }
}
