import { execFileSync, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { serviceManager } from '../../../supervisor/host/systemd.js';
import { faultCode } from '../../fixtures/faults.js';
import { runInside } from '../../fixtures/inspector.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { descendants, isAlive } from '../../fixtures/processes.js';
import type { DaemonOptions, RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, is, isAtLeast, isEmpty, matches, until } from '../../fixtures/until.js';

describe('the daemon process', () => {
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon | undefined;
  beforeEach(async () => {
    upsd = await startSimulatedUpsd({ ups: ['hall', 'office'].map((name) => ({ name, noise: 0 as const })) });
  });
  afterEach(async () => {
    await daemon?.stop();
    daemon = undefined;
    await upsd.stop();
  });
  const start = async (options: Partial<DaemonOptions> = {}) => {
    daemon = await startDaemon({
      toml: configurationFor({ port: upsd.port, checkInterval: 0.2 }),
      ...options,
    });
    return daemon;
  };

  it('explains every trigger at SIGUSR2, exits with 0 at SIGTERM and leaves no child process', async () => {
    const running = await start();
    await running.seesAll();
    running.signal('SIGUSR2');
    await running.logged('LOW_BATTERY');
    const family = descendants(running.pid).map(({ pid }) => pid);
    expect(family).to.have.length.at.least(3);
    running.signal('SIGTERM');
    expect(await running.exited).to.equal(0);
    expect(family.filter(isAlive)).to.deep.equal([]);
  });

  it('takes all workers with it when it is killed, even one that spins', async () => {
    const running = await start();
    const family = descendants(running.pid);
    for (const name of ['poller', 'api']) {
      const worker = family.find(({ command }) => command.includes(`workers/${name}/`));
      await runInside(worker?.pid ?? 0, faultCode.spin);
    }
    await running.kill();
    await until(() => family.filter(({ pid }) => isAlive(pid)), isEmpty);
  });

  it('reloads at SIGHUP: accepts a UPS again immediately after its removal, and no invalid file', async () => {
    const running = await start();
    const one = configurationFor({ port: upsd.port, checkInterval: 0.2 });
    const ups = [{ name: 'office', local: true }, { name: 'hall' }];
    const both = configurationFor({ port: upsd.port, checkInterval: 0.2, ups });
    const reload = (toml: string) => {
      running.configure(toml);
      running.signal('SIGHUP');
    };
    for (const [reloads, toml] of [both, one, both, one, both].entries()) {
      reload(toml);
      await until(() => running.log().split('CONFIG_RELOAD: signal: reload: ok').length - 1, is(reloads + 1));
    }
    expect(running.log()).to.match(/CONFIG_RELOAD: signal: reload: ok, now in force: ups\[hall@/);
    reload(`${one}\n[api]\nport = 99999\n`);
    await running.logged('CONFIG_RELOAD: signal: reload: failed');
    await running.logged(/configuration: api\.port: expected a whole number from 0 to 65535/);
    await running.seesAll();
    expect((await running.status()).ups).to.have.length(2);
    expect(running.log())
      .not.to.include('bug:')
      .and.not.to.match(/lost the (worker|process)/);
  });

  it('acts even if nobody reads its log', async () => {
    const toml = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: '[logging]\nlevel = "debug"\nformat = "json"\n',
    });
    const running = await start({ toml, stalledLog: true });
    // An explanation has about 2 kB and a pipe holds 64: the pipe is full before the end.
    for (let account = 0; account < 200; account += 1) {
      running.signal('SIGUSR2');
      // Signals that are pending together are one.
      await pause(5);
    }
    upsd.ups('office').set({ fsd: true });
    await running.poweredOff();
  });

  /** What a service manager hears on `socket`. */
  async function heardBy(act: (socket: string, heard: () => string) => Promise<void>): Promise<void> {
    const socket = join(temporaryFolder(), 'notify.sock');
    const listener = spawn('python3', ['-c', notifyListener, socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let heard = '';
    listener.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    try {
      await until(() => heard, includes('listening'));
      await act(socket, () => heard);
    } finally {
      listener.kill('SIGKILL');
    }
  }

  it('notifies the service manager of ready, watchdog, reloading and stopping', async () => {
    await heardBy(async (socket, heard) => {
      const running = await start({ env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '900000' } });
      await until(heard, (text) => text.includes('READY=1') && text.split('WATCHDOG=1').length > 3);
      running.signal('SIGHUP');
      await until(heard, matches(/RELOADING=1\nMONOTONIC_USEC=\d+/));
      running.signal('SIGTERM');
      await running.exited;
      await until(heard, includes('STOPPING=1'));
      expect(heard()).not.to.include('EXTEND_TIMEOUT_USEC');
    });
  });

  it('extends the time of its stop three times a minute, with or without a watchdog', async () => {
    await heardBy(async (NOTIFY_SOCKET, heard) => {
      for (const [WATCHDOG_USEC, others] of [
        ['0', ''],
        ['600000000', 'WATCHDOG=1\n'],
      ] as const) {
        const time = new FakeTime();
        const manager = serviceManager({ NOTIFY_SOCKET, WATCHDOG_USEC }, time);
        const before = heard().length;
        const extensions = () =>
          heard().slice(before).split(`${others}EXTEND_TIMEOUT_USEC=60000000`).length - 1;
        manager.stopsLater();
        for (let seconds = 0; seconds < 40; seconds += 1) {
          manager.alive();
          await time.pass(1_000);
        }
        await until(extensions, isAtLeast(2));
        expect(extensions()).to.equal(2);
      }
    });
  });

  it('runs each worker under its own user, without capabilities, when root starts it', async function () {
    skipFor(this, process.getuid?.() !== 0 && 'only root can drop privileges');
    const users = 'worker_users = { api = "games", storage = "news", ssh = "uucp", net = "nobody" }\n';
    const base = configurationFor({ port: upsd.port, checkInterval: 0.2, apiPort: 0 });
    const running = await start({ toml: base.replace('[supervisor]\n', `[supervisor]\n${users}`) });
    const of = (part: string) =>
      descendants(running.pid).find(({ command }) => command.includes(part))?.pid ?? 0;
    const status = (pid: number, field: string) =>
      execFileSync('grep', [`^${field}:`, `/proc/${String(pid)}/status`])
        .toString()
        .split(/\s+/)
        .slice(1)
        .filter(Boolean);
    const uid = (name: string) => execFileSync('id', ['-u', name]).toString().trim();
    for (const [part, user] of [
      ['workers/poller', 'nobody'],
      ['workers/api', 'games'],
    ] as const) {
      expect(new Set(status(of(part), 'Uid')), part).to.deep.equal(new Set([uid(user)]));
      expect(status(of(part), 'CapEff'), part).to.deep.equal(['0000000000000000']);
      expect(status(of(part), 'CapBnd'), part).to.deep.equal(['0000000000000000']);
      expect(status(of(part), 'NoNewPrivs'), part).to.deep.equal(['1']);
    }
    expect(statSync(running.controlSocket).mode & 0o777).to.equal(0o660);
    expect(statSync(join(running.directory, 'run/supervisor')).mode & 0o777).to.equal(0o700);
  });
});

/** Node has no Unix datagram sockets; Python has. */
const notifyListener = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)
`;
