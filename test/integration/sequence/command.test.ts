import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { environmentOf, runCommand } from '../../../supervisor/host/run-command.js';
import { isAlive } from '../../fixtures/processes.js';
import { until } from '../../fixtures/until.js';

const patient = () => AbortSignal.timeout(60_000);

describe('a local command', () => {
  it('runs without shell interpretation and reports its exit status and last output', async () => {
    const outcome = await runCommand(['sh', '-c', 'echo "$0 $1"; exit 3', '$(id)', '; rm'], patient());
    expect(outcome).to.deep.equal({ kind: 'exited', code: 3, output: '$(id) ; rm\n' });
  });

  it('of docker means the engine of this machine, unless the unit of the daemon names another', () => {
    const of = (words: readonly string[], own: NodeJS.ProcessEnv = {}, isRoot = true) =>
      environmentOf(words, own, isRoot)['DOCKER_CONTEXT'];
    for (const words of [
      ['docker', 'ps'],
      ['nsenter', '-m', '/usr/bin/docker', 'compose', 'stop'],
      ['docker-compose', '-f', 'x', 'stop'],
    ])
      expect(of(words), words.join(' ')).to.equal('default');
    expect(of(['podman', 'ps'])).to.equal(undefined);
    expect(of(['docker', 'ps'], { DOCKER_HOST: 'unix:///run/proxy.sock' })).to.equal(undefined);
    expect(of(['docker', 'ps'], { DOCKER_CONTEXT: 'nas' })).to.equal('nas');
    expect(of(['docker', 'ps'], {}, false)).to.equal(undefined);
  });

  it('that does not exist is reported as not startable', async () => {
    const outcome = await runCommand(['/nonexistent/poweroff'], patient());
    expect(outcome.kind).to.equal('unstartable');
  });

  for (const path of [undefined, '/nonexistent'])
    it(`in an sbin folder is found even if the PATH of the daemon is ${path ?? 'not set'}`, async () => {
      const before = process.env['PATH'];
      if (path === undefined) delete process.env['PATH'];
      else process.env['PATH'] = path;
      const outcome = await runCommand(['ldconfig', '--version'], patient()).finally(() => {
        process.env['PATH'] = before;
      });
      expect(outcome).to.include({ kind: 'exited', code: 0 });
    });

  it('that floods its output is bounded', async () => {
    const outcome = await runCommand(['sh', '-c', 'yes | head -c 3000000; echo end'], patient());
    expect(outcome.kind).to.equal('exited');
    expect('output' in outcome ? outcome.output.length : Infinity).to.be.at.most(4096);
  });

  it('keeps what commands have written that end at the same time', async () => {
    for (const mode of ['tail', 'listing'] as const)
      for (let round = 0; round < 50; round++) {
        const [, refused] = await Promise.all([
          runCommand(['sh', '-c', 'echo done'], patient(), mode),
          runCommand(['sh', '-c', 'echo refused >&2; exit 1'], patient(), mode),
        ]);
        expect(refused, mode).to.deep.equal({ kind: 'exited', code: 1, output: 'refused\n' });
      }
  });

  it('that is throttled waits while it floods, and loses no word at its end', async () => {
    const deadline = AbortSignal.timeout(1000);
    // Not throttled, this takes some hundredths of a second.
    const flood = await runCommand(['head', '-c', '50000000', '/dev/zero'], deadline, 'throttled');
    expect(flood.kind).to.equal('abandoned');
    const script = 'for line in $(seq 300); do echo "$line"; done; echo end >&2; exit 4';
    const short = await runCommand(['sh', '-c', script], patient(), 'throttled');
    expect(short).to.include({ kind: 'exited', code: 4 });
    expect('output' in short ? short.output : '').to.match(/299\n300\n/);
  });

  it('may have an environment of its own', async () => {
    const outcome = await runCommand(['env'], patient(), 'tail', { PATH: '/usr/bin:/bin', EVENT: 'a b' });
    expect('output' in outcome ? outcome.output.trim().split('\n') : []).to.include('EVENT=a b');
    expect('output' in outcome ? outcome.output : '').to.not.match(/^HOME=/m);
  });

  it('does not block its step when a grandchild keeps its output open', async () => {
    const outcome = await runCommand(['sh', '-c', 'sleep 600 & echo $!'], patient());
    expect(outcome).to.include({ kind: 'exited', code: 0 });
    const grandchild = Number('output' in outcome ? outcome.output : NaN);
    expect(isAlive(grandchild), 'it still runs').to.equal(true);
    process.kill(grandchild, 'SIGKILL');
  });

  it('is killed with its process group at the deadline, without a wait for its exit', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'ridethrough-command-'));
    try {
      const file = join(directory, 'pids');
      const script = `trap '' TERM; sleep 60 & echo $$ $! >${file}; wait`;
      const deadline = new AbortController();
      const outcome = runCommand(['sh', '-c', script], deadline.signal);
      const pids = () => {
        try {
          return readFileSync(file, 'utf8').trim().split(' ').map(Number);
        } catch {
          return [];
        }
      };
      await until(() => pids().length === 2);
      deadline.abort();
      expect((await outcome).kind).to.equal('abandoned');
      for (const pid of pids()) await until(() => !isAlive(pid));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
