import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { isAlive } from '../../fixtures/processes.js';
import type { DaemonOptions, RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { isAtLeast, until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('the start of the daemon', () => {
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon | undefined;
  let directory: string;
  let polls: number;
  beforeEach(async () => {
    polls = 0;
    upsd = await startSimulatedUpsd({
      ups: [{ name: 'office', noise: 0 }],
      onQuery: ([verb]) => {
        if (verb === 'LIST') polls += 1;
      },
    });
    directory = temporaryFolder();
  });
  afterEach(async () => {
    await daemon?.stop();
    daemon = undefined;
    await upsd.stop();
  });
  const start = async (options: Partial<DaemonOptions> = {}) => {
    const toml = configurationFor({ port: upsd.port, checkInterval: 0.2 });
    daemon = await startDaemon({ toml, directory, ...options });
    return daemon;
  };
  const powersOff = async (running: RunningDaemon) => {
    // FSD in the first reading counts as latched.
    await until(() => polls, isAtLeast(3));
    upsd.ups('office').set({ fsd: true });
    await running.poweredOff();
  };

  it('works without a runtime directory and reports what is unavailable', async () => {
    writeFileSync(join(directory, 'run'), 'a file where the directory should be');
    const running = await start({ ready: false });
    await running.logged(/error supervisor: the runtime directory \S+\/run cannot be used \(E/);
    await powersOff(running);
  });

  it('ignores a FIFO in place of the outage snapshot', async () => {
    mkdirSync(join(directory, 'run/supervisor'), { recursive: true });
    execFileSync('mkfifo', [join(directory, 'run/supervisor/outage.json')]);
    const running = await start();
    await running.logged(/outage snapshot \S+ cannot be used \(not a file\)/);
    await powersOff(running);
  });

  it('creates a runtime directory that every worker can enter, under any umask', async () => {
    const before = process.umask(0o077);
    const running = await start().finally(() => process.umask(before));
    expect(statSync(join(running.directory, 'run')).mode & 0o777).to.equal(0o755);
    expect(statSync(join(running.directory, 'run/supervisor')).mode & 0o777).to.equal(0o700);
  });

  it('survives a log rotation signal that comes too early, and obeys the next one', async () => {
    const [begun = '', go = '', hold = ''] = ['begun', 'go', 'hold.mjs'].map((name) => join(directory, name));
    // The reader of the configuration waits for the signal.
    writeFileSync(
      hold,
      `import { existsSync, writeFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('load/reader.js')) {
  writeFileSync('${begun}', '');
  while (!existsSync('${go}')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}
`,
    );
    const running = await start({ ready: false, env: { NODE_OPTIONS: `--import=${hold}` } });
    await until(() => existsSync(begun));
    running.signal('SIGHUP');
    writeFileSync(go, '');
    await running.logged('the server refuses TLS');
    running.signal('SIGHUP');
    await running.logged('CONFIG_RELOAD: signal: reload: ok');
  });

  it('opens no debugger at SIGUSR1, which would give every user root', async () => {
    const running = await start();
    running.signal('SIGUSR1');
    running.signal('SIGHUP');
    await running.logged('CONFIG_RELOAD: signal: reload: ok');
    expect(running.log()).not.to.include('Debugger listening');
    expect(isAlive(running.pid)).to.equal(true);
  });

  it('does not start beside another daemon with its runtime directory, which goes on undisturbed', async () => {
    const running = await start();
    const socket = statSync(running.controlSocket).ino;
    const second = await startDaemon({
      toml: configurationFor({ port: upsd.port, checkInterval: 0.2 }),
      directory,
      ready: false,
    });
    expect(await second.exited).to.equal(75);
    await second.logged(`Another daemon runs with the runtime directory ${directory}/run: `);
    expect(statSync(running.controlSocket).ino).to.equal(socket);
    expect(await running.status()).to.have.property('generatedAt');
    await powersOff(running);
    expect(running.powerOffs()).to.have.lengthOf(1);
  });

  it('starts at once after one that was killed', async () => {
    const killed = await start();
    await killed.kill();
    expect((await start()).log()).not.to.include('cannot be locked');
  });

  it('ends so that the unit starts it again when nobody could read the configuration', async () => {
    const kill = join(directory, 'kill.mjs');
    writeFileSync(
      kill,
      "if (process.argv[1]?.endsWith('load/reader.js')) process.kill(process.pid, 'SIGKILL');\n",
    );
    const running = await start({ ready: false, env: { NODE_OPTIONS: `--import=${kill}` } });
    expect(await running.exited).to.equal(75);
    await running.logged(/could not be checked[^]*\(signal SIGKILL\)/);
    expect(polls).to.equal(0);
  });

  it('does not start where a user who is not root may not look for another daemon', async () => {
    mkdirSync(join(directory, 'run'), { mode: 0o555 });
    const running = await start({ ready: false, prefix: ['unshare', '--user', '--map-user=1000'] });
    expect(await running.exited).to.equal(78);
    await running.logged(
      `This user may not use the runtime directory ${directory}/run (EACCES: permission denied`,
    );
    expect(polls).to.equal(0);
  });

  it('starts where such a user has locked its folder, and only the socket of the commands is forbidden', async () => {
    mkdirSync(join(directory, 'run/supervisor'), { recursive: true });
    chmodSync(join(directory, 'run'), 0o555);
    const running = await start({ ready: false, prefix: ['unshare', '--user', '--map-user=1000'] });
    await running.logged(`the runtime directory ${directory}/run cannot be used (EACCES: permission denied`);
    await powersOff(running);
  });

  for (const [fault, script, cause] of [
    ['refuses', 'echo no locks on this file system >&2\nexit 69', 'no locks on this file system'],
    ['hangs and ignores SIGTERM', "trap '' TERM\nwhile :; do sleep 1; done", 'spawnSync flock ETIMEDOUT'],
  ] as const)
    it(`starts, and logs an error, where flock ${fault}`, async () => {
      const bin = join(directory, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'flock'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const running = await start({ env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } });
      await running.logged(`error supervisor: ${directory}/run/supervisor cannot be locked (${cause})`);
      await powersOff(running);
    });
});
