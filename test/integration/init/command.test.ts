// `ridethrough init` as a program: what it writes, what it never touches, and the questions at a terminal.
import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { program, ridethrough } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

const mode = (path: string): number => statSync(path).mode & 0o777;
const secret = 'tell-nobody';

describe('ridethrough init', () => {
  let folder: string;
  const file = (): string => join(folder, 'etc', 'config.toml');
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('writes a dry run that validate accepts, 0640, into a new folder', async () => {
    const ran = await ridethrough([
      'init',
      ...['--local', 'office@127.0.0.1:1', '--ups', 'rack@127.0.0.1:1', '--api'],
      ...['--server', 'nas=admin@192.0.2.30:2222', '--output', file()],
    ]);
    expect(ran.code, ran.err).to.equal(0);
    expect(mode(file())).to.equal(0o640);
    expect(ran.out).to.contain(`ridethrough validate --config ${file()}`);
    expect(ran.out).to.contain(
      '\noffice@127.0.0.1:1 could not be read: whether it exists, and what it reports, is unknown.\n',
    );
    expect(readFileSync(file(), 'utf8')).to.contain('It could not be read when this was written.');
    const valid = await ridethrough(['validate', '--config', file()]);
    expect(valid.code).to.equal(0);
    expect(valid.out)
      .to.contain('DRY RUN')
      .and.to.contain('office@127.0.0.1:1, which powers this machine')
      .and.to.contain('nas (admin@192.0.2.30)');
    expect(readdirSync(join(folder, 'etc'))).to.deep.equal(['config.toml']);
  });

  it('makes a group of several UPSes that power this machine', async () => {
    const { out } = await ridethrough([
      'init',
      ...['--local', 'a@127.0.0.1:1', '--local', 'b@127.0.0.1:1', '--output', '-'],
    ]);
    expect(out)
      .to.contain('ups_sources = ["a@127.0.0.1:1", "b@127.0.0.1:1"]')
      .and.to.contain('is_local = true');
  });

  it('leaves a file that exists as it is, and a link, and replaces it with --force', async () => {
    mkdirSync(join(folder, 'etc'));
    const other = join(folder, 'other');
    writeFileSync(other, 'mine');
    const args = ['init', '--local', 'a@127.0.0.1:1', '--output', file()];
    for (const make of [() => writeFileSync(file(), 'mine'), () => symlinkSync(other, `${file()}.link`)])
      make();
    expect(await ridethrough(args)).to.include({ code: 1, out: '' });
    expect(readFileSync(file(), 'utf8')).to.equal('mine');
    const link = await ridethrough([...args.slice(0, -1), `${file()}.link`]);
    expect(link.code).to.equal(1);
    expect(link.err).to.contain('--force');
    expect((await ridethrough([...args.slice(0, -1), `${file()}.link`, '--force'])).code).to.equal(0);
    expect(lstatSync(`${file()}.link`).isFile()).to.equal(true);
    expect(readFileSync(other, 'utf8')).to.equal('mine');
    expect((await ridethrough([...args, '--force'])).code).to.equal(0);
    expect(readFileSync(file(), 'utf8')).to.contain('dry_run = true');
  });

  it('writes passwords into files of 0600 that the configuration names, and never prints one', async () => {
    const nut = join(folder, 'nut');
    mkdirSync(nut);
    writeFileSync(
      join(nut, 'upsmon.conf'),
      `MONITOR a@nas 1 u ${secret} primary\nMONITOR b@nas 1 u other-${secret} primary\nSHUTDOWNCMD "shutdown -h now"\n`,
    );
    const printed = await ridethrough(['init', '--from-upsmon', nut, '--output', '-']);
    const ran = await ridethrough(['init', '--from-upsmon', nut, '--output', file()]);
    expect([printed.code, ran.code], printed.err + ran.err).to.deep.equal([0, 0]);
    const all = printed.out + printed.err + ran.out + ran.err + readFileSync(file(), 'utf8');
    expect(all).not.to.contain(secret);
    const secrets = readdirSync(join(folder, 'etc')).filter((name) => name.endsWith('.secret'));
    expect(secrets).to.have.members(['nut.secret', 'nut-2.secret']);
    for (const name of secrets) expect(mode(join(folder, 'etc', name))).to.equal(0o600);
    expect(printed.out).to.contain('/etc/ridethrough/nut.secret');
    // A second run finds its own secrets, and no other program's.
    writeFileSync(join(folder, 'etc', 'nut.secret'), 'mine');
    const again = await ridethrough(['init', '--from-upsmon', nut, '--output', `${file()}.new`]);
    expect(again.code).to.equal(1);
    expect(again.err).to.contain('nut.secret exists and is another secret');
    expect(existsSync(`${file()}.new`)).to.equal(false);
    expect(readFileSync(join(folder, 'etc', 'nut.secret'), 'utf8')).to.equal('mine');
  });

  it('names what is wrong with a file of another program, and writes nothing', async () => {
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('huge'), Buffer.alloc(1_048_577, 'a'));
    writeFileSync(at('nul'), 'UPSNAME a\0b\n');
    writeFileSync(at('latin'), Buffer.from('UPSNAME B\xfcro\n', 'latin1'));
    symlinkSync('loop', at('loop'));
    expect(spawnSync('mkfifo', [at('fifo')]).status).to.equal(0);
    for (const [name, fault] of [
      ['huge', 'is larger than 1 MiB'],
      ['nul', 'has NUL bytes'],
      ['latin', 'is not UTF-8 text'],
      ['loop', 'is a loop of symbolic links'],
      ['fifo', 'is not a regular file'],
      ['.', 'is a directory'],
      ['none', 'does not exist'],
    ] as const)
      for (const source of ['apcupsd', 'powerpanel', 'eneru']) {
        const ran = await ridethrough(['init', `--from-${source}`, at(name), '--output', file()]);
        expect(ran, `${source} ${name}`).to.include({ code: 1, out: '' });
        expect(ran.err).to.contain(fault);
      }
    expect(existsSync(file())).to.equal(false);
  });

  for (const [args, message] of [
    [[], 'there is no terminal to ask at'],
    [['--from-upsmon', 'a', '--from-eneru', 'b'], 'only one --from-'],
    [['--from-upsmon', 'a', '--nut', 'b'], 'goes with'],
    [['--ups', 'a b'], 'expected NAME@HOST'],
    [['--nut', 'a b'], 'expected HOST'],
    [['--local', 'a@127.0.0.1:1', '--server', 'nas'], 'expected NAME=USER@HOST'],
    [['--ups', 'a@127.0.0.1:1', '--ups', 'b@127.0.0.1:1', '--server', 'nas=u@h'], 'needs a --local UPS'],
    [['--nut-user', 'a', '--ups', 'a@127.0.0.1:1'], 'go together'],
  ] as const)
    it(`says what is wrong with the flags ${args.join(' ')}`, async () => {
      const ran = await ridethrough(['init', ...args, '--output', file()]);
      expect(ran).to.include({ code: 2, out: '' });
      expect(ran.err).to.contain(message);
    });

  const atTerminal = () => {
    const command = `${process.execPath} ${program} init --output ${file()}`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], { stdio: 'pipe' });
    const terminal = { child, shown: '' };
    child.stdout.on('data', (chunk: Buffer) => (terminal.shown += chunk.toString()));
    return terminal;
  };

  it('asks at a terminal: a login without echo, the UPS of this machine, a server', async () => {
    const upsd = await startSimulatedUpsd({
      ups: [{ name: 'office', noise: 0 }],
      users: [{ name: 'monitor', password: secret, upsmon: 'secondary' }],
      readsNeedLogin: true,
    });
    const terminal = atTerminal();
    const { child } = terminal;
    const answer = async (question: RegExp, text: string): Promise<void> => {
      await until(() => question.test(terminal.shown.slice(from)));
      from = terminal.shown.length;
      child.stdin.write(`${text}\r`);
    };
    let from = 0;
    await answer(/NUT servers/, `127.0.0.1:${String(upsd.port)}`);
    await answer(/User name/, 'monitor');
    await answer(/Password: $/, secret);
    await answer(/power this machine/, '');
    await answer(/Another machine/, 'admin@192.0.2.30');
    await answer(/Its name here/, 'nas');
    await answer(/Its command/, '');
    await answer(/Another machine/, '');
    await answer(/Dashboard/, 'n');
    const [code] = (await once(child, 'close')) as [number];
    await upsd.stop();
    expect(code, terminal.shown).to.equal(0);
    expect(terminal.shown).not.to.contain(secret);
    expect(terminal.shown).to.contain('It reports what these triggers need: low charge, short runtime');
    const text = readFileSync(file(), 'utf8');
    expect(text)
      .to.contain(`name = "office@127.0.0.1:${String(upsd.port)}"`)
      .and.to.contain('is_local = true')
      .and.to.contain('username = "monitor"')
      .and.to.contain(`password = { file = "${join(folder, 'etc', 'nut.secret')}" }`)
      .and.to.contain('name = "nas"');
    expect(readFileSync(join(folder, 'etc', 'nut.secret'), 'utf8')).to.equal(secret);
  });

  it('ends at Ctrl-D and writes nothing', async () => {
    const terminal = atTerminal();
    const { child } = terminal;
    await until(() => terminal.shown.includes('NUT servers'));
    child.stdin.write('\x04');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).to.equal(1);
    expect(terminal.shown).to.contain('nothing was written');
    expect(existsSync(file())).to.equal(false);
  });
});
