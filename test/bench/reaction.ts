// The time from a change in upsd to the exec of the power-off command: many daemons, one trigger each.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { configurationFor, recoveryOn } from '../fixtures/one-ups.js';
import { RealUpsd } from '../fixtures/real-upsd.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import type { BenchOptions } from './options.js';
import type { Figure } from './table.js';
import { percentile, spread } from './table.js';
import { startTimedUpsd } from './timed-upsd.js';

const checkIntervalMs = 1_000;
/** Two polls for triggers with confirmation, one for FSD, plus 150 ms. */
const bounds = { battery: 2 * checkIntervalMs + 150, fsd: checkIntervalMs + 150 };
const onLine = { 'ups.status': 'OL', 'battery.charge': '100', 'battery.runtime': '3600' };
const triggers = {
  battery: { 'ups.status': 'OB LB', 'battery.charge': '5' },
  fsd: { 'ups.status': 'FSD OL' },
} as const;

export interface Reactions {
  readonly battery: readonly number[];
  readonly fsd: readonly number[];
}

/** With a real upsd and dummy-ups: from the time at which upsd serves the change to the exec, in ms. */
export async function reactions(runs: number, more = ''): Promise<Reactions> {
  return {
    battery: await many(runs, () => againstRealUpsd(triggers.battery, more)),
    fsd: await many(runs, () => againstRealUpsd(triggers.fsd, more)),
  };
}

export async function reaction({ rounds = 50, recovery }: BenchOptions): Promise<readonly Figure[]> {
  const { battery, fsd } = await reactions(rounds, recovery ? recoveryOn : '');
  return [
    figure('on battery with low charge, change in upsd -> exec', battery, bounds.battery),
    figure('FSD, change in upsd -> exec', fsd, bounds.fsd),
  ];
}

/** With the simulated upsd, which records each poll: from the poll to the exec. */
export async function decision(runs = 50): Promise<readonly Figure[]> {
  return [
    figure('the deciding poll comes in at the server -> exec', await many(runs, () => fromPollToExec()), 20),
  ];
}

function figure(what: string, times: readonly number[], bound: number): Figure {
  const verdict = percentile(times, 0.99) <= bound ? 'p99 within' : 'p99 ABOVE';
  return {
    what: `${what}, ${String(times.length)} runs`,
    value: spread(times, 'ms'),
    against: `${verdict} ${String(bound)} ms`,
  };
}

async function many(runs: number, once: () => Promise<number>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await once());
  return times;
}

async function againstRealUpsd(change: Readonly<Record<string, string>>, more: string): Promise<number> {
  const upsd = await RealUpsd.start({ ups: { office: deviceFile(onLine) } });
  const daemon = await startDaemon({ toml: configurationFor({ port: upsd.port, more }) });
  try {
    await daemon.seesAll();
    // At a random time between two polls, as an outage would be.
    await pause(Math.random() * checkIntervalMs);
    const seenAtMs = firstSeen(upsd.port, change['ups.status'] ?? '');
    await upsd.rewrite('office', deviceFile({ ...onLine, ...change }));
    const changedAtMs = await seenAtMs;
    const [run] = await daemon.poweredOff();
    return (run?.atMs ?? NaN) - changedAtMs;
  } finally {
    await daemon.stop();
    await upsd.stop();
  }
}

async function fromPollToExec(): Promise<number> {
  const upsd = await startTimedUpsd();
  const daemon = await startDaemon({ toml: configurationFor({ port: upsd.port }) });
  try {
    await daemon.seesAll();
    const decidingMs = await upsd.forceShutdown();
    const [run] = await daemon.poweredOff();
    return (run?.atMs ?? NaN) - decidingMs;
  } finally {
    await daemon.stop();
    await upsd.stop();
  }
}

/** When upsd first answers with `status`: polled every few milliseconds on a separate connection. */
export function firstSeen(port: number, status: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const ask = setInterval(() => socket.write('GET VAR office ups.status\n'), 2);
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.toString().includes(`"${status}"`)) return;
      clearInterval(ask);
      socket.destroy();
      resolve(nowMs());
    });
    socket.on('error', reject);
  });
}

function deviceFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** Unix time in ms with the resolution of the power-off script's own clock. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
