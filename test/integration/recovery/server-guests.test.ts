// What a shutdown has stopped on a server, in the running daemon: over a restart of the daemon, a server that goes down and comes back,
// a second outage, and with HA. The server is a real sshd, whose `qm` and `pct` keep their guests as files.
import { expect } from 'chai';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecoveryBody } from '../../../shared/http/device-bodies.js';
import type { ReadyModel } from '../../../shared/protocol/api.js';
import { Office } from '../../fixtures/office.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

describe('the guests of a server', () => {
  const office = new Office();
  let sshd: PrivateSshd;

  beforeEach(async () => {
    sshd = await PrivateSshd.start();
    mkdirSync(join(sshd.folder, 'running'));
    for (const [tool, ids] of [
      ['qm', '101 102'],
      ['pct', '201'],
    ] as const)
      sshd.tool(
        tool,
        `cd ${sshd.folder}/running
case $1 in
list) echo 'VMID NAME STATUS MEM BOOTDISK PID'
  for id in ${ids}; do s=stopped p=0; [ ! -e $id ] || s=running p=77; case ${tool} in (qm) echo "$id vm$id $s 512 8.00 $p" ;; (*) echo "$id $s ct$id" ;; esac; done ;;
status) if [ -e $2 ]; then echo 'status: running'; else echo 'status: stopped'; fi ;;
shutdown | stop) echo "${tool} $1 $2" >> ${sshd.notes}; [ ! -e ${sshd.folder}/slow-$2 ] || sleep 15; rm -f $2 ;;
start) echo "${tool} start $2" >> ${sshd.notes}; [ ! -e ${sshd.folder}/fails ] || { echo 'no quorum' >&2; exit 1; }; : > $2 ;;
esac`,
      );
    for (const id of ['101', '201']) writeFileSync(path(id), '');
  });
  afterEach(() => sshd.stop());
  const path = (id: string) => join(sshd.folder, 'running', id);
  const runs = (...ids: readonly string[]) => ids.every((id) => existsSync(path(id)));
  const starts = () =>
    sshd
      .noted()
      .filter((line) => line.includes(' start '))
      .sort();

  const toml = (recovery = '') =>
    configurationFor({
      port: office.upsd.port,
      ups: [{ name: 'office' }],
      more: `${remoteServerToml({ name: 'pve', ...sshd.login })}shutdown_command = "shutdown -h now"
boot_timeout = 3
halt_timeout = 3
[[ups.remote_servers.pre_shutdown_commands]]
action = "stop_proxmox_vms"
timeout = 20
[[ups.remote_servers.pre_shutdown_commands]]
action = "stop_proxmox_cts"
timeout = 20
[ups.triggers.extended_time]
threshold = 1
[remote_health]
enabled = false
[recovery]
enabled = true
${recovery}
`,
      // The power-off of this host fails, and it stays up.
    }).replace('command = ["{shutdown}"]', 'command = ["false"]');
  const start = async (text = toml(), directory?: string): Promise<RunningDaemon> => {
    const daemon = await startDaemon({ toml: text, ...(directory === undefined ? {} : { directory }) });
    office.daemon = daemon;
    await daemon.seesAll();
    return daemon;
  };
  const target = async (daemon: RunningDaemon) =>
    ((await daemon.control('recovery')) as RecoveryBody).targets[0];
  const reason = async (daemon: RunningDaemon) => (await target(daemon))?.reason ?? '';
  const mains = (volts: number): void => office.upsd.ups('office').set({ mainsVolts: volts });
  const outage = async (daemon: RunningDaemon): Promise<void> => {
    await until(async () => (await target(daemon))?.state === 'up');
    await shutDown(daemon);
  };
  const shutDown = async (daemon: RunningDaemon): Promise<void> => {
    mains(0);
    await until(() => !runs('101') && !runs('201'));
    await daemon.logged('all phases have ended');
  };

  it('run again once the server has come back, each once, and no other', async () => {
    const daemon = await start();
    await outage(daemon);
    await sshd.down();
    mains(230);
    await until(async () => (await reason(daemon)).includes('not started yet'));
    expect(starts()).to.deep.equal([]);
    await sshd.up();
    await until(() => runs('101', '201'));
    await until(async () => (await reason(daemon)) === '');
    expect(starts()).to.deep.equal(['pct start 201', 'qm start 101']);
    expect(runs('102')).to.equal(false);
    await daemon.logged('the guest vm101 of proxmox on pve is started again: the shutdown stopped it');
  });

  it('stay off where a person shuts the server down that was about to get them back', async () => {
    const text = toml().replace('boot_timeout = 3', 'boot_timeout = 12');
    const daemon = await start(text);
    await outage(daemon);
    mains(230);
    await until(async () => (await reason(daemon)).includes('what starts by itself has up to'));
    // The person has started both, and the daemon has not looked since.
    for (const id of ['101', '201']) writeFileSync(path(id), '');
    // The shutdown goes on when the server has had its boot_timeout.
    writeFileSync(join(sshd.folder, 'slow-201'), '');
    const really = ['shutdown', 'remote', '--server', 'pve', '--i-really-want-to-shut-down'];
    const done = await ridethrough([...really, '--config', join(daemon.directory, 'config.toml')]);
    expect([done.code, done.err]).to.deep.equal([0, '']);
    await until(async () => (await reason(daemon)).includes('it was shut down by hand'));
    expect([starts(), runs('101'), runs('201')]).to.deep.equal([[], false, false]);
    await daemon.logged('ridethrough shutdown begins on pve: what was stopped there before is not started');
  });

  it('run again after a kill of the daemon, and not while the outage goes on', async () => {
    const before = await start();
    await outage(before);
    await before.kill();
    const after = await startDaemon({ toml: toml(), directory: before.directory });
    office.daemon = after;
    await until(async () =>
      (await reason(after)).includes('2 guests of the server pve stopped by a shutdown and not started yet'),
    );
    expect(starts()).to.deep.equal([]);
    mains(230);
    await until(() => runs('101', '201'));
    expect(starts()).to.deep.equal(['pct start 201', 'qm start 101']);
  });

  for (const [isEnabled, setting, why] of [
    [true, 'guests = "leave"', 'recovery.guests is "leave"'],
    [false, '', 'recovery.enabled is false'],
  ] as const)
    it(`stay off where ${why}, and are reported`, async () => {
      const daemon = await start(
        toml(setting).replace('[recovery]\nenabled = true', `[recovery]\nenabled = ${String(isEnabled)}`),
      );
      if (isEnabled) await until(async () => (await target(daemon))?.state === 'up');
      await shutDown(daemon);
      // One starts by itself.
      writeFileSync(path('201'), '');
      mains(230);
      await daemon.logged(`GUESTS_STAY_OFF: 1 guest of the server pve: vm101 (${why})`);
      await until(async () => (await reason(daemon)).includes(why));
      const { capabilities } = (await daemon.control('ready')) as ReadyModel;
      expect(capabilities.find(({ id }) => id === 'recovery/guests')?.reason).to.contain(`vm101 (${why})`);
      expect(starts()).to.deep.equal([]);
    });

  it('that run again by themselves are left alone', async () => {
    const daemon = await start();
    await outage(daemon);
    for (const id of ['101', '201']) writeFileSync(path(id), '');
    mains(230);
    await until(async () => (await reason(daemon)) === '');
    await daemon.logged('the guest vm101 of proxmox on pve, which the shutdown stopped, runs again');
    expect(starts()).to.deep.equal([]);
  });

  it('that could not be started before a second outage are not forgotten by it', async () => {
    writeFileSync(join(sshd.folder, 'fails'), '');
    const daemon = await start();
    await outage(daemon);
    mains(230);
    await until(() => starts().length > 0);
    mains(0);
    await until(async () => (await reason(daemon)).includes('is on battery'));
    rmSync(join(sshd.folder, 'fails'));
    mains(230);
    await until(() => runs('101', '201'));
  });
});
