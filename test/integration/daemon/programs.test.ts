import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReadyModel } from '../../../shared/protocol/api.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { privateAccountsProblem } from '../../fixtures/private-accounts.js';
import { descendants } from '../../fixtures/processes.js';
import { RealUpsd, onLine } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { is, until } from '../../fixtures/until.js';
import { program as command } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const leaping = `--import ${new URL('../../fixtures/jumping-clock.js', import.meta.url).href}`;
const hungFileSystem = fileURLToPath(
  new URL('../../../../test/integration/sequence-local/hung-file-system.py', import.meta.url),
);

describe('the check for the programs of a shutdown', () => {
  let upsd: RealUpsd;
  let folder: string;
  let daemon: RunningDaemon | undefined;

  beforeEach(async () => {
    folder = temporaryFolder();
    daemon = undefined;
    upsd = await RealUpsd.start({ ups: { office: onLine } });
  });
  afterEach(async () => {
    await daemon?.stop();
    await upsd.stop();
  });

  const program = (path: string): string => {
    writeFileSync(path, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    return path;
  };
  const start = async (more: string, transport: 'network' | 'tools', prefix: readonly string[] = []) => {
    const toml = configurationFor({ port: upsd.port, checkInterval: 0.2, transport, more });
    daemon = await startDaemon({ toml, prefix, env: { NODE_OPTIONS: leaping } });
    await isReady();
  };
  const ready = async () => (await daemon?.control('ready')) as ReadyModel;
  const isReady = () => until(ready, (now) => now.ready);
  const isNot = (reason: string) =>
    until(ready, ({ reasons }) => reasons.some((one) => one.includes(reason)));
  /** A minute passes. */
  const leap = () => daemon?.signal('SIGUSR1');
  const said = (text: string): number =>
    (daemon?.log() ?? '').split('\n').filter((line) => line.includes(text)).length;

  it('runs every minute and reports each missing and each recovered program once', async () => {
    await start('', 'network');
    chmodSync(join(daemon?.directory ?? '', 'shutdown'), 0o644);
    leap();
    await isNot(`the program ${daemon?.directory ?? ''}/shutdown is not installed or may not be run`);
    leap();
    chmodSync(join(daemon?.directory ?? '', 'shutdown'), 0o755);
    leap();
    await isReady();
    const back = 'shutdown is on this machine again and may be run';
    await until(() => said(back) > 0);
    expect(
      said('shutdown is not on this machine or may not be run: in an outage this machine would stay on'),
    ).to.equal(1);
    expect(said(back)).to.equal(1);
  });

  for (const tool of ['upscmd', 'upsrw'])
    it(`includes ${tool} when NUT tools cut an output`, async function () {
      skipFor(this, privateAccountsProblem());
      const own = program(join(folder, tool));
      const more = '[nut_control]\nusername = "u"\npassword = "p"\n[ups_output]\noff_after_shutdown = true\n';
      const mounted = [
        'unshare',
        '--mount',
        'sh',
        '-c',
        `mount --bind '${own}' /usr/bin/${tool} && exec "$@"`,
        'sh',
      ];
      await start(more, 'tools', mounted);
      chmodSync(own, 0o644);
      leap();
      await isNot(`nut_tools/${tool}: the program ${tool} is not installed or may not be run`);
      await until(() => said(`nut.transport: the program ${tool} is not on this machine`), is(1));
      const config = join(daemon?.directory ?? '', 'config.toml');
      const drill = [
        process.execPath,
        command,
        'shutdown',
        'group',
        '--group',
        `office@127.0.0.1:${String(upsd.port)}`,
        '--config',
        config,
      ];
      const [nsenter = '', ...words] = ['nsenter', '--target', String(daemon?.pid), '--mount', ...drill];
      const drilled = spawn(nsenter, words, { stdio: ['ignore', 'pipe', 'inherit'] });
      let out = '';
      drilled.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      await once(drilled, 'close');
      expect(out).to.match(
        new RegExp(`ups_output_off .*failed .*${tool} is not installed or may not be run`),
      );
      chmodSync(own, 0o755);
      leap();
      await isReady();
    });

  it('keeps the last result while their file system hangs, and blocks nothing', async function () {
    skipFor(this, privateAccountsProblem());
    const hung = join(folder, 'hung');
    mkdirSync(hung);
    const fallback = program(join(hung, 'fallback'));
    await start('', 'network', ['unshare', '--mount', '--propagation', 'private']);
    daemon?.configure(
      configurationFor({ port: upsd.port, checkInterval: 0.2 }).replace(
        'command = ["{shutdown}"]',
        `command = ["{shutdown}"]\nfallback_command = ["${fallback}"]`,
      ),
    );
    daemon?.signal('SIGHUP');
    await until(() => said('CONFIG_RELOAD'), is(1));
    const mounted = spawn('nsenter', [
      '--target',
      String(daemon?.pid),
      '--mount',
      'python3',
      hungFileSystem,
      hung,
    ]);
    try {
      skipFor(this, !(await saysReady(mounted)) && 'there is no FUSE');
      leap();
      await until(shells, (list) => list.length === 1);
      leap();
      leap();
      await until(() => said('cannot be looked for (no answer within 10 s)'), is(1));
      expect(shells().length).to.be.at.most(1);
      expect(await ready()).to.include({ ready: true });
      expect(said('not on this machine')).to.equal(0);
    } finally {
      mounted.kill('SIGKILL');
      await once(mounted, 'exit');
    }
    // The mount went with its program, so a check that reaches it finds nothing. Without the mount the file is visible
    // again.
    spawnSync('nsenter', ['--target', String(daemon?.pid), '--mount', 'umount', '--lazy', hung]);
    await until(shells, (list) => list.length === 0);
    leap();
    await until(() => said('can be checked again'), is(1));
    await isReady();
  });

  const shells = () =>
    descendants(daemon?.pid ?? 0).filter(({ command: line }) => line.startsWith('/bin/sh -c n=0'));
});

function saysReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.stdout?.once('data', () => resolve(true));
    child.once('exit', () => resolve(false));
  });
}
