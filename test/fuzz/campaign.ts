// Sends random requests to a running API on many connections and checks every answer. A separate thread requests /health
// periodically.
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { memoryOf } from '../fixtures/processes.js';
import { checkResponses } from './response-check.js';
import type { FuzzTarget } from './requests.js';
import { FuzzRequests } from './requests.js';

export interface Campaign {
  readonly port: number;
  readonly pid: number;
  readonly target: FuzzTarget;
  readonly requests: number;
  readonly seed: number;
}

export interface CampaignReport {
  readonly sent: number;
  readonly answers: ReadonlyMap<number, number>;
  /** The first faults, each with the number of the connection that reproduces it. */
  readonly faults: readonly string[];
  readonly healthMs: readonly number[];
  /** Answers to /health other than 200, or none. */
  readonly healthFailures: number;
  /** Private memory of the process in MB, after the first tenth and at the end. */
  readonly memory: { readonly early: number; readonly late: number };
}

const concurrency = 32;
/** A connection without data for this long is complete: the server waits for more of the request. */
const silenceMs = 400;
/** Limit of a connection. */
const longestMs = 5_000;
const mostFaults = 20;

export async function fuzzHttp({ port, pid, target, requests, seed }: Campaign): Promise<CampaignReport> {
  const answers = new Map<number, number>();
  const faults: string[] = [];
  let sent = 0;
  let index = 0;
  let early = 0;
  const probe = new Worker(fileURLToPath(new URL('./health-probe.js', import.meta.url)), {
    workerData: { port },
  });
  const lane = async (): Promise<void> => {
    while (sent < requests) {
      const number = index++;
      const source = new FuzzRequests(seed, number, target);
      const { pipelined, breakAfterMs } = source.plan();
      const bytes = Array.from({ length: pipelined }, () => source.next().bytes);
      sent += pipelined;
      const { statuses, faults: found } = checkResponses(
        await exchanged(port, Buffer.concat(bytes), pipelined, breakAfterMs),
      );
      for (const status of statuses) answers.set(status, (answers.get(status) ?? 0) + 1);
      for (const fault of found)
        if (faults.length < mostFaults) faults.push(`connection ${String(number)}: ${fault}`);
      if (early === 0 && sent > requests / 10) early = privateMb(pid);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const health = await probed(probe);
  return { sent, answers, faults, ...health, memory: { early, late: privateMb(pid) } };
}

/** Settles with all received bytes: when everything is answered, or no more data comes. */
function exchanged(
  port: number,
  bytes: Buffer,
  expected: number,
  breakAfterMs: number | null,
): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port });
    const ended = (): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    const late = setTimeout(ended, longestMs);
    socket.setNoDelay(true);
    socket.setTimeout(silenceMs, ended);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (checkResponses(Buffer.concat(chunks)).statuses.length >= expected) ended();
    });
    socket.on('error', ended);
    socket.on('close', ended);
    socket.write(bytes);
    if (breakAfterMs !== null) setTimeout(() => socket.resetAndDestroy(), breakAfterMs);
  });
}

function probed(probe: Worker): Promise<Pick<CampaignReport, 'healthMs' | 'healthFailures'>> {
  return new Promise((resolve, reject) => {
    probe.once('error', reject);
    probe.once('message', (told: Pick<CampaignReport, 'healthMs' | 'healthFailures'>) => resolve(told));
    probe.postMessage('enough');
  });
}

function privateMb(pid: number): number {
  return memoryOf(pid).privateMb;
}
