// The whole daemon in an outage, with fake programs for all that would affect this machine.
import { expect } from 'chai';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { harmless, startDaemon } from '../../fixtures/running-daemon.js';
import { is, until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const uuid = '11111111-1111-1111-1111-111111111111';
const id = 'c'.repeat(64);

/** Each logs its arguments, and answers as the real one. */
const programs: Readonly<Record<string, string>> = {
  virsh: `case "$*" in 'list --uuid --name') [ -e down ] || echo ${uuid} vm ;; shutdown*) touch down ;; esac`,
  podman: `case $1 in ps) [ -e stopped ] || echo ${id} web ;; stop) touch stopped ;; -f|compose) exit 125 ;; esac`,
  'podman-compose': ':',
  docker: 'echo "Is the docker daemon running?" >&2; exit 1',
  sync: ':',
  umount: 'echo "umount: $3: not mounted." >&2; exit 32',
  wall: ':',
};

describe('the shutdown of the host of the daemon', () => {
  const directory = temporaryFolder();
  const calls = join(directory, 'calls');

  before(() => {
    mkdirSync(join(directory, 'bin'));
    writeFileSync(calls, '');
    for (const [name, script] of Object.entries(programs)) {
      const file = join(directory, 'bin', name);
      writeFileSync(file, `#!/bin/sh\ncd ${directory}\necho "${name} $*" >>calls\n${script}\n`);
      chmodSync(file, 0o755);
    }
  });

  it('stops guests and containers, syncs, unmounts, signals the UPS, and powers off, in this order', async () => {
    const note = (line: string) => writeFileSync(calls, `${line}\n`, { flag: 'a' });
    const upsd = await startSimulatedUpsd({
      ups: [
        {
          name: 'office',
          table: {
            variables: { 'ups.status': 'OB DISCHRG', 'battery.charge': '9', 'ups.delay.shutdown': '180' },
            commands: {
              'shutdown.return': { description: 'Turn off the load and return when power is back' },
            },
          },
        },
      ],
      users: [{ name: 'ridethrough', password: 'a secret', actions: ['SET'], instcmds: ['ALL'] }],
      onQuery: (words) => {
        if (words[0] === 'INSTCMD') note(words.join(' '));
      },
    });
    const daemon = await startDaemon({
      env: { PATH: `${directory}/bin:${process.env['PATH'] ?? ''}` },
      toml: `
[[ups]]
name = "office@127.0.0.1:${String(upsd.port)}"
is_local = true
value_hold = 0
[ups.virtual_machines]
enabled = true
[ups.containers]
enabled = true
compose_files = ["/opt/app/compose.yaml"]
[ups.filesystems.unmount]
enabled = true
mounts = ["/mnt/nas"]
[triggers]
on_battery_stabilization_delay = 0
[ups_output]
off_after_shutdown = true
[nut_control]
password = "a secret"
${harmless}`,
    });
    try {
      await until(() => daemon.powerOffs().length, is(1));
      // Less what the listing took: the unit tests of this phase hold the number.
      const done = readFileSync(calls, 'utf8')
        .trim()
        .replace(/-t \d+/g, '-t SECONDS')
        .split('\n');
      const order = [
        'virsh list --uuid --name',
        `virsh shutdown ${uuid}`,
        'podman-compose -f /opt/app/compose.yaml stop -t SECONDS',
        `podman stop -t SECONDS ${id}`,
        'sync ',
        'umount -c -- /mnt/nas',
        'INSTCMD office shutdown.return',
      ];
      expect(done.filter((line) => order.includes(line) && line !== 'sync ').filter(isNew)).to.deep.equal(
        order.filter((line) => line !== 'sync '),
      );
      expect(done.indexOf('sync ')).to.be.within(
        done.indexOf(`podman stop -t SECONDS ${id}`),
        done.indexOf('umount -c -- /mnt/nas'),
      );
      expect(daemon.log()).not.to.contain('SHUTDOWN_STEP_FAILED');
    } finally {
      await daemon.stop();
      await upsd.stop();
    }
  });
});

function isNew(line: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(line) === index;
}
