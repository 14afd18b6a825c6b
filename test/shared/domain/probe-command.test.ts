import { expect } from 'chai';
import type { PreShutdownAction } from '../../../shared/domain/plan.js';
import { isHarmlessProbe, isPlainProbe, probeFault } from '../../../shared/domain/probe-command.js';
import { actions } from '../../../workers/ssh/actions/catalogue.js';
import { changing, wrapped } from './changing-probes.js';

const harmless = [
  'true',
  ':',
  '/bin/true',
  'echo ok',
  'uname -a',
  'hostname',
  'hostname -f',
  'uptime',
  '/usr/bin/id -u',
  'date +%s',
  'cat /etc/shutdown-history',
  'cat /proc/uptime',
  'test -f /etc/x',
  'test -x /usr/bin/docker',
  'ls /mnt/data',
  'df -h',
  'free -m',
  'which rm',
  'command -v rm',
  'stat /bin/mv',
  '/opt/ups/check.sh --quick',
  'sh /opt/ups/check.sh',
  'python3 /opt/ups/check.py',
  'python3 --version',
  'find /mnt/data -maxdepth 1',
  'curl -fsS http://127.0.0.1:8080/health',
  'systemctl status sshd',
  'systemctl is-active nut-server',
  '/usr/bin/systemctl --quiet is-active nut-server',
  'systemctl -H root@nas is-active nut-server',
  'systemctl --version',
  'service nginx status',
  'docker info',
  'docker ps -q',
  'docker -H unix:///run/docker.sock info',
  'docker compose ps',
  'docker compose -f /srv/compose.yaml ps',
  'docker container ls',
  'docker --version',
  'podman version',
  'virsh list',
  'virsh -c qemu:///system list --all',
  'virsh domstate web',
  'qm list',
  'qm status 101',
  'pct list',
  'xe vm-list',
  'vim-cmd vmsvc/getallvms',
  'esxcli system version get',
  'esxcli --formatter=csv network ip interface ipv4 get',
  'kubectl -n kube-system get pods',
  'zpool status -x',
  'zfs list',
  'mount',
  'mount -l',
  'ip addr show',
  'ip -br a',
  'crontab -l',
  'git -C /srv/x status',
  'midclt call system.info',
  'redis-cli ping',
  'smartctl -H /dev/sda',
  'sudo',
  'sudo -n true',
  'sudo -n -u root systemctl is-active x',
  'sudo -l',
  'env',
  'env A=b nice -n 5 uptime',
  'timeout 5 uptime',
  'timeout 5',
  'busybox',
  'busybox uptime',
  'sh -c uptime',
  'powershell -NoProfile -Command Get-Service',
  'new-service-check',
];
const notPlain = [
  '',
  '   ',
  'shutdown -h now',
  '/sbin/shutdown',
  'SHUTDOWN',
  'sudo -n poweroff',
  'busybox poweroff',
  'esxcli system shutdown poweroff',
  'init 0',
  'systemctl stop sshd',
  'systemctl isolate rescue.target',
  'unknown-tool systemctl --now stop sshd',
  'virsh --quiet destroy web',
  'powershell Stop-Computer',
  'true; true',
  'true && true',
  'true | cat',
  'echo $(id)',
  'echo `id`',
  'true > /tmp/x',
  'true\ntrue',
  "sh -c 'true'",
  'sh -c "docker kill x"',
  'echo *',
  'a'.repeat(1025),
];
describe('a probe command', () => {
  for (const text of harmless)
    it(`may be ${JSON.stringify(text)}`, () => {
      expect(probeFault(text)).to.equal(null);
      expect(isHarmlessProbe(text)).to.equal(true);
    });
  for (const text of notPlain)
    it(`may not be ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(isPlainProbe(text)).to.equal(false);
      expect(isHarmlessProbe(text)).to.equal(false);
    });
  for (const text of [...changing, ...wrapped])
    it(`may not change anything: ${text}`, () => {
      expect(probeFault(text)).to.be.a('string');
      expect(isHarmlessProbe(text)).to.equal(false);
    });

  it('says what a program does', () => {
    expect(probeFault('sudo -n /bin/kill 1')).to.equal('begins with kill, which ends processes');
    expect(probeFault('find / -delete')).to.match(/^begins with find, which deletes files .*\(-delete\)$/);
    expect(probeFault('unknown-tool docker kill x')).to.equal('runs "docker kill", as a shutdown does');
  });

  it('runs nothing that a predefined action stops with', () => {
    const order = {
      projects: [],
      mounts: [],
      runtime: 'docker',
      uri: null,
    } as const satisfies Partial<PreShutdownAction>;
    const stopping =
      /(?:\$S |\blibvirt |^\s*)([a-z-]+) (shutdown|destroy|stop|vm-shutdown|vmsvc\/power\.(?:off|shutdown))\b/g;
    const scripts = Object.values(actions).flatMap((action) =>
      action.lines({ ...order, useSudo: true, seconds: 60, ownContainer: null }),
    );
    const found = scripts.flatMap((line) =>
      [...line.matchAll(stopping)].map(([, tool = '', verb = '']) => `${tool} ${verb}`),
    );
    expect(found).to.include.members([
      'qm stop',
      'pct shutdown',
      'xe vm-shutdown',
      'vim-cmd vmsvc/power.off',
    ]);
    for (const command of found) expect(probeFault(`unknown-tool ${command} x`), command).not.to.equal(null);
  });

  it('is judged without harm, whatever it holds', () => {
    for (const word of [
      'constructor',
      '__proto__',
      'toString',
      '--',
      '-',
      '.',
      '/',
      '//',
      '=',
      'a=',
      'sudo --',
      'env -S',
      '%',
    ])
      for (const text of [
        word,
        `sudo ${word}`,
        `${word} x`,
        `timeout ${word} ${word}`,
        `${`${word} `.repeat(100)}x`.slice(0, 1000),
      ])
        expect(probeFault(text), text).to.satisfy(
          (fault: unknown) => fault === null || typeof fault === 'string',
        );
  });
});
