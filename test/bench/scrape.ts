// The cost of a scrape: the API worker alone with its real link, 50 and 1,000 UPSes that are all updated each second, and
// whether others get an answer meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ModelChange } from '../../shared/protocol/api.js';
import type { UpFrame } from '../../shared/protocol/frame.js';
import type { Port } from '../../shared/runtime/port.js';
import { apiSettings } from '../fixtures/api-settings.js';
import { memoryOf, processRow } from '../fixtures/processes.js';
import { startWorkerProcess } from '../fixtures/worker-process.js';
import { modelChange, publishedUps } from '../workers/api/fixture.js';
import type { Figure } from './table.js';
import { spread } from './table.js';

const sizes = [50, 1_000];
const scrapes = 30;
/** The supervisor sends at most ten changes a second. */
const changesPerSecond = 10;
const worker = fileURLToPath(new URL('../../workers/api/worker.js', import.meta.url));

export async function scrape(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) figures.push(...(await scraped(size)));
  return figures;
}

async function scraped(size: number): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ridethrough-scrape-'));
  const { child, port } = startWorkerProcess(worker);
  const agent = new Agent({ keepAlive: true });
  let over = false;
  try {
    const apiPort = await configured(port, folder);
    const updates = updating(port, size, () => over);
    const look = (path: string) => ask(agent, apiPort, path);
    await look('/metrics');
    const cpu = (): number => processRow(child.pid ?? 0)?.cpuSeconds ?? NaN;
    const [took, others]: [number[], number[]] = [[], []];
    let bytes = 0;
    let cpuSeconds = 0;
    for (let n = 0; n < scrapes; n += 1) {
      let scraping = true;
      const before = cpu();
      const beside = (async () => {
        for (; scraping; await pause(5)) others.push((await look('/health')).ms);
      })();
      const { ms, body } = await look('/metrics');
      scraping = false;
      cpuSeconds += cpu() - before;
      took.push(ms);
      bytes = body.length;
      await beside;
      await pause(200);
    }
    over = true;
    await updates;
    const { pssMb } = memoryOf(child.pid ?? 0);
    const what = (name: string): string => `${String(size)} UPSes: ${name}`;
    return [
      {
        what: what('one scrape'),
        value: spread(took, 'ms'),
        against: `${(bytes / 1024).toFixed(0)} KiB; goal of 1,000: 100 ms`,
      },
      {
        what: what('CPU of the worker meanwhile, per scrape'),
        value: `${((1000 * cpuSeconds) / scrapes).toFixed(1)} ms`,
      },
      { what: what('/health meanwhile'), value: spread(others, 'ms') },
      { what: what('memory of the worker'), value: `${pssMb.toFixed(1)} MB PSS` },
    ];
  } finally {
    over = true;
    agent.destroy();
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the port of the API. */
function configured(port: Port, folder: string): Promise<number> {
  const settings = apiSettings(folder);
  return new Promise((resolve) => {
    port.on('message', (raw) => {
      const frame = raw as UpFrame;
      if (frame.kind === 'event' && frame.name === 'api.listening')
        resolve(Number((frame.body as { address: string }).address.replace(/^.*:/, '')));
    });
    port.postMessage({ kind: 'configure', settings });
  });
}

/** Publishes all UPSes, and then a tenth of them ten times a second. Resolves after `isOver`. */
async function updating(port: Port, size: number, isOver: () => boolean): Promise<void> {
  const order = Array.from({ length: size }, (_, n) => `ups${String(n)}`);
  let id = 0;
  const publish = (full: boolean, groupIds: readonly string[]): void => {
    const change: ModelChange = {
      ...modelChange({ ups: groupIds.map((groupId) => upsAt(groupId, id)), redundancyGroups: [] }),
      full,
      order,
    };
    port.postMessage({
      kind: 'request',
      id: (id += 1),
      name: 'model.publish',
      params: change,
      deadlineMs: 5_000,
    });
  };
  publish(true, order);
  for (let part = 0; !isOver(); part = (part + 1) % changesPerSecond) {
    await pause(1000 / changesPerSecond);
    publish(
      false,
      order.filter((_, place) => place % changesPerSecond === part),
    );
  }
}

/** A row whose readings and poll statistics differ from those of the last second. */
function upsAt(groupId: string, time: number): ModelChange['ups'][number] {
  const { row, telemetry } = publishedUps({ groupId, name: groupId, label: groupId });
  const { counts, sum } = telemetry.pollSeconds;
  return {
    row: { ...row, batteryCharge: time % 100, runtime: 1800 + (time % 60), load: 20 + (time % 90) / 10 },
    telemetry: {
      ...telemetry,
      lastUpdateTime: 1_790_000_000 + time,
      pollsOk: time,
      pollSeconds: { counts: [time, ...counts.slice(1)], sum: sum + time / 1000 },
    },
  };
}

function ask(agent: Agent, port: number, path: string): Promise<{ ms: number; body: string }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const call = request({ host: '127.0.0.1', port, path, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ ms: performance.now() - started, body: Buffer.concat(chunks).toString() }),
      );
    });
    call.on('error', reject);
    call.end();
  });
}
