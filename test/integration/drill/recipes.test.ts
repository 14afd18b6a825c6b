// Every configuration of docs/recipes/ against a stand-in: an SSH server with harmless programs of the names that it calls.
import { expect } from 'chai';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadText } from '../../../supervisor/config/load/load.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { RealUpsd, onLine } from '../../fixtures/real-upsd.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const folder = 'docs/recipes';
const recipes = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .flatMap((name) => {
    const page = readFileSync(join(folder, name), 'utf8');
    return [...page.matchAll(/```toml\n([^]*?)```/g)].map(([, toml = '']) => ({ name, page, toml }));
  });

const valuesOf = (toml: string, key: string): readonly string[] =>
  [...toml.matchAll(new RegExp(`^${key} = "([^"]*)"`, 'gm'))].map(([, value = '']) => value);
/** The last word of the path of a program. */
const programOf = (command: string): string => /^(?:sudo -n )?(?:\S*\/)?(\S+)/.exec(command)?.[1] ?? '';

/** What the actions of the recipes call, with the guests of this host: none. */
const tools: Readonly<Record<string, readonly string[]>> = {
  stop_proxmox_vms: ['qm'],
  stop_proxmox_cts: ['pct'],
  stop_esxi_vms: ['vim-cmd'],
};

describe('a recipe', () => {
  let upsd: RealUpsd;
  let server: PrivateSshd;
  before(async () => {
    upsd = await RealUpsd.start({ ups: { rack: onLine } });
    server = await PrivateSshd.start();
  });
  after(async () => {
    await server.stop();
    await upsd.stop();
  });

  it('is there for every row of the list', () => {
    const listed = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| \[.*?\]\((\S+)\)/gm)];
    expect(listed.map(([, name = '']) => name)).to.have.members([
      ...new Set(recipes.map(({ name }) => name)),
    ]);
  });

  /** The recipe as it stands, but for addresses, users, keys and the folder of the programs of a server. */
  function adapted(toml: string, own: number): string {
    const directory = temporaryFolder();
    // No two entries may be one machine.
    let hosts = 0;
    const host = (): string => `127.0.0.${String(hosts++ === own ? 1 : hosts + 1)}`;
    const text = toml
      .replace(/^name = "rack@localhost"$/m, `name = "rack@127.0.0.1:${String(upsd.port)}"`)
      .replace(/^port = .*\n/gm, '')
      .replace(
        /^host = .*$/gm,
        () =>
          `host = "${host()}"\nport = ${String(server.port)}\nknown_hosts_file = "${directory}/known_hosts"`,
      )
      .replace(/^user = .*$/gm, `user = "${server.user}"`)
      .replace(/^ssh_key_path = .*$/gm, `ssh_key_path = "${join(server.folder, 'client')}"`)
      .replace(/\/usr\/(?:syno\/s)?bin\//g, `${server.bin}/`)
      // The stand-in stays up, and nothing is to wait for that.
      .replace(/^halt_timeout = .*$/gm, 'halt_timeout = 1');
    const file = join(directory, 'config.toml');
    const places = `[supervisor]\nruntime_directory = "${directory}/run"\n[statistics]\ndb_directory = "${directory}"\n`;
    writeFileSync(file, `${text}${places}`, { mode: 0o600 });
    return file;
  }

  for (const { name, page, toml } of recipes) {
    const servers = valuesOf(toml, 'name').slice(1);
    const [, ...blocks] = toml.split('[[ups.remote_servers]]\n');
    const commands = blocks.flatMap((block) => valuesOf(block, 'shutdown_command'));

    it(`is a configuration of its own: ${name}, ${servers.join(', ')}`, () => {
      const loaded = loadText(toml, { HOME: '/nonexistent' });
      expect(loaded.ok, JSON.stringify(loaded)).to.equal(true);
      expect(servers).to.have.length(commands.length).and.not.to.be.empty;
    });

    servers.forEach((own, index) => {
      it(`drills ${own} and gives it the command of the page (${name})`, async () => {
        const command = commands[index] ?? '';
        const actions = valuesOf(toml, 'action').flatMap((action) => tools[action] ?? []);
        for (const tool of new Set([programOf(command), ...actions]))
          server.tool(tool, `echo ${tool} $* >> ${server.notes}`);
        writeFileSync(server.notes, '');
        const file = adapted(toml, index);
        const drill = await ridethrough(['shutdown', 'remote', '--server', own, '--config', file]);
        expect(drill.out, drill.err).to.match(new RegExp(`remote_servers +${own} +ok`));
        const bare = command.replace(/^sudo -n /, '').replace(/^\S*\//, '');
        expect(server.noted(), 'a drill gives no command').not.to.include(bare);
        const really = [
          'shutdown',
          'remote',
          '--server',
          own,
          '--i-really-want-to-shut-down',
          '--config',
          file,
        ];
        const run = await ridethrough(really);
        expect(run.out, run.err).to.match(new RegExp(`remote_servers +${own} +ok`));
        expect(server.noted()).to.include(bare);
        expect(page).to.contain('ridethrough shutdown remote --server ');
      });
    });
  }
});
