// A daemon in a container whose power is back at the end of the shutdown: its host restarts over a real sshd, which refuses, hangs or
// goes away.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { is, until } from '../../fixtures/until.js';
import { mains, outage, startUpsWithOutput } from '../../fixtures/ups-with-output.js';

describe('a daemon in a container whose power is back at the end of the shutdown of its host', () => {
  let folder: string;
  let upsd: SimulatedUpsd;
  let host: PrivateSshd;
  let daemon: RunningDaemon;
  const cuts: string[] = [];

  before(function () {
    skipFor(this, existsSync('/run/systemd/system') && 'systemd has booted this machine: it is no container');
  });

  beforeEach(async () => {
    cuts.length = 0;
    folder = temporaryFolder();
    host = await PrivateSshd.start();
    host.tool('umount', `while [ ! -e ${folder}/go-on ]; do sleep 0.05; done`);
    upsd = await startUpsWithOutput(cuts);
    daemon = await startDaemon({
      toml: configurationFor({
        port: upsd.port,
        checkInterval: 0.2,
        more: `${remoteServerToml({ name: 'host', ...host.login })}host_delegate = true
shutdown_command = "shutdown -h now"
restart_command = "shutdown -r now"
connect_timeout = 3
command_timeout = 5
shutdown_safety_margin = 1
[ups.filesystems]\nsync_enabled = false\n[ups.filesystems.unmount]\nenabled = true\ntimeout = 60\nmounts = ["/mnt/nas"]
[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "a secret"\n[remote_health]\nenabled = false\n[recovery]\nenabled = true\n`,
      }),
      env: { KUBERNETES_SERVICE_HOST: '127.0.0.1' },
    });
    await daemon.seesAll();
  });

  afterEach(async () => {
    await daemon.stop();
    await Promise.all([upsd.stop(), host.stop()]);
  });

  const records = () => journalRecords(daemon.directory);
  const kinds = () => records().map(({ kind }) => kind);
  const began = (step: string) => () =>
    records().some((entry) => entry.kind === 'stepBegan' && entry.step.includes(step));
  const ran = () => host.noted().flatMap((line) => (/ shutdown (.*)/.exec(line) ?? []).slice(1));

  /** Mains fail, and return before the last steps; `then` something becomes of the host. */
  const restart = async (then: () => unknown = () => undefined) => {
    upsd.ups('office').set({ variables: outage });
    await until(began('filesystem_unmount'), is(true));
    upsd.ups('office').set({ variables: mains });
    await daemon.logged('POWER_RESTORED');
    await then();
    writeFileSync(join(folder, 'go-on'), '');
    await until(kinds, (all) => all.includes('over'));
  };

  it('restarts it once, in place of cut and power-off', async () => {
    await restart();
    expect(ran()).to.deep.equal(['-r now']);
    expect([cuts, daemon.powerOffs()]).to.deep.equal([[], []]);
  });

  it('lets it stay up at once where no login came: nothing was sent, and nothing may still come', async () => {
    await restart(() => process.kill(host.pid, 'SIGSTOP'));
    process.kill(host.pid, 'SIGCONT');
    expect(kinds()).to.include('givenUp');
    expect([ran(), cuts, daemon.powerOffs()]).to.deep.equal([[], [], []]);
  });

  it('lets it stay up where its host key is another one', async () => {
    await restart(() => host.changeHostKey());
    expect(kinds()).to.include('givenUp');
    expect([ran(), cuts, daemon.powerOffs()]).to.deep.equal([[], [], []]);
    await daemon.logged('THE HOST KEY OF 127.0.0.1');
  });

  const note = (): string => `echo "0 shutdown $*" >> ${host.notes}`;
  for (const [what, script, isRefused] of [
    ['drops the connection in the command', 'kill -9 $(ps -o ppid= -p $PPID)', false],
    ['hangs in the command', 'sleep 30', false],
    ['ends the command by a signal', 'kill -TERM $$', false],
    ['refuses the command', 'echo no bus >&2; exit 1', true],
  ] as const)
    it(`runs it once where the host ${what}, and neither cuts nor powers off`, async () => {
      host.tool('shutdown', `${note()}; ${script}`);
      await restart();
      expect(kinds().includes('givenUp')).to.equal(isRefused);
      expect([ran(), cuts, daemon.powerOffs()]).to.deep.equal([['-r now'], [], []]);
    });
});
