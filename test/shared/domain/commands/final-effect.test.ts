import { expect } from 'chai';
import { simpleCommands } from '../../../../shared/domain/commands/command-words.js';
import {
  insteadOfPowerOff,
  lineInsteadOfPowerOff,
  powersOffLater,
  singleUserIn,
} from '../../../../shared/domain/commands/final-effect.js';

describe('a final command', () => {
  for (const [line, effect] of [
    ['shutdown -c', /cancels/],
    ['sudo -n /usr/bin/midclt call system.shutdown', /^midclt system\.shutdown without a reason is refused/],
    ['ha host reboot', /^ha reboot restarts/],
    ['configctl system reboot', /restarts/],
    ['ubnt-systool reboot', /restarts/],
    ['talosctl -n 10.0.0.2 reboot', /restarts/],
    ['sudo /etc/rc.reboot', /^rc.reboot restarts/],
    ['/usr/local/sbin/powerdown -r', /restarts/],
    ['psshutdown -r -t 0', /restarts/],
    ['psshutdown -d -t 0', /does not/],
    ['racadm serveraction powercycle', /restarts/],
    ['power reset', /restarts/],
    ['kexec -e', /restarts/],
    ['pmset sleepnow', /does not/],
    ['acpiconf -s 3', /does not/],
    ['rundll32.exe powrprof.dll,SetSuspendState 0,1,0', /does not/],
    ['pvenode stopall', /does not/],
    ['sudo shutdown -s now', /of macOS does not/],
    ['init 5', /^init 5 of Linux does not/],
    ['exit', /does not/],
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
    ['systemctl poweroff --dry-run', /dry-run does not/],
    ['systemctl isolate runlevel6.target', /restarts/],
    ['systemctl start ctrl-alt-del.target', /restarts/],
    ['systemctl start systemd-reboot.service', /restarts/],
    ['systemctl isolate runlevel1.target', /does not/],
    ['systemctl start shutdown.target', /does not/],
    ['shutdown -K now', /restarts/],
    ['shutdown --reb now', /restarts/],
    ['shutdown now --reboot', /restarts/],
    ['shutdown -r --no-wall now', /restarts/],
    ['shutdown --show', /powers nothing off/],
    ['openrc-shutdown -r now', /restarts/],
    // Its help.
    ['openrc-shutdown -h now', /-h does not/],
    ['openrc-shutdown now', /without -p does not/],
    ['openrc-shutdown -s now', /-s does not/],
    ['s6-linux-init-shutdown -k now', /only writes/],
    ['s6-linux-init-hpr -h', /halts/],
    ['runit-init 6', /restarts/],
    ['initctl reboot', /restarts/],
    ['shutdown /r /t 0', /restarts/],
    ['shutdown.exe -g -t 00', /restarts/],
    ['shutdown /h', /does not/],
    ['shutdown /a', /does not/],
    ['powershell -Command Restart-Computer -Force', /restarts/],
    ['/system reboot', /restarts/],
    ['/system/reboot', /restarts/],
    ['ipmitool -H 192.0.2.1 -U on chassis power cycle', /power cycle restarts/],
    ['ipmitool power status', /does not/],
    ['synoshutdown -r', /restarts/],
    ['esxcli system shutdown reboot -d 10 -r ups', /restarts/],
    ['pvesh create /nodes/pve/status --command reboot', /restarts/],
    ['pvesh create /nodes/pve/status -command=reboot', /restarts/],
    ['rtcwake -m mem -s 600', /does not/],
    [
      'dbus-send --system --dest=org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager.Reboot boolean:true',
      /Reboot restarts/,
    ],
    [
      'busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager Suspend b true',
      /Suspend does not/,
    ],
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
      'shutdown -h --no-wall now',
      'shutdown -h now -- -r',
      'systemctl start shutdown.service',
      'systemctl isolate runlevel0.target',
      'openrc-shutdown -p now',
      's6-linux-init-hpr -p',
      'shutdown /s /t 0',
      'shutdown -s -f -t 00',
      'ha host shutdown',
      'midclt call system.shutdown UPS',
      'configctl system halt',
      'ubnt-systool poweroff',
      'powerdown',
      'psshutdown -k -t 0',
      'racadm serveraction graceshutdown',
      'power off hard',
      'acpiconf -s 5',
      'shutdown /p /f',
      'shutdown -y -i5 -g0',
      'ipmitool -U on chassis power soft',
      'esxcli system shutdown poweroff -d 10 -r reboot',
      'pvesh create /nodes/pve/status --command shutdown',
      'rtcwake -m off -s 600',
      'dbus-send --system --dest=org.freedesktop.login1 /x org.freedesktop.login1.Manager.PowerOff boolean:false',
    ])
      expect(insteadOfPowerOff(line.split(' ')), line).to.equal(null);
  });

  it('that powers nothing off is known in a line of a shell, unless another of its commands does', () => {
    expect(lineInsteadOfPowerOff('sync && sudo shutdown -r now')).to.match(/restarts/);
    expect(lineInsteadOfPowerOff("sudo sh -c 'sync; init 6'")).to.match(/restarts/);
    expect(lineInsteadOfPowerOff('echo off; systemctl suspend')).to.match(/suspend does not/);
    expect(lineInsteadOfPowerOff('echo off; true')).to.match(/echo does not/);
    expect(lineInsteadOfPowerOff('sync; echo b > /proc/sysrq-trigger')).to.match(/sysrq b restarts/);
    expect(lineInsteadOfPowerOff(`osascript -e 'tell app "System Events" to sleep'`)).to.match(/does not/);
    for (const line of [
      'shutdown -c; shutdown -h now',
      'poweroff || halt',
      'systemctl stop x; true',
      'echo off; poweroff',
      'wall reboot; sleep 5; /opt/off.sh',
      `osascript -e 'tell app "System Events" to shut down'`,
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
    ['shutdown /s /f /t 300', 'for 300 s; write 0 in place of 300'],
    ['openrc-shutdown -p 5', 'for 5 min; write now in place of 5'],
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
      'systemd-run --on-active=5s systemctl poweroff',
      'shutdown -h +5 || poweroff',
      'shutdown /s /t 30',
      'poweroff',
      '/opt/off +5',
    ])
      expect(powersOffLater(simpleCommands(line)), line).to.equal(null);
  });

  it('without -h or -P powers off with systemd alone', () => {
    expect(singleUserIn('sync; sudo shutdown now')).to.match(/single-user mode; write -h$/);
    for (const line of [
      'shutdown -h now',
      'shutdown -p now',
      'shutdown --poweroff now',
      'shutdown -c',
      'shutdown /s /t 0',
      'openrc-shutdown now',
      'poweroff',
    ])
      expect(singleUserIn(line), line).to.equal(null);
  });
});
