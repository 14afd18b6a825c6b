// This host as secondary and as primary of a real upsd, with real upsmon beside it.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { RealUpsmon } from '../../fixtures/real-upsmon.js';
import { nearlyEmpty, onBattery, onLine, RealUpsd } from '../../fixtures/real-upsd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { is, until } from '../../fixtures/until.js';

const password = 'xyz';
const users = ['secondary', 'primary']
  .map((role) => `[${role}]\n password = ${password}\n upsmon ${role}\n`)
  .join('');

describe('this host at the NUT server', () => {
  // A daemon that is killed at every record starts ten times.
  let upsd: RealUpsd;
  let daemon: RunningDaemon | undefined;
  const others: RealUpsmon[] = [];
  const sshds: PrivateSshd[] = [];
  beforeEach(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine }, moreUsers: users });
    daemon = undefined;
  });
  afterEach(async () => {
    await daemon?.stop();
    for (const one of others.splice(0)) one.stop();
    await Promise.all(sshds.splice(0).map((one) => one.stop()));
    await upsd.stop();
  });

  const upsc = (...args: readonly string[]): string =>
    spawnSync('upsc', [...args], { encoding: 'utf8', timeout: 60_000 }).stdout.trim();
  const name = (): string => `office@127.0.0.1:${String(upsd.port)}`;
  const clients = (): readonly string[] => upsc('-c', name()).split('\n').filter(Boolean);
  const status = (): string => upsc(name(), 'ups.status');
  const clientsAre = (count: number) => until(() => clients().length, is(count));
  const toml = (role: string, more = ''): string =>
    configurationFor({
      port: upsd.port,
      checkInterval: 0.5,
      more: `[nut]\nusername = "${role}"\npassword = "${password}"\nhostsync = 4\n${more}`,
    }).replace('check_interval', `nut_role = "${role}"\ncheck_interval`);
  const flagged = (role: string, folder: string, more = ''): string =>
    toml(role, more).replace(
      '[local_shutdown]\n',
      `[local_shutdown]\npowerdown_flag = "${join(folder, 'killpower')}"\n`,
    );
  /** What NUT's late hook asks. */
  const isCut = (folder: string): boolean => {
    const flag = `POWERDOWNFLAG ${join(folder, 'killpower')}\n`;
    const upsmonConf = `${flag}MONITOR ${name()} 1 secondary ${password} secondary\nSHUTDOWNCMD /bin/true\n`;
    writeFileSync(join(folder, 'upsmon.conf'), upsmonConf, { mode: 0o600 });
    const env = { NUT_CONFPATH: folder, PATH: process.env['PATH'] };
    return spawnSync('/lib/nut/upsmon', ['-K'], { env, timeout: 60_000 }).status === 0;
  };
  const upsmon = (shutdown?: string): RealUpsmon => {
    const one = new RealUpsmon({
      ups: 'office',
      port: upsd.port,
      username: 'secondary',
      password,
      ...(shutdown === undefined ? {} : { shutdown }),
    });
    others.push(one);
    return one;
  };

  it('is logged in as a secondary, logs out with its power-off, and logs in when the outage is over', async () => {
    daemon = await startDaemon({ toml: toml('secondary') });
    await daemon.seesAll();
    await clientsAre(1);
    await upsd.rewrite('office', nearlyEmpty);
    await daemon.poweredOff();
    await clientsAre(0);
    await upsd.rewrite('office', onLine);
    await clientsAre(1);
    expect(status()).to.equal('OL');
  });

  it('logs in again after the server was restarted, and leaves nothing behind when it is killed', async () => {
    daemon = await startDaemon({ toml: toml('secondary') });
    await daemon.seesAll();
    await clientsAre(1);
    await upsd.stopServer();
    await upsd.startServer();
    await clientsAre(1);
    daemon.signal('SIGKILL');
    await clientsAre(0);
  });

  it('says what is wrong when the server refuses the login', async () => {
    daemon = await startDaemon({
      toml: toml('primary').replace('username = "primary"', 'username = "secondary"'),
    });
    await daemon.logged(/this host is not logged in as primary \(.*ACCESS-DENIED.*its primary does not wait/);
    await until(
      () => daemon?.control('ready'),
      (body) => /nut_role: this host is not logged in at .*ACCESS-DENIED/.test(JSON.stringify(body)),
    );
  });

  it('is the primary: sets FSD, waits for the others, powers off, and does not take its own flag for an outage', async () => {
    const other = upsmon();
    // Only the logout of the other ends the wait, on a busy machine too.
    daemon = await startDaemon({ toml: toml('primary').replace('hostsync = 4', 'hostsync = 60') });
    await daemon.seesAll();
    await clientsAre(2);
    await upsd.rewrite('office', onBattery);
    await daemon.logged('ON_BATTERY');
    expect(status()).to.not.contain('FSD');
    await upsd.rewrite('office', nearlyEmpty);
    await daemon.poweredOff();
    // It logs out before its command has begun.
    await until(() => other.hasShutDown);
    expect(status()).to.contain('FSD');
    expect(daemon.log()).to.not.contain('FSD_DETECTED');
    await clientsAre(0);
    await upsd.rewrite('office', onLine);
    await daemon.logged('FSD_LATCHED');
    expect(status()).to.equal('FSD OL');
    await clientsAre(1);
    // A second outage, without a restart of upsd.
    await upsd.rewrite('office', nearlyEmpty);
    await daemon.poweredOff(2);
    await daemon.logged(/SHUTDOWN_TRIGGERED: [^]*SHUTDOWN_TRIGGERED: /);
    expect(daemon.log().match(/SHUTDOWN_TRIGGERED: /g)).to.have.length(2);
  });

  it('is the primary of one that hangs: it costs hostsync, no more', async () => {
    const hangs = upsmon('sleep 600');
    daemon = await startDaemon({ toml: toml('primary') });
    await daemon.seesAll();
    await clientsAre(2);
    const beganMs = Date.now();
    await upsd.rewrite('office', nearlyEmpty);
    const [off] = await daemon.poweredOff();
    await until(() => hangs.hasShutDown);
    await daemon.logged('nut_secondaries');
    expect((off?.atMs ?? 0) - beganMs).to.be.within(4_000, 60_000);
  });

  it('sets no FSD in a dry run, and none for a UPS that has power', async () => {
    daemon = await startDaemon({ toml: toml('primary', '[behavior]\ndry_run = true\n') });
    await daemon.seesAll();
    await upsd.rewrite('office', nearlyEmpty);
    await daemon.logged('SHUTDOWN_SEQUENCE_COMPLETE');
    expect(daemon.log()).to.contain('dry run: would set FSD at the NUT server');
    expect(status()).to.not.contain('FSD');
    expect(clients()).to.have.length(1);
  });

  it('continues after kill -9 in the middle of the wait', async () => {
    const other = upsmon('sleep 600');
    const directory = temporaryFolder();
    mkdirSync(join(directory, 'lib'));
    // Only the end of the other ends the wait.
    const text = toml('primary').replace('hostsync = 4', 'hostsync = 60');
    const first = await startDaemon({ toml: text, directory });
    daemon = first;
    await daemon.seesAll();
    await clientsAre(2);
    await upsd.rewrite('office', nearlyEmpty);
    await until(() => status().includes('FSD'));
    await first.kill();
    daemon = await startDaemon({ toml: text, directory });
    await daemon.logged('SHUTDOWN_RESUMED');
    expect(daemon.powerOffs()).to.deep.equal([]);
    other.stop();
    await daemon.poweredOff();
    expect(daemon.log()).to.not.contain('FSD_DETECTED');
    await clientsAre(0);
  });

  for (const role of ['secondary', 'primary'])
    it(`ends as it must as a ${role} that is killed at every record of its sequence`, async () => {
      if (role === 'primary') upsmon('sleep 600');
      const directory = temporaryFolder();
      mkdirSync(join(directory, 'lib'));
      const servers: string[] = [];
      for (const order of [1, 2]) {
        const sshd = await PrivateSshd.start();
        sshds.push(sshd);
        sshd.tool('shutdown', 'sleep 1');
        const server = remoteServerToml({ name: `s${String(order)}`, ...sshd.login });
        servers.push(`${server}shutdown_order = ${String(order)}\nwait_for = "commanded"\n`);
      }
      const text = flagged(role, directory, servers.join('')).replace('hostsync = 4', 'hostsync = 2');
      const start = async (ready: boolean) => (daemon = await startDaemon({ toml: text, directory, ready }));
      let running = await start(true);
      await running.seesAll();
      await clientsAre(role === 'primary' ? 2 : 1);
      const records = (): number => {
        const run = join(directory, 'run', 'supervisor');
        const journal = readdirSync(run).find((file) => file.endsWith('.journal'));
        return journal === undefined ? 0 : readFileSync(join(run, journal), 'utf8').split('\n').length - 1;
      };
      await upsd.rewrite('office', nearlyEmpty);
      let kills = 0;
      for (let seen = 0; running.powerOffs().length === 0 && kills < 20; kills += 1) {
        await until(() => records() > seen || running.powerOffs().length > 0);
        seen = records();
        await running.kill();
        running = await start(false);
        expect(running.log()).to.not.contain('FSD_DETECTED');
      }
      // A power-off that was under way may run again.
      await until(() => running.powerOffs().length > 0);
      expect(kills).to.be.greaterThan(2);
      expect(status().includes('FSD'), running.log()).to.equal(role === 'primary');
      expect(isCut(directory), running.log()).to.equal(true);
      for (const one of others.splice(0)) one.stop();
      await clientsAre(0);
      await upsd.rewrite('office', onLine);
      await clientsAre(1);
    });

  it("writes upsmon's powerdown flag before the power-off, and removes one that belongs to no shutdown", async () => {
    const folder = temporaryFolder();
    const flag = join(folder, 'killpower');
    writeFileSync(flag, 'upsmon-shutdown-file\n');
    daemon = await startDaemon({ toml: flagged('primary', folder) });
    await daemon.seesAll();
    await until(() => !existsSync(flag));
    await upsd.rewrite('office', nearlyEmpty);
    await daemon.poweredOff();
    expect(isCut(folder)).to.equal(true);
  });
});
