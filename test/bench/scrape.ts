// The cost of a scrape of a fleet: its duration and size, and whether the API answers others at the same time.
import { Agent, request } from 'node:http';
import { configurationFor } from '../fixtures/one-ups.js';
import { descendants, processRow } from '../fixtures/processes.js';
import { freePort, startDaemon } from '../fixtures/running-daemon.js';
import { until } from '../fixtures/until.js';
import { startSimulatedUpsd } from '../../scripts/simulated-upsd/server.js';
import type { Figure } from './table.js';
import { spread } from './table.js';

const upses = 50;
const scrapes = 300;
const healthChecks = 300;

export async function scrape(): Promise<readonly Figure[]> {
  const names = Array.from({ length: upses }, (_, index) => `ups${String(index)}`);
  const upsd = await startSimulatedUpsd({ ups: names.map((name) => ({ name })) });
  const apiPort = await freePort();
  const ups = names.map((name) => ({ name }));
  const daemon = await startDaemon({ toml: configurationFor({ port: upsd.port, apiPort, ups }) });
  const agent = new Agent({ keepAlive: true });
  try {
    const look = () => ask(agent, apiPort, '/metrics');
    await until(look, ({ body }) => body.match(/^svc_ups_battery_charge/gm)?.length === upses, 30_000);
    const api = descendants(daemon.pid).find(({ command }) => command.includes('api/worker'))?.pid ?? 0;
    const cpuBefore = processRow(api)?.cpuSeconds ?? NaN;
    const taken: number[] = [];
    let last = '';
    for (let n = 0; n < scrapes; n += 1) {
      const { ms, body } = await look();
      taken.push(ms);
      last = body;
    }
    const cpu = (processRow(api)?.cpuSeconds ?? NaN) - cpuBefore;
    const startHelper: number[] = [];
    let over = false;
    const storm = (async () => {
      while (!over) await look();
    })();
    for (let n = 0; n < healthChecks; n += 1) startHelper.push((await ask(agent, apiPort, '/health')).ms);
    over = true;
    await storm;
    return [
      { what: 'one scrape', value: spread(taken, 'ms') },
      { what: 'CPU of the API process per scrape', value: `${((1000 * cpu) / scrapes).toFixed(1)} ms` },
      {
        what: 'size',
        value: `${(last.length / 1024).toFixed(0)} KiB`,
        against: `${String(last.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length)} samples`,
      },
      { what: '/health while scrapes follow each other without a pause', value: spread(startHelper, 'ms') },
    ];
  } finally {
    agent.destroy();
    await daemon.stop();
    await upsd.stop();
  }
}

function ask(agent: Agent, port: number, path: string): Promise<{ ms: number; body: string }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const call = request({ host: '127.0.0.1', port, path, agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ ms: performance.now() - started, body }));
    });
    call.on('error', reject);
    call.end();
  });
}
