import { execFileSync, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { runInside } from '../../fixtures/inspector.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { descendants, isAlive } from '../../fixtures/processes.js';
import type { DaemonOptions, RunningDaemon } from '../../fixtures/running-daemon.js';
import { freePort, startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

interface Status {
  readonly ups: readonly { readonly name: string; readonly connectionState: string }[];
}

describe('the life of the daemon', function () {
  this.timeout(60_000);
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

  it('ends at SIGTERM with exit code 0 and leaves no process', async () => {
    const running = await start();
    const family = descendants(running.pid).map(({ pid }) => pid);
    expect(family).to.have.length.at.least(3);
    running.signal('SIGTERM');
    expect(await running.exited).to.equal(0);
    expect(family.filter(isAlive)).to.deep.equal([]);
  });

  it('takes every worker with it when it is killed, a spinning one too', async () => {
    const running = await start();
    const family = descendants(running.pid);
    const host = family.find(({ command }) => command.includes('workers/host'));
    await runInside(host?.pid ?? 0, 'setTimeout(() => { for (;;); }, 1); 0', 1);
    const api = family.find(({ command }) => command.includes('workers/api'));
    await runInside(api?.pid ?? 0, 'setTimeout(() => { for (;;); }, 1); 0');
    running.signal('SIGKILL');
    await running.exited;
    await until(
      () => family.filter(({ pid }) => isAlive(pid)),
      (left) => left.length === 0,
      1_000,
    );
  });

  it('does not start without a valid configuration: exit 78, every problem, nothing armed', async () => {
    const running = await start({
      toml: '[[ups]]\nname = "office@127.0.0.1"\nis_locl = true\n[apii]\n',
      ready: false,
    });
    expect(await running.exited).to.equal(78);
    await until(
      () => running.log(),
      (log) => /is_locl: unknown key; did you mean "is_local"/.test(log),
    );
    await until(
      () => running.log(),
      (log) => /apii: unknown key; did you mean "api"/.test(log),
    );
  });

  it('reads its configuration again at SIGHUP: UPSes come and go without a gap for the others', async () => {
    const running = await start();
    const both = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      ups: [{ name: 'office', local: true }, { name: 'hall' }],
    });
    const names = async () =>
      ((await running.control('status')) as Status).ups.map(({ name }) => name.split('@')[0]);
    running.configure(both);
    running.signal('SIGHUP');
    await until(names, (list) => list.join() === 'office,hall');
    await until(
      () => running.log(),
      (log) => /CONFIG_RELOAD: signal: reload: ok, now in force: ups\[hall@/.test(log),
    );
    running.configure(`${both}\n[api]\nport = 99999\n`);
    running.signal('SIGHUP');
    await until(
      () => running.log(),
      (log) => log.includes('CONFIG_RELOAD: signal: reload: failed'),
    );
    await until(
      () => running.log(),
      (log) => /configuration: api\.port: expected a whole number from 1 to 65535/.test(log),
    );
    expect(await names()).to.deep.equal(['office', 'hall']);
    running.configure(configurationFor({ port: upsd.port, checkInterval: 0.2 }));
    running.signal('SIGHUP');
    await until(names, (list) => list.join() === 'office');
    expect(running.log()).not.to.include('lost the worker');
  });

  it('takes a UPS back that was removed a moment before', async () => {
    const running = await start();
    const one = configurationFor({ port: upsd.port, checkInterval: 0.2 });
    const ups = [{ name: 'office', local: true }, { name: 'hall' }];
    const both = configurationFor({ port: upsd.port, checkInterval: 0.2, ups });
    const rows = async () => ((await running.control('status')) as Status).ups;
    for (const [reload, toml] of [both, one, both, one, both].entries()) {
      running.configure(toml);
      running.signal('SIGHUP');
      await until(
        () => running.log().split('CONFIG_RELOAD: signal: reload: ok').length - 1,
        (done) => done === reload + 1,
      );
    }
    await until(
      rows,
      (list) => list.length === 2 && list.every(({ connectionState }) => connectionState === 'OK'),
    );
    expect(running.log()).not.to.include('bug:');
  });

  it('explains every trigger in the log at SIGUSR2', async () => {
    const running = await start();
    await until(
      async () => ((await running.control('status')) as Status).ups[0]?.connectionState,
      (state) => state === 'OK',
    );
    running.signal('SIGUSR2');
    await until(
      () => running.log(),
      (log) => /LOW_BATTERY/.test(log),
    );
  });

  it('acts although nobody reads its log', async () => {
    const toml = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: '[logging]\nlevel = "debug"\nformat = "json"\n',
    });
    const running = await start({ toml, stalledLog: true });
    // Each account is about 2 kB, a pipe holds 64: it is full long before the end.
    for (let account = 0; account < 200; account += 1) {
      running.signal('SIGUSR2');
      await pause(5);
    }
    upsd.ups('office').set({ fsd: true });
    await until(
      () => running.powerOffs(),
      (list) => list.length === 1,
      3_000,
    );
  });

  it('tells the service manager when it is ready, alive, reloading and stopping', async () => {
    const socket = join('/tmp', `ridethrough-notify-${String(process.pid)}.sock`);
    const listener = spawn('python3', ['-c', notifyListener, socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let heard = '';
    listener.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    try {
      await until(
        () => heard,
        (text) => text.includes('listening'),
      );
      const running = await start({ env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '900000' } });
      await until(
        () => heard,
        (text) => text.includes('READY=1') && text.split('WATCHDOG=1').length > 3,
      );
      running.signal('SIGHUP');
      await until(
        () => heard,
        (text) => /RELOADING=1\nMONOTONIC_USEC=\d+/.test(text),
      );
      running.signal('SIGTERM');
      await running.exited;
      await until(
        () => heard,
        (text) => text.includes('STOPPING=1'),
      );
    } finally {
      listener.kill('SIGKILL');
    }
  });

  it('drops each worker to a user of its own, without capabilities, when started as root', async function () {
    if (process.getuid?.() !== 0) {
      process.stderr.write('      skipped: only root can drop privileges\n');
      this.skip();
    }
    const users = 'worker_users = { api = "games", storage = "news", ssh = "uucp", net = "nobody" }\n';
    const base = configurationFor({ port: upsd.port, checkInterval: 0.2, apiPort: await freePort() });
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
      ['workers/host', 'nobody'],
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

/** A datagram socket is what Node does not have; a few lines of the Python that builds sqlite3 anyway do. */
const notifyListener = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)
`;
