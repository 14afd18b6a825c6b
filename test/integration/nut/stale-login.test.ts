// The login of this host while the data of the UPS are stale, and a primary that is not logged in itself.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationFor } from '../../fixtures/one-ups.js';
import { RealUpsmon } from '../../fixtures/real-upsmon.js';
import { onBattery, onLine, nearlyEmpty, RealUpsd } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { is, until } from '../../fixtures/until.js';

const password = 'xyz';
const users = [
  ...['secondary', 'primary'].map((role) => `[${role}]\n password = ${password}\n upsmon ${role}\n`),
  `[fsd]\n password = ${password}\n actions = FSD\n`,
].join('');

describe('the login of this host at the NUT server', () => {
  let upsd: RealUpsd;
  let daemon: RunningDaemon | undefined;
  let other: RealUpsmon | undefined;
  beforeEach(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine }, moreUsers: users, maxAgeSeconds: 3 });
    daemon = undefined;
    other = undefined;
  });
  afterEach(async () => {
    await daemon?.stop();
    other?.stop();
    await upsd.stop();
  });

  const upsc = (...args: readonly string[]) =>
    spawnSync('upsc', [...args], { encoding: 'utf8', timeout: 60_000 });
  const name = (): string => `office@127.0.0.1:${String(upsd.port)}`;
  const clients = (): number => upsc('-c', name()).stdout.split('\n').filter(Boolean).length;
  const isStale = (): boolean => upsc(name(), 'ups.status').stderr.includes('Data stale');
  let directory = '';
  const start = async (text: string): Promise<RunningDaemon> => {
    directory = temporaryFolder();
    mkdirSync(join(directory, 'lib'));
    daemon = await startDaemon({ toml: text, directory });
    await daemon.seesAll();
    return daemon;
  };
  /** How the step nut_secondaries ended. */
  const journal = (): string => {
    const run = join(directory, 'run', 'supervisor');
    const file = readdirSync(run).find((name) => name.endsWith('.journal')) ?? '';
    return readFileSync(join(run, file), 'utf8');
  };
  const toml = (role: string, user = role): string =>
    configurationFor({
      port: upsd.port,
      checkInterval: 0.5,
      more: `[nut]\nusername = "${user}"\npassword = "${password}"\nhostsync = 4\n`,
    }).replace('check_interval', `nut_role = "${role}"\ncheck_interval`);
  const hangingUpsmon = (): void => {
    other = new RealUpsmon({
      ups: 'office',
      port: upsd.port,
      username: 'secondary',
      password,
      shutdown: 'sleep 600',
    });
  };

  it('is kept while the data are stale: the primary still has to wait for this host', async () => {
    const running = await start(toml('secondary'));
    await until(clients, is(1));
    upsd.freezeDriver('office');
    await until(isStale);
    const seen: number[] = [];
    // Two looks at the login.
    for (let i = 0; i < 24; i += 1) {
      seen.push(clients());
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(isStale()).to.equal(true);
    expect(running.log()).to.not.contain('is not logged in');
    expect(Math.min(...seen)).to.equal(1);
  });

  it('of a primary: with stale data on battery it waits for a secondary as well', async () => {
    hangingUpsmon();
    const running = await start(toml('primary'));
    await until(clients, is(2));
    await upsd.rewrite('office', onBattery);
    await running.logged('ON_BATTERY');
    upsd.freezeDriver('office');
    await running.logged('FAILSAFE');
    await running.poweredOff();
    expect(clients()).to.be.greaterThan(0);
    expect(journal()).to.contain('still logged in').and.not.contain('nobody else is logged in');
  });

  it('of a primary whose user may set FSD and not log in: it waits for a secondary as well', async () => {
    hangingUpsmon();
    const running = await start(toml('primary', 'fsd'));
    await until(clients, is(1));
    await upsd.rewrite('office', nearlyEmpty);
    await running.poweredOff();
    expect(clients()).to.equal(1);
    expect(journal()).to.contain('still logged in').and.not.contain('nobody else is logged in');
  });
});
