// The API under load: requests per second and their duration, compared with an empty koa route in the same rounds; a
// single connection; and the lateness of the polls of ten UPSes at the same time.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { configurationFor } from '../fixtures/one-ups.js';
import { descendants, processRow } from '../fixtures/processes.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import { groupIdOf } from '../../shared/domain/ups/ups-name.js';
import { startSimulatedUpsd } from '../../scripts/simulated-upsd/server.js';
import { writeDay } from './day-of-history.js';
import type { Load, LoadReport } from './load-client.js';
import type { Figure } from './table.js';
import { percentile } from './table.js';

const upses = 10;
const rounds = 3;
const seconds = 4;
const concurrency = 64;
const pollMs = 1_000;
/** Delayed ACK of the kernel: an answer in two writes would wait for it (Nagle). */
const lateAcknowledgementMs = 40;

const paths = {
  '/health': '/health',
  '/api/v1/ups, ten UPSes': '/api/v1/ups',
  '/metrics': '/metrics',
  'the newest 100 of 10,000 events': '/api/v1/events?limit=100',
  'a day of history': '/api/v1/ups/ups0@127.0.0.1:{upsd}/history?from={from}',
  'a day of history, each connection another one':
    '/api/v1/ups/ups0@127.0.0.1:{upsd}/history?from={from}&points=9{connection}',
} as const;
const empty = 'an empty koa route';

interface Round extends LoadReport {
  /** User and system time of the server per answer. It varies less than requests per second. */
  readonly cpuMicros: number;
}

export async function api(): Promise<readonly Figure[]> {
  const polls = new Map<string, number[]>();
  const names = Array.from({ length: upses }, (_, index) => `ups${String(index)}`);
  const upsd = await startSimulatedUpsd({
    ups: names.map((name) => ({ name })),
    onQuery: ([verb, , ups = '']) => {
      if (verb !== 'LIST') return;
      polls.set(ups, [...(polls.get(ups) ?? []), performance.now()]);
    },
  });
  const toml = configurationFor({ port: upsd.port, apiPort: 0, ups: names.map((name) => ({ name })) });
  const directory = mkdtempSync(join(tmpdir(), 'ridethrough-'));
  const now = Math.floor(Date.now() / 1000);
  const group = groupIdOf(`${names[0] ?? ''}@127.0.0.1:${String(upsd.port)}`);
  await writeDay(join(directory, 'lib'), [group], now);
  const daemon = await startDaemon({ toml, directory });
  const koa = spawn(process.execPath, [startHelper('empty-koa.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(koa.stdout, 'data')) as [Buffer];
    await daemon.seesAll();
    const reports = new Map<string, Round[]>();
    const worker = descendants(daemon.pid).find(({ command }) => command.includes('api/worker'))?.pid ?? 0;
    const koaServer = { pid: koa.pid ?? 0, port: Number(line.toString()) };
    const apiServer = { pid: worker, port: daemon.apiPort };
    const filled = (path: string): string =>
      path.replace('{upsd}', String(upsd.port)).replace('{from}', String(now - 86_400));
    polls.clear();
    for (let round = 0; round < rounds; round += 1) {
      const load = async (what: string, at: Server, path: string, connections: number): Promise<void> => {
        const report = await loaded(at, { port: at.port, path, connections, seconds });
        reports.set(what, [...(reports.get(what) ?? []), report]);
      };
      await load(empty, koaServer, '/', concurrency);
      for (const [what, path] of Object.entries(paths))
        await load(what, apiServer, filled(path), concurrency);
      await load('one', apiServer, '/api/v1/ups', 1);
    }
    return figuresOf(reports, latenessOf(polls));
  } finally {
    koa.kill('SIGKILL');
    await daemon.stop();
    await upsd.stop();
  }
}

function figuresOf(
  reports: ReadonlyMap<string, readonly Round[]>,
  lateMs: readonly number[],
): readonly Figure[] {
  const middle = (what: string, of: (report: Round) => number): number =>
    percentile((reports.get(what) ?? []).map(of), 0.5);
  const base = middle(empty, ({ perSecond }) => perSecond);
  const baseMicros = middle(empty, ({ cpuMicros }) => cpuMicros);
  const errors = [...reports.values()].flat().reduce((sum, report) => sum + report.errors, 0);
  const one = reports.get('one') ?? [];
  return [
    ...[empty, ...Object.keys(paths)].map((what) => {
      const perSecond = middle(what, (report) => report.perSecond);
      const micros = middle(what, ({ cpuMicros }) => cpuMicros);
      const all = reports.get(what) ?? [];
      const refused = all.reduce((sum, report) => sum + report.refused / report.answers, 0) / all.length;
      const refusals = refused === 0 ? '' : `; ${(100 * refused).toFixed(0)} % refused with 503`;
      return {
        what: `${what}, ${String(concurrency)} connections`,
        value: `${perSecond.toFixed(0)}/s  p50 ${middle(what, ({ p50Ms }) => p50Ms).toFixed(1)}  p99 ${middle(what, ({ p99Ms }) => p99Ms).toFixed(1)} ms  CPU ${micros.toFixed(1)} us each`,
        against: `${percentOf(perSecond, base)} of the empty route; by CPU time ${percentOf(baseMicros, micros)}${refusals}`,
      };
    }),
    {
      what: '/api/v1/ups, one connection',
      value: `${middle('one', (report) => report.perSecond).toFixed(0)}/s  p50 ${middle('one', ({ p50Ms }) => p50Ms).toFixed(2)}  p99 ${middle('one', ({ p99Ms }) => p99Ms).toFixed(2)}  max ${Math.max(...one.map(({ maxMs }) => maxMs)).toFixed(1)} ms`,
      against: `p99 below ${String(lateAcknowledgementMs)} ms: no wait for an acknowledgement`,
    },
    { what: 'errors', value: String(errors), against: 'goal 0' },
    {
      what: 'lateness of a poll meanwhile',
      value: `p50 ${percentile(lateMs, 0.5).toFixed(0)}  p99 ${percentile(lateMs, 0.99).toFixed(0)}  max ${Math.max(...lateMs).toFixed(0)} ms`,
      against: 'goal: never above 100 ms',
    },
  ];
}

/** How much later than the interval each poll came after the one before. */
function latenessOf(polls: ReadonlyMap<string, readonly number[]>): readonly number[] {
  return [...polls.values()].flatMap((times) =>
    times.slice(1).map((at, index) => Math.max(0, at - (times[index] ?? at) - pollMs)),
  );
}

function percentOf(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(0)} %`;
}

interface Server {
  readonly pid: number;
  readonly port: number;
}

async function loaded({ pid }: Server, load: Load): Promise<Round> {
  const before = processRow(pid)?.cpuSeconds ?? NaN;
  const { stdout } = await promisify(execFile)(process.execPath, [
    startHelper('load-client.js'),
    JSON.stringify(load),
  ]);
  const report = JSON.parse(stdout) as LoadReport;
  const cpuMicros = (1e6 * ((processRow(pid)?.cpuSeconds ?? NaN) - before)) / report.answers;
  return { ...report, cpuMicros };
}

function startHelper(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
