import { expect } from 'chai';
import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadyModel } from '../../../shared/protocol/api.js';
import { startRaw } from '../../fixtures/misbehaving-sshd.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { privateAccountsProblem } from '../../fixtures/private-accounts.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { RealUpsd, onLine } from '../../fixtures/real-upsd.js';
import type { LoginKeys } from '../../fixtures/remote-server-toml.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { bootedHost } from './booted-host.js';

describe('the readiness of a daemon with a remote server', () => {
  bootedHost();
  let upsd: RealUpsd;
  let sshd: PrivateSshd;
  let folder: string;
  let daemon: RunningDaemon | undefined;

  beforeEach(async () => {
    folder = temporaryFolder();
    daemon = undefined;
    [upsd, sshd] = await Promise.all([RealUpsd.start({ ups: { office: onLine } }), PrivateSshd.start()]);
  });
  afterEach(async () => {
    await daemon?.stop();
    await Promise.all([upsd.stop(), sshd.stop()]);
  });

  const tomlOf = (more: string) =>
    configurationFor({ port: upsd.port, checkInterval: 0.2, more: `[behavior]\ndry_run = true\n${more}` });
  const withNas = (health: string, login: Partial<LoginKeys>, more = '') =>
    tomlOf(
      `[remote_health]\n${health}\n${remoteServerToml({ name: 'nas', ...sshd.login, ...login })}connect_timeout = 60\n${more}`,
    );
  const start = async (health: string, login: Partial<LoginKeys>, more = '', prefix?: readonly string[]) => {
    const toml = withNas(health, login, more);
    daemon = await startDaemon({ toml, ...(prefix === undefined ? {} : { prefix }) });
  };
  const nas = async () => {
    if (daemon === undefined) throw new Error('no daemon runs');
    const { ready, reasons, capabilities } = (await daemon.control('ready')) as ReadyModel;
    const own = capabilities.find(({ id }) => id.endsWith('/remote_servers/nas'));
    return { ready, reasons, achievable: own?.achievable, reason: own?.reason ?? '' };
  };
  const isReady = () => until(nas, ({ ready }) => ready);
  const isWell = () => until(nas, ({ ready, reason }) => ready && reason === '');
  const refused = (reason: RegExp) =>
    until(nas, (now) => now.achievable === false && reason.test(now.reason));

  for (const health of ['', 'enabled = false'])
    it(`is lost without a usable key, and restored by a reload (${health === '' ? 'as usual' : health})`, async () => {
      const keyFile = join(folder, 'key');
      await start(health, { keyFile });
      // The change comes with the first answer.
      expect((await nas()).reason).to.match(
        /^the daemon cannot log in to the server nas: the key .*key does not exist/,
      );
      expect((await nas()).ready).to.equal(false);
      writeFileSync(
        keyFile,
        '-----BEGIN OPENSSH PRIVATE KEY-----\nbm90IGEga2V5\n-----END OPENSSH PRIVATE KEY-----\n',
      );
      daemon?.signal('SIGHUP');
      await refused(/the daemon cannot log in to the server nas: the key for nas cannot be used/);
      copyFileSync(join(sshd.folder, 'client'), keyFile);
      daemon?.signal('SIGHUP');
      expect(await isWell()).to.include({ achievable: true });
    });

  it('is lost with the first probe that rejects a host key, and restored once the key is known', async () => {
    writeFileSync(join(folder, 'known_hosts'), '');
    await start(
      'failure_threshold = 5',
      { knownHosts: join(folder, 'known_hosts') },
      'host_key_policy = "strict"\n',
    );
    await refused(/the daemon cannot log in to the server nas: the host key of .* is not in .*known_hosts/);
    appendFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${String(sshd.port)} ${sshd.publicHostKey()}\n`);
    daemon?.signal('SIGHUP');
    await isReady();
  });

  it('is lost with a name that was never resolved, and restored once it is', async function () {
    skipFor(this, privateAccountsProblem());
    const hosts = join(folder, 'hosts');
    writeFileSync(hosts, '127.0.0.1 localhost\n');
    const own = ['unshare', '--mount', 'sh', '-c', `mount --bind '${hosts}' /etc/hosts && exec "$@"`, 'sh'];
    await start('enabled = false', { host: 'nas.invalid' }, '', own);
    await refused(
      /the daemon cannot log in to the server nas: the name nas\.invalid has not resolved since the start/,
    );
    appendFileSync(hosts, '127.0.0.1 nas.invalid\n');
    daemon?.signal('SIGHUP');
    await isReady();
  });

  it('waits for the first probe, and then accepts a server that is only DEGRADED', async () => {
    // Accepts connections and sends nothing: the probe lasts until it ends.
    const silent = await startRaw('silent');
    try {
      await start('', { port: silent.port });
      const early = await until(nas, ({ reasons }) => reasons.length === 1);
      expect(early).to.include({
        achievable: false,
        reason: 'the first probe of the server nas has not ended yet',
      });
      silent.stop();
      const late = await isReady();
      expect(late.achievable).to.equal(true);
      expect(late.reason).to.match(/^the server nas is DEGRADED: .*127\.0\.0\.1/);
    } finally {
      silent.stop();
    }
  });

  it('waits for a first probe that an outage postpones, reports it, and is restored after the outage', async () => {
    await upsd.rewrite('office', onLine.replace('OL', 'OB'));
    // The server starts when the daemon knows of the outage: at its start a probe may precede the first reading.
    daemon = await startDaemon({ toml: tomlOf('') });
    await until(
      () => daemon?.status(),
      (shown) => shown?.ups[0]?.status.startsWith('OB') === true,
    );
    daemon.configure(withNas('', {}));
    daemon.signal('SIGHUP');
    await refused(/^the first probe of the server nas has not ended yet: it waits until power is back/);
    await upsd.rewrite('office', onLine);
    expect(await isReady()).to.include({ achievable: true, reason: '' });
  });

  it('does not wait for a probe that the start skips', async () => {
    await start('startup_check = false', {});
    expect(await isReady()).to.include({ achievable: true, reason: '' });
    expect(sshd.log).not.to.contain('Accepted');
  });
});
