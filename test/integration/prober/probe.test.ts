import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type { ProbeFinding } from '../../../shared/protocol/prober.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { SshAccess } from '../../../shared/protocol/remote.js';
import { HostAddresses } from '../../../workers/ssh/addresses.js';
import { KnownHosts } from '../../../workers/ssh/known-hosts/known-hosts.js';
import { systemLookups } from '../../../workers/ssh/lookups.js';
import { isOwnNetworkDown } from '../../../workers/ssh/own-network.js';
import { PrivateKeys } from '../../../workers/ssh/private-keys.js';
import { probe } from '../../../workers/prober/probe.js';
import { inTime } from '../../fixtures/in-time.js';
import { startLogin, startRaw } from '../../fixtures/misbehaving-sshd.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { accessTo, workOn } from '../ssh/remote-parts.js';

const log = loggerTo('prober', systemClock, () => undefined);
const ground = () => ({
  addresses: new HostAddresses(systemLookups(), log),
  knownHosts: new KnownHosts(log),
  keys: new PrivateKeys(),
  ownNetworkDown: (addresses: readonly string[]) => isOwnNetworkDown(addresses),
});

const reasonOf = (finding: ProbeFinding): string => (finding.ok ? 'none' : finding.reason);

describe('a probe of a remote server', () => {
  let sshd: PrivateSshd;
  beforeEach(async () => {
    sshd = await PrivateSshd.start();
  });
  afterEach(() => sshd.stop());

  const asked = (
    access: SshAccess,
    { probeCommand = 'true', works = [] as RemoteWork[] } = {},
  ): Promise<ProbeFinding> => probe('nas', { servers: [access], probeCommand, works }, ground());

  it('logs in, runs its command, and reports the duration', async () => {
    const finding = await asked(accessTo(sshd));
    expect(finding.ok).to.equal(true);
    expect(finding.ok ? finding.latencyMs : 0).to.be.above(0);
    expect(sshd.log.match(/Accepted publickey/g)).to.have.length(1);
    expect(sshd.noted()).to.deep.equal([]);
  });

  it('fails with the output of a command that fails', async () => {
    expect(reasonOf(await asked(accessTo(sshd), { probeCommand: 'false' }))).to.equal(
      'the probe command "false" failed: exit status 1',
    );
    expect(reasonOf(await asked(accessTo(sshd), { probeCommand: 'no-such-tool' }))).to.match(
      /^the probe command "no-such-tool" failed: exit status 127 \(no such command\): /,
    );
  });

  /** A server without a POSIX shell that says this to every command. */
  const saying = async (words: string): Promise<ProbeFinding> => {
    const shell = join(temporaryFolder(), 'shell');
    writeFileSync(shell, `#!/bin/sh\necho "${words}" >&2\nexit 1\n`);
    chmodSync(shell, 0o755);
    await sshd.stop();
    sshd = await PrivateSshd.start({ shell });
    return asked(accessTo(sshd));
  };

  for (const words of [
    "'true' is not recognized as an internal or external command, operable program or batch file.",
    "'true' 不是内部或外部命令",
    'true : Die Benennung true wurde nicht als Name eines Cmdlet erkannt.',
    'bad command name true (line 1 column 1)',
  ])
    it(`is good where the server has no "true", which was not checked: ${words}`, async () => {
      const finding = await saying(words);
      expect(finding.ok, reasonOf(finding)).to.equal(true);
      expect(finding.ok ? finding.unchecked : '').to.match(
        /^the server has no command "true": .*probe_command/,
      );
    });

  for (const words of [
    'This account is currently not available.',
    'SSH command execution is not supported.',
    'sh: /bin/true: Permission denied',
  ])
    it(`fails where no command runs: ${words}`, async () => {
      expect(reasonOf(await saying(words))).to.equal(
        `the probe command "true" failed: exit status 1: ${words}`,
      );
    });

  it('runs no command that is not harmless, even when it is configured', async () => {
    for (const probeCommand of [
      'shutdown -h now',
      'true; shutdown',
      'docker kill x',
      'sudo -u root -n -- kill 1',
      'rm -rf /data',
      'busybox umount /data',
    ])
      expect(reasonOf(await asked(accessTo(sshd), { probeCommand }))).to.contain('was not run');
    expect(sshd.noted()).to.deep.equal([]);
    expect(sshd.log).not.to.contain('Accepted publickey');
  });

  it('checks only the configured privileges', async () => {
    sshd.tool('sudo', `echo "sudo $*" >> ${sshd.notes}; exit 1`);
    const work = workOn({ final: 'sudo -n shutdown -h now' });
    expect((await asked(accessTo(sshd))).ok).to.equal(true);
    expect(sshd.noted()).to.deep.equal([]);
    expect(reasonOf(await asked(accessTo(sshd), { works: [work] }))).to.equal(
      'can be reached, but could not be shut down: final command: sudo does not let this user run "shutdown -h now" without a password',
    );
    expect(sshd.noted()).to.deep.equal(['sudo -n -l shutdown -h now']);
    sshd.tool('sudo', 'exit 0');
    expect((await asked(accessTo(sshd), { works: [work] })).ok).to.equal(true);
  });

  it('names the own network only where this host has no route or link to the server', async () => {
    const closed = { ...accessTo(sshd), host: '127.0.0.1', port: 1 };
    const settings = { servers: [closed], probeCommand: 'true', works: [] };
    expect(await probe('nas', settings, ground())).to.include({ ok: false, ownNetwork: false });
    const cut = { ...ground(), ownNetworkDown: () => Promise.resolve(true) };
    const finding = await probe('nas', settings, cut);
    expect(finding).to.include({ ok: false, ownNetwork: true });
    expect(reasonOf(finding)).to.match(/^this machine has no network: connection refused by 127\.0\.0\.1:1/);
  });

  it('of a server that hangs ends after its connect_timeout', async () => {
    const silent = await startRaw('silent');
    const hung = { ...accessTo(sshd), server: 'hung', port: silent.port, connectTimeoutMs: 700 };
    const finding = await inTime(
      2_000,
      probe('hung', { servers: [hung], probeCommand: 'true', works: [] }, ground()),
    );
    silent.stop();
    expect(reasonOf(finding)).to.match(/accepted the connection and sent nothing .* within [\d.]+ s/);
  });

  it('of a server that hangs delays no other probe', async () => {
    const silent = await startRaw('silent');
    const hung = { ...accessTo(sshd), server: 'hung', port: silent.port, connectTimeoutMs: 600_000 };
    const settings = { servers: [hung, accessTo(sshd)], probeCommand: 'true', works: [] };
    const shared = ground();
    const late = probe('hung', settings, shared);
    const others = await Promise.all(Array.from({ length: 7 }, () => probe('nas', settings, shared)));
    expect(others.map(({ ok }) => ok)).to.deep.equal(Array(7).fill(true));
    silent.stop();
    expect(reasonOf(await late)).to.match(/^could not be reached|connect/);
  });

  it('of a misbehaving server ends with a reason, and does not affect the others', async () => {
    const raw = [
      'silent',
      'endless greeting',
      'endless line',
      'noise',
      'hangs in key exchange',
      'hangs up',
    ] as const;
    const loggedIn = [
      'hangs at login',
      'refuses login',
      'hangs after login',
      'refuses channels',
      'refuses commands',
      'sleeps',
      'drops after login',
      'drops the command',
      'ends by signal',
      'gives no status',
      'floods',
      'floods errors',
    ] as const;
    // For probes that are judged by their answer.
    const longestConnectMs = 10_000;
    const servers = await Promise.all([
      ...raw.map(async (kind) => ({ kind, server: await startRaw(kind) })),
      ...loggedIn.map(async (kind) => ({ kind, server: await startLogin(kind) })),
    ]);
    const bad = servers.map(({ kind, server }) => {
      const connectTimeoutMs = kind === 'silent' || kind.startsWith('hangs') ? 2_000 : longestConnectMs;
      return { ...accessTo(sshd), server: kind, port: server.port, connectTimeoutMs };
    });
    const settings = { servers: [...bad, accessTo(sshd)], probeCommand: 'true', works: [] };
    const shared = ground();
    // The connect timeout, the ten seconds of the command, and the disconnect.
    const probed = (name: string): Promise<ProbeFinding> =>
      inTime(longestConnectMs + 10_000 + 3_500 + 1_000, probe(name, settings, shared));
    const [good, ...findings] = await Promise.all([
      probed('nas'),
      ...servers.map(({ kind }) => probed(kind)),
    ]);
    for (const { server } of servers) server.stop();
    expect(good.ok).to.equal(true);
    for (const [index, finding] of findings.entries())
      expect(reasonOf(finding), servers[index]?.kind).to.match(/^[^\n]{10,1024}$/);
    const commands = new Set(servers.flatMap(({ server }) => server.commands));
    expect([...commands]).to.deep.equal(['true']);
  });

  it('reports a server that was never configured', async () => {
    expect(
      reasonOf(await probe('other', { servers: [], probeCommand: 'true', works: [] }, ground())),
    ).to.equal('no server other is configured for probes');
  });
});
