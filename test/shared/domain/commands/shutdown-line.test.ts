import { expect } from 'chai';
import {
  lacksTime,
  lineWithTime,
  poweroffCommand,
  withTime,
} from '../../../../shared/domain/commands/shutdown-line.js';

const timed = (line: string): string => withTime(line.split(' ')).join(' ');

describe('a command line of shutdown', () => {
  for (const [line, expected] of [
    ['shutdown', 'shutdown now'],
    ['/sbin/shutdown -h', '/sbin/shutdown -h now'],
    ['shutdown -P --no-wall', 'shutdown -P --no-wall now'],
    // The value of -t is no time.
    ['shutdown -h -t 5', 'shutdown -h -t 5 now'],
    ['shutdown -ht 5', 'shutdown -ht 5 now'],
    ['shutdown -t5 -h', 'shutdown -t5 -h now'],
    ['shutdown -h -t now', 'shutdown -h -t now now'],
    ['shutdown -h --', 'shutdown -h -- now'],
    ['shutdown -h Battery', 'shutdown -h now Battery'],
    // The first operand is the time, whatever follows.
    ['shutdown -h Battery now', 'shutdown -h now Battery now'],
    ['openrc-shutdown -p', 'openrc-shutdown -p now'],
    ['/usr/bin/s6-linux-init-shutdown -hP', '/usr/bin/s6-linux-init-shutdown -hP now'],
    ['sudo -n shutdown -h', 'sudo -n shutdown -h now'],
    ['sudo -u root /usr/sbin/shutdown -P', 'sudo -u root /usr/sbin/shutdown -P now'],
    ['doas -u root shutdown -p', 'doas -u root shutdown -p now'],
    ['nsenter -t 1 -m -u -- shutdown -h', 'nsenter -t 1 -m -u -- shutdown -h now'],
    ['nsenter --target 1 --mount sudo shutdown', 'nsenter --target 1 --mount sudo shutdown now'],
    ['nsenter -m/proc/1/ns/mnt shutdown -h', 'nsenter -m/proc/1/ns/mnt shutdown -h now'],
    ['run0 --user root -D / shutdown -h', 'run0 --user root -D / shutdown -h now'],
    ['env LC_ALL=C shutdown -h', 'env LC_ALL=C shutdown -h now'],
    ['ionice -c 3 shutdown -h', 'ionice -c 3 shutdown -h now'],
    ['sudo -S shutdown -h', 'sudo -S shutdown -h now'],
    ['chroot --userspec=0:0 /host shutdown -h', 'chroot --userspec=0:0 /host shutdown -h now'],
    [
      'systemd-run -p User=root --no-block -- shutdown -h',
      'systemd-run -p User=root --no-block -- shutdown -h now',
    ],
    ['runuser -u root -- shutdown -h', 'runuser -u root -- shutdown -h now'],
    ['setpriv --reuid 0 --clear-groups shutdown -h', 'setpriv --reuid 0 --clear-groups shutdown -h now'],
    ['unshare -m --propagation slave shutdown -h', 'unshare -m --propagation slave shutdown -h now'],
  ] as const)
    it(`without a time gets one: ${line}`, () => {
      expect(timed(line)).to.equal(expected);
    });

  for (const line of [
    'shutdown -h now',
    'shutdown -h +0',
    'shutdown -h +10 Battery',
    'shutdown -h 5',
    'shutdown -P 23:59',
    'shutdown now -h',
    'shutdown -t 5 -h now',
    'shutdown -c',
    'shutdown -c Battery',
    'shutdown /s /t 0',
    'shutdown.exe -s',
    'shutdown -y -i5 -g0',
    '/system/shutdown',
    'shutdown --show',
    'openrc-shutdown -c',
    'openrc-shutdown --write-only',
    // Another machine may allow just this line.
    'ssh -i key root@nas shutdown -h',
    'poweroff',
    'systemctl poweroff',
    '/usr/local/bin/before-the-end shutdown',
    'env -Sshutdown -h',
    'sudo',
    // A word more were one for the shell.
    'sh -c shutdown',
    'su root -c shutdown',
    'su shutdown',
    'runuser root -c shutdown',
  ])
    it(`stays as it is: ${line}`, () => {
      expect(timed(line)).to.equal(line);
    });

  it('of a shell stays as it is where it has characters of a shell', () => {
    expect(lineWithTime('sudo  shutdown -h')).to.equal('sudo shutdown -h now');
    for (const line of ['sync; shutdown -h', 'shutdown -h "power lost"', 'shutdown  -h  now', 'true'])
      expect(lineWithTime(line)).to.equal(line);
  });

  for (const line of [
    'sudo -n shutdown -h "power lost"',
    'sync; shutdown -h',
    'sync && sudo shutdown -r',
    "sudo sh -c 'shutdown -h'",
    'shutdown -h >/dev/null 2>&1',
    'su -c "shutdown -h"',
    'su - root -c "sync; shutdown -P"',
    'su --command="shutdown -h"',
    'runuser root -c "shutdown -h"',
    'env -S "shutdown -h"',
    'env "-Sshutdown -h"',
    'ssh -p 2222 root@nas sudo shutdown -h',
  ])
    it(`lacks a time in a line of a shell: ${line}`, () => {
      expect(lacksTime(line)).to.equal(true);
    });

  it('has its time in a line of a shell', () => {
    for (const line of [
      'sync; shutdown -h now',
      'shutdown -h "$time"',
      'echo shutdown -h',
      'shutdown -c; poweroff',
    ])
      expect(lacksTime(line), line).to.equal(false);
  });

  it('gets a message that no program takes for an option', () => {
    expect(poweroffCommand(['shutdown', '-h', 'now'], '-- power lost --').at(-1)).to.equal(
      ' -- power lost --',
    );
    expect(poweroffCommand(['shutdown', '-h'], 'Power lost')).to.deep.equal([
      ...['shutdown', '-h', 'now', 'Power lost'],
    ]);
  });
});
