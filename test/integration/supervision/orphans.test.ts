// A killed supervisor takes all its processes with it within a second.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { systemClock } from '../../../shared/runtime/clock.js';
import { workerCommandLine, workerEnvironment } from '../../../supervisor/supervision/worker-command.js';
import { processesOf } from './processes.js';
import { inTime } from '../../fixtures/in-time.js';
import { isAlive, signal } from '../../fixtures/processes.js';
import { until } from '../../fixtures/until.js';

const program = fileURLToPath(new URL('../../fixtures/supervisor-program.js', import.meta.url));
/** All have ended while this process has turned its event loop for this long. */
const goneWithinMs = 1000;
/** The moments of the kill after the start of the workers: before, in and after setpriv and node. */
const killDelaysMs = [0, 1, 2, 3, 5, 8, 12, 18, 25, 40, 60, 90];

describe('a killed supervisor', () => {
  let supervisor: ChildProcess;

  async function start(what: 'spinning' | 'starting'): Promise<number> {
    supervisor = spawn(process.execPath, [program, what], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (supervisor.stdout === null || supervisor.pid === undefined) throw new Error('no supervisor');
    await once(supervisor.stdout, 'data');
    return supervisor.pid;
  }

  afterEach(() => {
    supervisor.kill('SIGKILL');
    // A process left by a failed test spins.
    signal(processesOf(supervisor.pid ?? 0), 'SIGKILL');
  });

  it('takes idle and spinning processes with it', async () => {
    const pid = await start('spinning');
    await until(() => processesOf(pid).length === 5);
    const workers = processesOf(pid);
    const begun = systemClock.monotonicMs();
    supervisor.kill('SIGKILL');
    await inTime(
      goneWithinMs,
      until(() => !workers.some(isAlive)),
    );
    console.log(`      5 processes gone after ${(systemClock.monotonicMs() - begun).toFixed(0)} ms`);
    expect(processesOf(pid)).to.deep.equal([]);
  });

  it('leaves no process that was just starting', async () => {
    const slowest: number[] = [];
    for (const delayMs of killDelaysMs) {
      const pid = await start('starting');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      const begun = systemClock.monotonicMs();
      supervisor.kill('SIGKILL');
      await once(supervisor, 'exit');
      await inTime(
        goneWithinMs,
        until(() => processesOf(pid).length === 0),
      );
      slowest.push(systemClock.monotonicMs() - begun);
    }
    console.log(
      `      killed at ${killDelaysMs.join(', ')} ms: slowest gone after ${Math.max(...slowest).toFixed(0)} ms`,
    );
  });

  it('is noticed first by a worker that starts after its death', async () => {
    const [command = '', ...args] = workerCommandLine({
      entry: fileURLToPath(new URL('../../fixtures/workers/spinning.js', import.meta.url)),
      heapLimitMb: 64,
      account: null,
      nodePath: process.execPath,
    });
    // Its parent, this process, is not the expected supervisor: as when init has adopted it.
    supervisor = spawn(command, args, { stdio: 'ignore', env: workerEnvironment(process.env, 999_999_999) });
    const [, endedBy] = (await once(supervisor, 'exit')) as [number | null, string | null];
    expect(endedBy).to.equal('SIGKILL');
  });
});
