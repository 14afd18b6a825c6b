import { expect } from 'chai';
import { simpleCommands } from '../../../shared/domain/command-words.js';
import {
  insteadOfPowerOff,
  lacksTime,
  lineInsteadOfPowerOff,
  lineWithTime,
  powersOffLater,
  withTime,
} from '../../../shared/domain/shutdown-line.js';

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
    ['sudo -n shutdown -h', 'sudo -n shutdown -h now'],
    ['sudo -u root /usr/sbin/shutdown -P', 'sudo -u root /usr/sbin/shutdown -P now'],
    ['doas -u root shutdown -p', 'doas -u root shutdown -p now'],
    ['nsenter -t 1 -m -u -- shutdown -h', 'nsenter -t 1 -m -u -- shutdown -h now'],
    ['nsenter --target 1 --mount sudo shutdown', 'nsenter --target 1 --mount sudo shutdown now'],
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

  for (const [line, effect] of [
    ['shutdown -c', /cancels/],
    ['sudo shutdown -k now', /only writes/],
    ['shutdown -r now', /restarts/],
    ['shutdown -h -r now', /restarts/],
    ['shutdown --reboot', /restarts/],
    ['shutdown now -r', /restarts/],
    ['shutdown -H now', /halts/],
    ['shutdown -H -h now', /halts/],
    ['reboot', /restarts/],
    ['sudo -n /sbin/halt', /halts/],
    ['halt -f', /halts/],
    ['systemctl reboot', /restarts/],
    ['systemctl --no-block start reboot.target', /restarts/],
    ['init 6', /restarts/],
    ['telinit -t 5 1', /^telinit 1 does not/],
    ['init s', /^init s does not/],
    ['poweroff --reboot', /restarts/],
    ['poweroff --halt', /halts/],
    ['poweroff -fw', /only writes a record/],
    ['halt -w -p', /only writes a record/],
    // With sysvinit it powers off.
    ['reboot -f --poweroff', /^with systemd reboot -p restarts/],
    ['systemctl soft-reboot', /restarts/],
    ['systemctl start halt.target', /halts/],
    ['systemctl suspend', /^systemctl suspend does not/],
    ['systemctl -i hibernate', /does not/],
    ['systemctl hybrid-sleep', /does not/],
    ['systemctl sleep', /does not/],
    ['systemctl isolate rescue.target', /does not/],
    ['systemctl poweroff --when=cancel', /does not/],
    ['/bin/true', /^true does not/],
    ['echo poweroff', /^echo does not/],
  ] as const)
    it(`that powers nothing off is known: ${line}`, () => {
      expect(insteadOfPowerOff(line.split(' '))).to.match(effect);
    });

  it('that powers off is known', () => {
    for (const line of [
      'shutdown -h now',
      'shutdown -r -h now',
      'shutdown -P',
      'shutdown -t r now',
      'shutdown -H -P now',
      'halt -p',
      'poweroff -f',
      'halt --halt -p',
      'systemctl isolate poweroff.target',
      'systemctl poweroff',
      'init 0',
      'reboot-all',
    ])
      expect(insteadOfPowerOff(line.split(' ')), line).to.equal(null);
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

  it('that powers nothing off is known in a line of a shell, unless another of its commands does', () => {
    expect(lineInsteadOfPowerOff('sync && sudo shutdown -r now')).to.match(/restarts/);
    expect(lineInsteadOfPowerOff("sudo sh -c 'sync; init 6'")).to.match(/restarts/);
    expect(lineInsteadOfPowerOff('echo off; systemctl suspend')).to.match(/suspend does not/);
    expect(lineInsteadOfPowerOff('echo off; true')).to.match(/echo does not/);
    for (const line of [
      'shutdown -c; shutdown -h now',
      'poweroff || halt',
      'systemctl stop x; true',
      'echo off; poweroff',
      'echo o > /proc/sysrq-trigger',
      'echo o | tee /proc/sysrq-trigger',
    ])
      expect(lineInsteadOfPowerOff(line), line).to.equal(null);
  });

  for (const [line, until] of [
    ['sudo shutdown -h +60', 'for 60 min; write now in place of +60'],
    ['shutdown -h 5', 'for 5 min; write now in place of 5'],
    ['shutdown -h 23:15', 'until 23:15; write now in place of 23:15'],
    ["su -c 'sync; shutdown +1'", 'for 1 min; write now in place of +1'],
    ['systemctl poweroff --when=+1h', 'until the time of --when; leave --when out'],
    ['systemd-run --on-active=60 poweroff', 'until the time of --on-active; leave --on-active out'],
    ['systemctl --when 23:15 poweroff', 'until the time of --when; leave --when out'],
  ] as const)
    it(`that powers off later is known: ${line}`, () => {
      expect(powersOffLater(simpleCommands(line))).to.contain(`the machine stays up on battery ${until}`);
    });

  it('that powers off at once, or not at all, does so no later', () => {
    for (const line of [
      'shutdown -h now',
      'shutdown -h +0',
      'shutdown -h',
      'shutdown -r +5',
      'shutdown -c',
      'systemctl poweroff --when=now',
      'shutdown -h +5 || poweroff',
      'poweroff',
      '/opt/off +5',
    ])
      expect(powersOffLater(simpleCommands(line)), line).to.equal(null);
  });
});
