import { expect } from 'chai';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Loaded } from '../../../supervisor/config/configuration/configuration.js';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { descendants, isAlive } from '../../fixtures/processes.js';
import { isEmpty, until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const office = '[[ups]]\nname = "office@127.0.0.1:3493"\n';
const messagesOf = (loaded: Loaded): readonly string[] =>
  loaded.ok ? [] : loaded.problems.map(({ message }) => message);

function programsOf(script: string): readonly string[] {
  return descendants(process.pid)
    .map(({ command }) => command)
    .filter((command) => command.includes(script));
}

describe('the configuration reader', () => {
  let directory: string;
  let file: string;
  const fake = (body: string): string => {
    const path = join(directory, 'reader.mjs');
    writeFileSync(path, `import { writeFileSync } from 'node:fs';\n${body}`);
    return path;
  };
  const tellPid = (): string =>
    `writeFileSync(${JSON.stringify(join(directory, 'pid'))}, String(process.pid));\n`;
  const pid = (): number => Number(readFileSync(join(directory, 'pid'), 'utf8'));

  beforeEach(() => {
    directory = temporaryFolder();
    file = join(directory, 'config.toml');
    writeFileSync(file, office, { mode: 0o600 });
  });

  it('returns the configuration with secrets and certificates', async () => {
    writeFileSync(join(directory, 'secret'), 'top secret\n', { mode: 0o600 });
    writeFileSync(
      file,
      `${office}[api.auth]\nenabled = true\n[nut_control]\nenabled = true\npassword = { file = "${join(directory, 'secret')}" }\n`,
    );
    const loaded = await readConfiguration(file);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    expect(loaded.configuration.ups[0]?.policy.groupId).to.equal('office-127.0.0.1-3493');
    expect(loaded.configuration.ups[0]?.control?.password).to.equal('top secret');
    expect(loaded.configuration.secrets).to.deep.equal(['top secret']);
  });

  it('resolves a relative path from the current directory', async () => {
    expect((await readConfiguration(relative(process.cwd(), file))).ok).to.equal(true);
  });

  it('returns all problems of an invalid file', async () => {
    writeFileSync(file, '[triggers]\nconfirmations = 0\nfoo = 1\n');
    const loaded = await readConfiguration(file);
    expect(loaded.ok ? [] : loaded.problems.map(({ path }) => path)).to.deep.equal([
      'triggers.foo',
      'triggers.confirmations',
      'ups',
    ]);
  });

  it('rejects a path that is not a regular file before it reads', async () => {
    const fifo = join(directory, 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(messagesOf(await readConfiguration(fifo))[0]).to.include(`${fifo} is not a regular file`);
    expect(messagesOf(await readConfiguration(directory))[0]).to.include('is a directory, not a file');
    expect(messagesOf(await readConfiguration('/dev/zero'))[0]).to.include('is not a regular file');
    expect(messagesOf(await readConfiguration(join(file, 'x')))[0]).to.include('does not exist');
  });

  it('rejects a secret in a FIFO', async () => {
    const fifo = join(directory, 'fifo');
    execFileSync('mkfifo', [fifo]);
    writeFileSync(file, `${office}[nut_control]\npassword = { file = "${fifo}" }`);
    expect(messagesOf(await readConfiguration(file))).to.deep.equal([
      `the secret file ${fifo} is not a regular file`,
    ]);
  });

  it('rejects a file larger than 1 MiB and accepts one of exactly that size', async () => {
    writeFileSync(file, `${office}# ${'x'.repeat(1_048_576)}\n`);
    expect(messagesOf(await readConfiguration(file))[0]).to.include('is larger than 1 MiB');
    writeFileSync(file, `${office}# ${'x'.repeat(1_048_576 - office.length - 3)}\n`);
    expect((await readConfiguration(file)).ok).to.equal(true);
    writeFileSync(file, `a = ${'[{b='.repeat(200_000)}`);
    expect((await readConfiguration(file)).ok).to.equal(false);
  });

  it('gives up on a reader process that hangs, and kills it', async () => {
    const reader = fake(`process.on('SIGTERM', () => {});\nwhile (true) {}`);
    const loaded = await readConfiguration(file, { timeoutMs: 1000, reader });
    expect(messagesOf(loaded)).to.deep.equal([
      `${file} could not be read within 1 s: a file system or a secret's file does not answer, or this machine has no processor time`,
    ]);
    expect(loaded).to.include({ isUnread: true });
    // It may not have reported its PID yet.
    await until(() => programsOf(reader), isEmpty);
  });

  it('gives up on a reader process that floods, and kills it', async () => {
    const reader = fake(
      `${tellPid()}const more = () => process.stdout.write('x'.repeat(1e6), more);\nmore();`,
    );
    const loaded = await readConfiguration(file, { reader });
    expect(messagesOf(loaded)).to.deep.equal([`${file} gives a configuration that is too large`]);
    await until(() => !isAlive(pid()));
  });

  for (const [what, body, message] of [
    ['dies', 'throw new RangeError("no more");', /without an answer \(exit code 1, RangeError: no more\)/],
    ['is killed', 'process.kill(process.pid, "SIGKILL");', /without an answer \(signal SIGKILL\)/],
    ['stops in the middle', 'process.stdout.write("{\\"ok\\":tr");', /without an answer \(exit code 0\)/],
    ['says something else', 'process.stdout.write("[1]");', /without an answer \(exit code 0\)/],
    ['says half of it', 'process.stdout.write("{\\"ok\\":true}");', /without an answer \(exit code 0\)/],
  ] as const) {
    it(`reports a reader process that ${what}`, async () => {
      expect(messagesOf(await readConfiguration(file, { reader: fake(body) }))[0]).to.match(message);
    });
  }

  it('leaves no reader process when its parent is killed', async () => {
    const reader = fake(`${tellPid()}while (true) {}`);
    const read = new URL('../../../supervisor/config/load/read.js', import.meta.url).href;
    const code = `import(${JSON.stringify(read)}).then(({ readConfiguration }) =>
      readConfiguration(${JSON.stringify(file)}, { reader: ${JSON.stringify(reader)} }));`;
    const parent = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
    await until(() => existsSync(join(directory, 'pid')) && pid() > 0);
    expect(isAlive(pid())).to.equal(true);
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid()));
  });

  it('does not block its caller', async () => {
    const reader = fake('while (true) {}');
    let beats = 0;
    const heart = setInterval(() => (beats += 1), 20);
    const loaded = await readConfiguration(file, { timeoutMs: 1000, reader });
    clearInterval(heart);
    expect(loaded.ok).to.equal(false);
    expect(beats, 'turns of the event loop meanwhile').to.be.greaterThan(2);
  });
});
