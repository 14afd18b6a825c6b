import { expect } from 'chai';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServersBody } from '../../../shared/http/device-bodies.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { RealUpsd, onLine } from '../../fixtures/real-upsd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { includes, until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const ran = (...args: string[]): Promise<Ran> => ridethrough(args);

describe('ridethrough shutdown', () => {
  let upsd: RealUpsd;
  let server: PrivateSshd;
  let folder: string;
  before(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine } });
    server = await PrivateSshd.start();
  });
  after(async () => {
    await server.stop();
    await upsd.stop();
  });
  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(server.notes, '');
  });

  const serverToml = (name: string, port: number): string =>
    `${remoteServerToml({ ...server.login, name, port, knownHosts: '{directory}/known_hosts' })}connect_timeout = 20\n`;

  /** A local UPS with the servers of a test; `{directory}` is its folder, in which the power-off writes a file. */
  const toml = (servers: string, more = ''): string => `
[[ups]]
name = "office@127.0.0.1:${String(upsd.port)}"
display_name = "Office"
is_local = true
value_hold = 0
[ups.filesystems]
sync_enabled = false
${servers}
[local_shutdown]
command = ["{directory}/power-off"]
[supervisor]
runtime_directory = "{directory}/run"
[statistics]
db_directory = "{directory}/lib"
${more}`;

  const configured = (text: string): string => {
    const file = join(folder, 'config.toml');
    const powerOff = join(folder, 'power-off');
    writeFileSync(powerOff, `#!/bin/sh\necho off >> ${folder}/power-offs\n`);
    chmodSync(powerOff, 0o755);
    writeFileSync(file, text.replaceAll('{directory}', folder), { mode: 0o600 });
    return file;
  };
  const powerOffs = (): number => {
    const notes = join(folder, 'power-offs');
    return existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n').length : 0;
  };
  const commandsGiven = (): readonly string[] =>
    server.noted().filter((line) => /^\d+\.\d+ shutdown /.test(line));

  it('drills a group: logs in, checks, compares the times, and executes nothing', async () => {
    const file = configured(toml(serverToml('nas', server.port) + serverToml('gone', 1)));
    const { code, out } = await ran('shutdown', 'group', '--group', 'Office', '--config', file);
    expect(out).to.match(/remote_servers +nas +ok +\d+\.\d s\n/);
    expect(out).to.match(/remote_servers +gone +unreachable +\d+\.\d s +.*refused/);
    expect(out).to.match(/local_poweroff +this host +ok/);
    expect(out).to.contain('1 of 2 servers could be shut down.');
    expect(out).to.match(/it starts at the latest with 10 min of runtime left .*: enough\./);
    expect(out).to.contain('Office would last 60 min at the present load: enough.');
    expect(code).to.equal(1);
    expect(server.noted().filter((line) => line.includes('-l'))).to.not.be.empty;
    expect(commandsGiven()).to.deep.equal([]);
    expect(powerOffs()).to.equal(0);
  });

  it('tells the daemon how long each server took, which plan and the API show', async () => {
    const daemon = await startDaemon({
      toml: toml(serverToml('nas', server.port)).replace('"{directory}/power-off"', '"{shutdown}"'),
    });
    const config = join(daemon.directory, 'config.toml');
    try {
      for (let drills = 0; drills < 2; drills += 1)
        expect((await ran('shutdown', 'remote', '--server', 'nas', '--config', config)).code).to.equal(0);
      const shown = await until(async () => (await ran('plan', '--config', config)).out, includes('took: '));
      expect(shown).to.match(/ {6}took: login [\d.]+ s \(95 %: [\d.]+ s\), of [12] drills?\n/);
      const { servers } = (await until(
        () => daemon.control('servers'),
        (body) => (body as ServersBody).servers[0]?.times.drill.login?.count === 2,
      )) as ServersBody;
      expect(servers).to.have.length(1);
      expect(servers[0]).to.deep.include({ server: 'nas', host: '127.0.0.1', shutdownOrder: 1 });
      expect(servers[0]?.times.sequence).to.deep.equal({ login: null, command: null, off: null });
    } finally {
      await daemon.stop();
    }
  });

  it('drills one server, and returns the result as its exit code', async () => {
    const file = configured(toml(serverToml('nas', server.port) + serverToml('gone', 1)));
    const good = await ran('shutdown', 'remote', '--server', 'nas', '--config', file, '--json');
    expect(good.code).to.equal(0);
    const { steps, dryRun } = JSON.parse(good.out) as {
      steps: { id: string; kind: string }[];
      dryRun: boolean;
    };
    expect(dryRun).to.equal(true);
    expect(steps.map(({ id, kind }) => [id, kind])).to.deep.equal([['remote_servers/nas', 'done']]);
    expect((await ran('shutdown', 'remote', '--server', 'gone', '--config', file)).code).to.equal(1);
    expect(commandsGiven()).to.deep.equal([]);
  });

  it('shuts down one server, and nothing else, after confirmation', async () => {
    const file = configured(toml(serverToml('nas', server.port)));
    const really = ['--i-really-want-to-shut-down', '--config', file];
    const { code, out } = await ran('shutdown', 'remote', '--server', 'nas', ...really);
    expect(out)
      .to.contain('SHUTTING DOWN Office')
      .and.to.contain('1 of 1 servers were shut down without an error.');
    expect(code).to.equal(0);
    expect(commandsGiven()).to.have.length(1);
    expect(powerOffs()).to.equal(0);
  });

  it('shuts down a whole group, this host last', async () => {
    const file = configured(toml(serverToml('nas', server.port)));
    const really = ['--i-really-want-to-shut-down', '--config', file];
    const { code, out } = await ran('shutdown', 'group', '--group', 'Office', ...really);
    expect(code).to.equal(0);
    expect(out.indexOf('nas ')).to.be.lessThan(out.indexOf('this host '));
    expect(commandsGiven()).to.have.length(1);
    expect(powerOffs()).to.equal(1);
  });

  it('executes nothing under behavior.dry_run, regardless of its options', async () => {
    const file = configured(toml(serverToml('nas', server.port), '[behavior]\ndry_run = true\n'));
    const really = ['--i-really-want-to-shut-down', '--config', file];
    const { code, out } = await ran('shutdown', 'group', '--group', 'Office', ...really);
    expect(out).to.contain('behavior.dry_run = true: nothing is run');
    expect(code).to.equal(0);
    expect(commandsGiven()).to.deep.equal([]);
    expect(powerOffs()).to.equal(0);
  });

  it('lists the valid names when a name is wrong', async () => {
    const file = configured(toml(serverToml('nas', server.port)));
    const { code, err } = await ran('shutdown', 'remote', '--server', 'nsa', '--config', file);
    expect(err).to.contain('there is no remote server "nsa". There are: nas');
    expect(code).to.equal(1);
    expect((await ran('shutdown', 'group', '--config', file)).code).to.equal(2);
    expect((await ran('shutdown')).code).to.equal(2);
  });

  it('is rejected during a shutdown, and cancels nothing past the point of no return', async () => {
    const hanging = await PrivateSshd.start();
    // It ends when the test says so, or has failed.
    hanging.tool(
      'shutdown',
      `for wait in $(seq 3000); do [ ! -e ${hanging.folder}/go ] || exit 0; sleep 0.1; done`,
    );
    const target = serverToml('slow', hanging.port).replaceAll(
      join(server.folder, 'client'),
      join(hanging.folder, 'client'),
    );
    const daemon = await startDaemon({
      toml: `${toml(`${target}command_timeout = 300\n`).replace('"{directory}/power-off"', '"{shutdown}"')}\n[triggers]\non_battery_stabilization_delay = 0\n`,
    });
    const config = join(daemon.directory, 'config.toml');
    try {
      const idle = await ran('shutdown', 'cancel', '--config', config);
      expect(idle.err).to.contain('no shutdown sequence is running');
      expect(idle.code).to.equal(1);
      await upsd.rewrite(
        'office',
        'ups.status: OB LB\nbattery.charge: 5\nbattery.runtime: 90\nups.load: 23\n',
      );
      await until(
        () => daemon.control('sequence'),
        (model) => (model as { pointOfNoReturn?: boolean }).pointOfNoReturn === true,
      );
      const drill = await ran('shutdown', 'group', '--group', 'Office', '--config', config);
      expect(drill.err).to.contain('the daemon runs a shutdown sequence');
      expect(drill.code).to.equal(1);
      const late = await ran('shutdown', 'cancel', '--config', config);
      expect(late.err).to.contain('past the point of no return');
      expect(late.code).to.equal(1);
    } finally {
      writeFileSync(join(hanging.folder, 'go'), '');
      await upsd.rewrite('office', onLine);
      await hanging.stop();
      await daemon.stop();
    }
  });
});
