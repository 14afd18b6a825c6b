// What a shutdown has stopped on the daemon's host, in the running daemon: over a power cut, over a crash between the stop and the
// start, and with nothing to be started. The engine is a program that keeps its containers as files.
import { expect } from 'chai';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecoveryBody } from '../../../shared/http/device-bodies.js';
import { Office } from '../../fixtures/office.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

const idOf = (name: string) => name.repeat(64).slice(0, 64);
/** Container `a` runs; `b` was stopped by a person. */
const docker = `cd FOLDER; echo "$*" >>calls
row() { s=exited; [ ! -e running/$1 ] || s=running; echo "[[\\"$(cat all/$1)\\",\\"$s\\",\\"/$1\\",[\\"2020-01-01T00:00:00Z\\",\\"0001-01-01T00:00:00Z\\"],[\\"\\",\\"\\",\\"\\"]],[\\"\\",\\"\\",\\"\\"]]"; }
case $1 in
ps) for n in a b; do case $* in *' -a '*) ;; *) [ -e running/$n ] || continue ;; esac; echo "$(cat all/$n) $n"; done ;;
stop) rm -f running/* ;;
inspect) for n in a b; do case $* in *"$(cat all/$n)"*) row $n ;; esac; done ;;
start) for n in a b; do [ "$2" != "$(cat all/$n)" ] || : >running/$n; done ;;
*) exit 1 ;;
esac`;

describe('the containers of the host of the daemon', () => {
  const office = new Office();
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeEach(() => {
    folder = temporaryFolder();
    for (const name of ['all', 'running', 'bin']) mkdirSync(join(folder, name));
    for (const name of ['a', 'b']) writeFileSync(join(folder, 'all', name), idOf(name));
    writeFileSync(join(folder, 'running', 'a'), '');
    writeFileSync(join(folder, 'bin', 'docker'), `#!/bin/sh\n${docker.replaceAll('FOLDER', folder)}\n`);
    chmodSync(join(folder, 'bin', 'docker'), 0o755);
    // No answer of a systemd of this machine.
    writeFileSync(join(folder, 'bin', 'systemctl'), '#!/bin/sh\nexit 1\n');
    chmodSync(join(folder, 'bin', 'systemctl'), 0o755);
    env = { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
  });

  const toml = (recovery: string, command = '') =>
    configurationFor({
      port: office.upsd.port,
      more: `[ups.containers]
enabled = true
runtime = "docker"
[ups.triggers.extended_time]
threshold = 1
[recovery]
boot_timeout = 0
${recovery}
`,
    }).replace('command = ["{shutdown}"]', command === '' ? 'command = ["{shutdown}"]' : command);

  const runs = (name: string) => existsSync(join(folder, 'running', name));
  const starts = () =>
    readFileSync(join(folder, 'calls'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('start'));
  const reasonOf = async (daemon: RunningDaemon) =>
    ((await daemon.control('recovery')) as RecoveryBody).reason;

  /** On battery until the stop has ended. */
  async function outage(daemon: RunningDaemon): Promise<void> {
    await daemon.seesAll();
    office.upsd.ups('office').set({ mainsVolts: 0 });
    await until(() => !runs('a'));
  }

  it('run again after a power cut, each once, and no other', async () => {
    const text = toml('enabled = true');
    const before = (office.daemon = await startDaemon({ toml: text, env }));
    await outage(before);
    await before.poweredOff();
    const record = join(before.directory, 'lib', 'supervisor');
    await before.logged('all phases have ended');
    await before.kill();
    expect(existsSync(record)).to.equal(true);
    rmSync(join(before.directory, 'run'), { recursive: true });
    office.upsd.ups('office').set({ mainsVolts: 230 });
    // What still shows OB would begin the next outage.
    await until(() => office.upsd.ups('office').value('ups.status')?.startsWith('OL') === true);
    const bootId = join(before.directory, 'boot-id');
    writeFileSync(bootId, 'another-boot\n');
    const { directory } = before;
    const after = (office.daemon = await startDaemon({
      ...{ toml: text, directory },
      env: { ...env, RIDETHROUGH_BOOT_ID_FILE: bootId },
    }));
    await until(() => runs('a'));
    await after.logged('the container a of docker is started again: the shutdown stopped it');
    await until(async () => (await reasonOf(after)) === '');
    expect([starts(), runs('b')]).to.deep.equal([[`start ${idOf('a')}`], false]);
  });

  it('run again without a boot, after a power-off that failed and a crash before it', async () => {
    const text = toml('enabled = true', 'command = ["false"]');
    const before = (office.daemon = await startDaemon({ toml: text, env }));
    await outage(before);
    await before.kill();
    const { directory } = before;
    const after = (office.daemon = await startDaemon({ toml: text, directory, env }));
    await after.logged('power-off of this host');
    expect(starts(), 'the outage goes on').to.deep.equal([]);
    office.upsd.ups('office').set({ mainsVolts: 230 });
    await until(() => runs('a'));
    await until(async () => (await reasonOf(after)) === '');
    expect([starts(), runs('b')]).to.deep.equal([[`start ${idOf('a')}`], false]);
  });

  for (const [setting, why] of [
    ['enabled = true\nguests = "leave"', 'recovery.guests is "leave"'],
    ['enabled = false', 'recovery.enabled is false'],
  ] as const)
    it(`stay off with ${setting.replace('\n', ', ')}, and are reported`, async () => {
      const text = toml(setting, 'command = ["false"]');
      const daemon = (office.daemon = await startDaemon({ toml: text, env }));
      await outage(daemon);
      await daemon.logged('power-off of this host');
      office.upsd.ups('office').set({ mainsVolts: 230 });
      await daemon.logged(`GUESTS_STAY_OFF: 1 guest of this host: a (${why})`);
      await until(async () => (await reasonOf(daemon)).includes(`not started again: a (${why})`));
      expect(starts()).to.deep.equal([]);
    });
});
