// The commands that pages show are run, on a dry run with one outage behind it. Other tests run those of docs/nut.md, docs/api.md, the
// pages about a first configuration and the recipes; docs/verification.md names what no test runs.
import { expect } from 'chai';
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../../fixtures/dry-run-daemon.js';
import { startSite } from '../../fixtures/dry-run-daemon.js';
import { program, ridethrough } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

interface Shown {
  readonly command: string;
  readonly lines: readonly string[];
}

/** `$ command`, and the lines below it up to the next one or the end of the block. */
function shownOn(page: string): readonly Shown[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^```(?:console)?\n(\$ [^]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((one) => {
        const [command = '', ...lines] = one.trimEnd().split('\n');
        return { command, lines };
      }),
  );
}

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
}

const shownPort = '13493';

/** The simulated NUT server of a command, at a port of its own. */
async function served(command: string): Promise<Served> {
  const [start = '', ...args] = command.replaceAll(shownPort, '0').split(' ');
  const child = spawn(start, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { child, port: Number(/^listening on 127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1]) };
}

async function ended({ child }: Served): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const remoteServer = `[[ups.remote_servers]]
name = "nas"
host = "127.0.0.9"
user = "root"
ssh_key_path = "{directory}/id_ed25519"
`;

/** Words in capitals with columns between them. */
const heads = ({ lines }: Shown): readonly string[] =>
  lines.filter((line) => /^[A-Z]+(?: [A-Z]+)*(?: {2,}|$)/.test(line));
const words = (line: string): string => line.trim().split(/\s+/).join(' ');

describe('the first configuration of the README', () => {
  it('is what validate and plan say of it', async () => {
    const page = readFileSync('README.md', 'utf8');
    const folder = temporaryFolder();
    const toml = /```toml\n([^]*?)```/.exec(page)?.[1] ?? '';
    writeFileSync(join(folder, 'config.toml'), toml, { mode: 0o600 });
    const shown = shownOn('README.md').filter(({ command }) => command.startsWith('ridethrough '));
    expect(shown).to.have.length(2);
    for (const { command, lines } of shown) {
      const args = command
        .split(' ')
        .slice(1)
        .map((word) => word.replace('config.toml', join(folder, 'config.toml')));
      const { code, out, err } = await ridethrough(args);
      expect(code, err).to.equal(0);
      const printed = out.replaceAll(`${folder}/`, '').split('\n');
      for (const line of lines.filter((one) => one !== '...')) expect(printed, command).to.include(line);
    }
  });
});

describe('the commands of the pages', () => {
  let site: Site;
  let bin: string;
  before(async () => {
    site = await startSite({
      // Nothing listens there.
      ups: [{ name: 'office', label: 'Office', local: true, more: remoteServer }],
      user: 'alice',
      speed: 20,
    });
    await site.daemon.seesAll();
    site.upsd.ups('office').set({ mainsVolts: 0 });
    await site.daemon.logged(/SHUTDOWN_SEQUENCE_COMPLETE|all phases have ended/);
    site.upsd.ups('office').set({ mainsVolts: 230 });
    await site.daemon.logged(/POWER_RESTORED/);
    bin = join(temporaryFolder(), 'bin');
    mkdirSync(bin);
    const config = join(site.daemon.directory, 'config.toml');
    writeFileSync(
      join(bin, 'ridethrough'),
      `#!/bin/sh\nexec ${process.execPath} ${program} "$@" --config ${config}\n`,
      {
        mode: 0o755,
      },
    );
    await until(() => run('ridethrough outages').out.includes('Office'));
  });
  after(() => site.stop());

  function run(command: string): {
    readonly status: number | null;
    readonly out: string;
    readonly err: string;
  } {
    const PATH = `${bin}:${process.env['PATH'] ?? ''}:/usr/bin:/bin`;
    const ran = spawnSync('sh', ['-c', command], {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, PATH },
    });
    return { status: ran.status, out: ran.stdout, err: ran.stderr };
  }

  /** As the page has it, but for the password that only a terminal is asked for, and for what the test may not change. */
  const here = (command: string): string =>
    command.replace(/^sudo /, '').replace(/^(ridethrough user create (?!alice)\S+.*)$/, '$1 --generate');
  /** Of another configuration, or with a secret of the reader. */
  const isElsewhere = (command: string): boolean =>
    /^(?:sudo ridethrough user create alice|ridethrough validate|TOKEN=|curl )/.test(command);

  for (const page of ['authentication', 'battery', 'history', 'remote-health', 'reports'])
    it(`of docs/${page}.md do what it shows`, () => {
      const shown = shownOn(`docs/${page}.md`).filter(({ command }) => !isElsewhere(command));
      expect(shown).not.to.be.empty;
      for (const one of shown) {
        const { status, out, err } = run(here(one.command));
        expect(status, `${one.command}\n${out}${err}`).to.equal(0);
        for (const head of heads(one))
          expect(out.split('\n').map(words), one.command).to.include(words(head));
      }
    });

  describe('about the simulated NUT server', () => {
    const shown = shownOn('docs/demo.md').filter(({ command }) => /^(?:node|ups)/.test(command));
    const [first, ...others] = shown.filter(({ command }) => command.startsWith('node '));
    let server: Served;
    before(async () => {
      server = await served(first?.command ?? '');
    });
    after(() => ended(server));

    for (const { command } of others)
      it(`work: ${command}`, async () => {
        const other = await served(command);
        await ended(other);
        expect(other.port).to.be.above(0);
      });
    for (const { command } of shown.filter((one) => one.command.startsWith('ups')))
      it(`work: ${command}`, () => {
        const { status, out, err } = run(command.replaceAll(shownPort, String(server.port)));
        expect(status, out + err).to.equal(0);
        expect(out + err).to.match(/^(?:O[LB]\b|OK$)/m);
      });
  });
});
