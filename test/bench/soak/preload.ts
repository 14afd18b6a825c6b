// Loaded into every process and thread of a daemon before its own code (NODE_OPTIONS=--import). Replaces clocks and timers
// by the compressed clock, and writes the progress of the thread, which limits the clock, and its memory samples.
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker, threadId } from 'node:worker_threads';
import {
  MomentReader,
  clockVariable,
  fakeAt,
  hourMs,
  memoryOf,
  placesOf,
  realMonotonicMs,
  sampleHours,
} from './clock-file.js';
import { compressTimers } from './timers.js';

/** Interval of reading the clock and writing the progress. */
const lookMs = 0.5;
const tellMs = 2;

const directory = process.env[clockVariable] ?? '';
const reader = new MomentReader(directory);
const RealDate = Date;
let moment = reader.read();
let readAtMs = realMonotonicMs();
let lastMs = moment.fakeMs;

function nowMs(): number {
  const realMs = realMonotonicMs();
  if (realMs - readAtMs > lookMs) {
    moment = reader.read();
    readAtMs = realMs;
  }
  lastMs = Math.max(lastMs, fakeAt(moment, realMs));
  return lastMs;
}

const wallMs = (): number => nowMs() + moment.wallOffsetMs;

process.hrtime = Object.assign(
  (since?: [number, number]): [number, number] => {
    const ns = BigInt(Math.round(nowMs() * 1e6));
    const fromNs = since === undefined ? 0n : BigInt(since[0]) * 1_000_000_000n + BigInt(since[1]);
    return [Number((ns - fromNs) / 1_000_000_000n), Number((ns - fromNs) % 1_000_000_000n)];
  },
  { bigint: () => BigInt(Math.round(nowMs() * 1e6)) },
);
const originMs = nowMs();
Object.defineProperty(performance, 'now', { value: () => nowMs() - originMs });

class CompressedDate extends RealDate {
  constructor(...given: [] | ConstructorParameters<typeof Date>) {
    if (given.length === 0) super(wallMs());
    else super(...(given as [number]));
  }
  static override now(): number {
    return wallMs();
  }
}
globalThis.Date = CompressedDate as DateConstructor;

const native = compressTimers({ nowMs, speed: () => moment.speed });

const told = new Float64Array(1);
/** The progress file of a thread. The clock waits for it from the start of the process or thread. */
function placeOf(pid: number, thread: number): { readonly path: string; readonly file: number } {
  const path = join(placesOf(directory), `${String(pid)}-${String(thread)}`);
  const file = openSync(path, 'w');
  told[0] = nowMs();
  writeSync(file, told, 0, told.byteLength, 0);
  return { path, file };
}

function placeUntil(ends: NodeJS.EventEmitter, pid: number, thread: number): void {
  const { path, file } = placeOf(pid, thread);
  closeSync(file);
  ends.once('exit', () => rmSync(path, { force: true }));
}

// Workers get a restricted environment that lacks these variables.
const require = createRequire(import.meta.url);
const children = require('node:child_process') as { spawn: (...words: unknown[]) => ChildProcess };
const { spawn } = children;
children.spawn = (file, args, options) => {
  const { env } = (options ?? {}) as { env?: NodeJS.ProcessEnv };
  if (env?.['RIDETHROUGH_SUPERVISOR'] === undefined) return spawn(file, args, options);
  const more = { NODE_OPTIONS: process.env['NODE_OPTIONS'], [clockVariable]: directory };
  const child = spawn(file, args, { ...(options as object), env: { ...env, ...more } });
  if (child.pid !== undefined) placeUntil(child, child.pid, 0);
  return child;
};
const threads = require('node:worker_threads') as { Worker: typeof Worker };
threads.Worker = class extends Worker {
  constructor(...words: ConstructorParameters<typeof Worker>) {
    super(...words);
    placeUntil(this, process.pid, this.threadId);
  }
};
syncBuiltinESMExports();

const place = placeOf(process.pid, threadId).file;
const own = `${String(process.pid)}-${String(threadId)}`;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const sampleMs = sampleHours * hourMs;
let sampled = Math.floor(nowMs() / sampleMs);

native
  .setInterval(() => {
    const now = nowMs();
    told[0] = now;
    writeSync(place, told, 0, told.byteLength, 0);
    if (Math.floor(now / sampleMs) === sampled) return;
    sampled = Math.floor(now / sampleMs);
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const { code_and_metadata_size: machine, bytecode_and_metadata_size: bytes } = getHeapCodeStatistics();
    const resources = process.getActiveResourcesInfo().length;
    appendFileSync(
      join(memoryOf(directory), own),
      `${JSON.stringify({ fakeMs: now, heapMb: heapUsed / 2 ** 20, codeMb: (machine + bytes) / 2 ** 20, externalMb: external / 2 ** 20, resources })}\n`,
    );
  }, tellMs)
  .unref();
