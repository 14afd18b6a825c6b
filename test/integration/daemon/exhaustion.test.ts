import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { Office } from '../../fixtures/office.js';
import { descendants, isAlive } from '../../fixtures/processes.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

describe('a daemon without free file descriptors', () => {
  const office = new Office();
  let daemon: RunningDaemon;
  beforeEach(async () => {
    daemon = await office.start();
  });

  /** Takes all file descriptors, as after a leak or with a full file table. */
  const exhaust = () => {
    const open = new Set(readdirSync(`/proc/${String(daemon.pid)}/fd`).map(Number));
    let free = 0;
    while (open.has(free)) free += 1;
    limit(free);
  };
  const limit = (most: number) =>
    execFileSync('prlimit', ['--pid', String(daemon.pid), `--nofile=${String(most)}:1024`]);

  it('keeps running when a worker must restart, and restarts it once it can', async () => {
    const api = () =>
      descendants(daemon.pid).find(({ command }) => /^\S*node .*workers\/api/.test(command))?.pid;
    const before = api() ?? 0;
    exhaust();
    process.kill(before, 'SIGKILL');
    await daemon.logged('(not-started)');
    limit(1024);
    await until(api, (pid) => pid !== undefined && pid !== before);
  });

  it('keeps running after a failed reload, and reports the cause', async () => {
    exhaust();
    daemon.signal('SIGHUP');
    await daemon.logged('the configuration reader could not be started');
    expect(isAlive(daemon.pid)).to.equal(true);
  });

  it('retries the power-off until it can start the command', async () => {
    exhaust();
    office.upsd.ups('office').set({ fsd: true });
    await daemon.logged('could not be started');
    expect(daemon.powerOffs()).to.deep.equal([]);
    limit(1024);
    await daemon.poweredOff();
    expect(await daemon.control('sequence')).to.have.property('active');
  });
});
