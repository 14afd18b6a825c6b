import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { catalogue } from '../../../scripts/commands/catalogue.js';
import { dispatched } from '../../fixtures/dispatched-command.js';
import { program as command } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

function ran(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

describe('the ridethrough command', () => {
  it('prints its help', () => {
    const help = ran('--help');
    expect(help).to.include({ status: 0, stderr: '' });
    for (const { name } of catalogue) expect(help.stdout).to.match(new RegExp(`^  ${name} `, 'm'));
  });

  for (const { name } of catalogue) {
    it(`prints the help of ${name}`, () => {
      const help = ran(name, '--help');
      expect(help).to.include({ status: 0, stderr: '' });
      expect(help.stdout).to.contain(`ridethrough ${name}`);
      expect(help.stdout).to.match(/[^\n]\n$/);
    });

    it(`rejects an unknown option and extra arguments of ${name}`, async () => {
      const wrong = await dispatched([name, '--no-such-option']);
      expect(wrong).to.include({ code: 2, out: '' });
      expect(wrong.err).to.contain(`See: ridethrough ${name} --help`);
      expect(await dispatched([name, 'superfluous', 'words'])).to.include({ code: 2, out: '' });
    });
  }

  it('ignores a broken pipe', async () => {
    const child = spawn(process.execPath, [command, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text));
    const [status] = (await once(child, 'close')) as [number | null];
    expect({ status, said }).to.deep.equal({ status: 0, said: '' });
  });
});

describe('a script of the tree', () => {
  const directory = temporaryFolder();
  for (const program of ['node', 'npm']) {
    writeFileSync(join(directory, program), '#!/bin/sh\necho begun >&2\nexit 1\n', { mode: 0o755 });
  }
  const env = { ...process.env, PATH: `${directory}:${process.env['PATH'] ?? ''}` };

  for (const [script, ...wrong] of [
    ['scripts/test.sh', '--no-such-option'],
    ['scripts/start.sh', '--port', '0', '--no-such-option'],
    ['scripts/start.sh', 'superfluous'],
    ['scripts/start.sh', '--once', '--speed'],
  ] as const)
    it(`checks its arguments before it installs or builds: ${script} ${wrong.join(' ')}`, () => {
      const help = spawnSync(script, ['--help'], { encoding: 'utf8', env });
      expect(help).to.include({ status: 0, stderr: '' });
      expect(help.stdout).to.match(new RegExp(`^usage: ${script} .*\n`));
      const { status, stdout, stderr } = spawnSync(script, wrong, { encoding: 'utf8', env });
      expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
      expect(stderr)
        .to.match(/wrong argument '.*'\nusage: /)
        .and.not.to.contain('begun');
    });
});

describe('output of the ridethrough command that a pipe cannot take at once', () => {
  const directory = temporaryFolder();
  const length = 1_000_000;
  let socket: string;
  let daemon: Server;

  before(async () => {
    socket = join(directory, 'daemon.sock');
    daemon = createServer((_, response) => void response.end('a'.repeat(length))).listen(socket);
    await once(daemon, 'listening');
  });
  after(() => void daemon.close());

  it('is complete although its reader is slow', async () => {
    const child = spawn(process.execPath, [command, 'support', '--output', '-', '--socket', socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    let read = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      read += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect({ read, status: ((await ended) as [number | null])[0] }).to.deep.equal({
      read: length,
      status: 0,
    });
  });

  it('counts as read when the reader goes away', async () => {
    const child = spawn(process.execPath, [command, 'support', '--output', '-', '--socket', socket], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text));
    expect({ status: ((await ended) as [number | null])[0], said }).to.deep.equal({ status: 0, said: '' });
  });
});

describe('the command ridethrough run', () => {
  const directory = temporaryFolder();

  for (const [flag, value] of [
    ['--api-bind', 'localhost'],
    ['--api-port', '65536'],
    ['--api-port', '1e3'],
  ] as const) {
    it(`rejects ${flag} ${value}`, () => {
      const { status, stderr } = ran('run', '--config', join(directory, 'none'), flag, value);
      expect(status).to.equal(2);
      expect(stderr).to.contain(flag).and.to.contain(value);
    });
  }

  it('does not start without a configuration, and explains how to pass one', () => {
    const { status, stderr } = ran('run', '--config', join(directory, 'none.toml'));
    expect(status).to.equal(78);
    expect(stderr).to.contain('none.toml').and.to.contain('--config FILE');
  });

  it('does not start with an invalid configuration, and lists every problem', () => {
    const path = join(directory, 'wrong.toml');
    writeFileSync(path, '[[ups]]\nname = "a"\ncheck_intervall = 1\n[api]\nport = 70000\n');
    const { status, stderr } = ran('run', '--config', path);
    expect(status).to.equal(78);
    expect(stderr).to.contain('ups[a].check_intervall: unknown key; did you mean "check_interval"?');
    expect(stderr).to.contain('api.port');
  });
});
