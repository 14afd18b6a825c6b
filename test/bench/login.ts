// The cost of a login, whether its time reveals that a user exists, and the latency of /health during many logins.
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { configurationFor } from '../fixtures/one-ups.js';
import type { RunningDaemon } from '../fixtures/running-daemon.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import type { Figure } from './table.js';
import { percentile, spread } from './table.js';
import { program } from '../fixtures/ridethrough.js';

/** Per kind, alternating. An address may fail 10 times per minute, all addresses together 100 times in 5 minutes. */
const failures = 40;
const concurrency = 200;
const betweenHealthMs = 5;

export async function login(): Promise<readonly Figure[]> {
  const more = '[api.auth]\ndb_path = "{directory}/auth.db"\n';
  const daemon = await startDaemon({ toml: configurationFor({ port: 1, apiPort: 0, more }) });
  const port = daemon.apiPort;
  try {
    await createUser(daemon);
    await post(port, 'alice', 'correct horse', 1);
    const wrong: number[] = [];
    const unknown: number[] = [];
    for (let turn = 0; turn < failures; turn += 1) {
      wrong.push((await post(port, 'alice', 'wrong horse', 2 + (turn % 5))).ms);
      unknown.push((await post(port, `nobody${String(turn)}`, 'wrong horse', 10 + (turn % 5))).ms);
    }
    const quiet = await healthWhile(port, pause(2_000));
    let waited: readonly { readonly status: number }[] = [];
    const flood = Promise.all(
      Array.from({ length: concurrency }, (_, turn) => post(port, 'alice', 'wrong horse', 30 + turn)),
    );
    const busy = await healthWhile(
      port,
      flood.then((all) => (waited = all)),
    );
    const count = (status: number) => waited.filter((one) => one.status === status).length;
    const ratio = percentile(unknown, 0.5) / percentile(wrong, 0.5);
    return [
      { what: 'a wrong password', value: spread(wrong, 'ms') },
      { what: 'an unknown user', value: spread(unknown, 'ms') },
      {
        what: 'unknown user / wrong password',
        value: ratio.toFixed(3),
        against: 'of the medians; 1 tells nobody anything',
      },
      { what: `/health, nothing else`, value: spread(quiet, 'ms') },
      {
        what: `/health, ${String(concurrency)} logins at once`,
        value: spread(busy, 'ms'),
        against: `goal: p99 under 50 ms; ${String(count(401))} refused, ${String(count(429))} throttled`,
      },
    ];
  } finally {
    await daemon.stop();
  }
}

function createUser(daemon: RunningDaemon): Promise<unknown> {
  const args = [
    'user',
    'create',
    'alice',
    '--password-stdin',
    '--config',
    join(daemon.directory, 'config.toml'),
  ];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end('correct horse');
  return new Promise((resolve) => child.once('close', resolve));
}

/** One login from 127.0.1.`host`. */
function post(
  port: number,
  username: string,
  password: string,
  host: number,
): Promise<{ status: number; ms: number }> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const to = { port, host: '127.0.0.1', localAddress: `127.0.1.${String(host)}`, agent: false } as const;
    const call = request({ ...to, method: 'POST', path: '/api/v1/auth/login' }, (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      response.once('end', () => resolve({ status, ms: performance.now() - startedMs }));
    });
    call.once('error', reject);
    call.end(JSON.stringify({ username, password }));
  });
}

/** Milliseconds of each answer of /health until `end`. */
async function healthWhile(port: number, end: Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  let over = false;
  void end.finally(() => (over = true));
  while (!over) {
    const startedMs = performance.now();
    await (await fetch(`http://127.0.0.1:${String(port)}/health`)).arrayBuffer();
    times.push(performance.now() - startedMs);
    await pause(betweenHealthMs);
  }
  await end;
  return times;
}
