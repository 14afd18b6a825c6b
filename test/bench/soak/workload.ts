// The workload of the daemon during the soak: short outages, scrapes, readers, a stream.
import { get } from 'node:http';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { CompressedClock } from './compressed-clock.js';
import { hourMs } from './clock-file.js';

const scrapeMs = 30_000;
const readMs = 60_000;
const outageMs = 2 * hourMs;
const darkMs = 60_000;
const mainsVolts = 230;
/** In real time. */
const answerMs = 30_000;

export interface WorkloadReport {
  scrapes: number;
  reads: number;
  failures: number;
  outages: number;
  streamMessages: number;
}

export interface WorkloadOptions {
  readonly clock: CompressedClock;
  readonly upsd: SimulatedUpsd;
  readonly apiPort: number;
  readonly names: readonly string[];
  readonly paths: readonly string[];
}

/** Starts the workload; the returned function ends it and reports. */
export function startWorkload({ clock, upsd, apiPort, names, paths }: WorkloadOptions): () => WorkloadReport {
  const report: WorkloadReport = { scrapes: 0, reads: 0, failures: 0, outages: 0, streamMessages: 0 };
  let over = false;
  const every = async (ms: number, act: () => Promise<void>): Promise<void> => {
    for (;;) {
      await clock.pass(ms);
      if (over) return;
      await act();
    }
  };
  const ask = async (path: string): Promise<void> => {
    if (!(await answers(apiPort, path))) report.failures += 1;
  };
  void every(scrapeMs, async () => {
    await ask('/metrics');
    report.scrapes += 1;
  });
  void every(readMs, async () => {
    for (const path of paths) await ask(path);
    report.reads += paths.length;
  });
  void every(outageMs, async () => {
    for (const name of names) upsd.ups(name).set({ mainsVolts: 0 });
    await clock.pass(darkMs);
    for (const name of names) upsd.ups(name).set({ mainsVolts });
    report.outages += 1;
  });
  get({ host: '127.0.0.1', port: apiPort, path: '/api/v1/stream' }, (response) => {
    response.on('data', (chunk: Buffer) => {
      report.streamMessages += chunk.toString('latin1').split('\n\n').length - 1;
    });
    response.on('error', () => undefined);
  }).on('error', () => undefined);
  return () => {
    over = true;
    return report;
  };
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get({ host: '127.0.0.1', port, path, agent: false, timeout: answerMs }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
      response.on('error', () => resolve(false));
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(false));
  });
}
