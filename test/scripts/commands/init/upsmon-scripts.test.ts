// upssched.conf and the scripts of upsmon, read as upssched and upsmon read them.
import { expect } from 'chai';
import { hostname, networkInterfaces } from 'node:os';
import { isThisHost } from '../../../../scripts/commands/init/from/this-host.js';
import type { Checked } from './drafts.js';
import { carried, executed, monitor, script } from './upsmon-files.js';

describe('init --from-upsmon with its scripts', () => {
  it('reads lines of upssched.conf as upssched does', () => {
    const timers = 'AT ONLINE * CANCEL-TIMER dark\n';
    const withLines = (lines: string, head = 'PIPEFN /run/p\nLOCKFN /run/l\n'): Checked =>
      carried(`${monitor}NOTIFYCMD /sbin/upssched\nNOTIFYFLAG onbatt EXEC\nNOTIFYFLAG ONLINE EXEC\n`, {
        'cmd.sh': script,
        'upssched.conf': `CMDSCRIPT FOLDER/cmd.sh\n${head}${lines}\n${timers}`,
      });
    for (const [line, seconds, told = ''] of [
      ['AT ONBATT * START-TIMER dark 300', 300],
      ['AT onbatt * START-TIMER dark 300', 300],
      ['AT ONBATT * START-TIMER dark 300s', 300],
      ['AT ONBATT * START-TIMER "dark now" 300', 300],
      ['AT ONBATT * START-TIMER dark', null, 'no time'],
      ['AT ONBATT * START-TIMER dark soon', null, 'no time'],
      ['AT ONBATT office START-TIMER dark 300', null, 'compares the whole name'],
      ['AT ONBATT * EXECUTE', null, 'upssched ran nothing'],
      ['AT ONBATT * START-TIMER "x;y" 300', null, 'CMDSCRIPT line'],
    ] as const) {
      const { configuration, left } = withLines(line);
      const { enabled, thresholdMs } = configuration.ups[0]?.policy.triggers.extendedTime ?? {};
      expect(enabled === true ? (thresholdMs ?? 0) / 1000 : null, line).to.equal(seconds);
      expect(left.join('\n'), line).to.contain(told).and.not.to.contain('upssched ends there');
    }
    expect(withLines('AT REPLBATT * EXECUTE x', 'PIPEFN /run/p\n').left.join('\n')).to.contain(
      'upssched.conf, LOCKFN: no line before the first AT sets it',
    );
    const ignored = carried(`${monitor}NOTIFYCMD /sbin/upssched\nNOTIFYFLAG ONBATT IGNORE+EXEC\n`, {
      'cmd.sh': script,
      'upssched.conf': 'CMDSCRIPT FOLDER/cmd.sh\nAT ONBATT * START-TIMER dark 300\n',
    });
    expect(ignored.configuration.ups[0]?.policy.triggers.extendedTime.enabled).to.equal(false);
  });

  it('follows a line of shell that NOTIFYCMD or CMDSCRIPT is', () => {
    const extended = ({ configuration }: Checked) => {
      const { enabled, thresholdMs } = configuration.ups[0]?.policy.triggers.extendedTime ?? {};
      return enabled === true ? (thresholdMs ?? 0) / 1000 : null;
    };
    const notified = (command: string): Checked =>
      carried(`${monitor}NOTIFYCMD "${command}"\nNOTIFYFLAG ONBATT EXEC\nNOTIFYFLAG ONLINE EXEC\n`);
    expect(extended(notified('[ $NOTIFYTYPE = ONBATT ] && sleep 90 && shutdown -h now'))).to.equal(90);
    expect(extended(notified('case $NOTIFYTYPE in ONBATT) sleep 90; poweroff;; esac; logger'))).to.equal(90);
    expect(extended(notified('logger'))).to.equal(null);
    const timed = carried(`${monitor}NOTIFYCMD "sudo upssched"\nNOTIFYFLAG ONBATT EXEC\n`, {
      'cmd.sh': script,
      'upssched.conf': 'CMDSCRIPT "logger x; sh FOLDER/cmd.sh"\nAT ONBATT * START-TIMER dark 300\n',
    });
    expect(timed.left.join('\n')).to.contain('CMDSCRIPT line 1 (dark), sh: not a program that init knows');
  });

  it('takes nothing for a shutdown of a script without the right to be run', () => {
    const file = 'AT ONBATT * START-TIMER dark 300\n';
    const upsmon = `${monitor}NOTIFYCMD /sbin/upssched\n${executed}`;
    const withCommand = (command: string): Checked =>
      carried(upsmon, { cmd: script, 'upssched.conf': `CMDSCRIPT "${command}"\n${file}` });
    const { configuration, left } = withCommand('FOLDER/cmd');
    expect(configuration.ups[0]?.policy.triggers.extendedTime.enabled).to.equal(false);
    expect(left.join('\n')).to.contain('CMDSCRIPT (dark): its mode has no x, so upsmon could not start it');
    const { extendedTime } = withCommand('/bin/sh FOLDER/cmd').configuration.ups[0]?.policy.triggers ?? {};
    expect(extendedTime).to.include({ enabled: true, thresholdMs: 300_000 });
  });

  for (const [what, text, told] of [
    ['whose lines end as on Windows', script.replaceAll('\n', '\r\n'), 'its lines end with CR LF'],
    [
      'that logs in to this machine',
      '#!/bin/sh\nssh root@OWN poweroff\n',
      'ssh OWN: it runs on this machine',
    ],
  ] as const)
    it(`asks what a script does ${what}`, () => {
      const filled = (line: string): string => line.replace('OWN', hostname());
      const {
        configuration,
        left,
        text: file,
      } = carried(`${monitor}NOTIFYCMD /sbin/upssched\n${executed}`, {
        'cmd.sh': filled(text),
        'upssched.conf': 'CMDSCRIPT FOLDER/cmd.sh\nAT ONBATT * START-TIMER dark 300\n',
      });
      expect(configuration.ups[0]?.policy.triggers.extendedTime.enabled).to.equal(false);
      expect(file).to.contain('UNDECIDED');
      expect(left.join('\n')).to.contain(filled(told));
    });

  it('judges the command that CANCEL-TIMER has for a timer that does not run', () => {
    const { left } = carried(`${monitor}NOTIFYCMD /sbin/upssched\n${executed}`, {
      'cmd.sh': script,
      'upssched.conf': [
        'CMDSCRIPT FOLDER/cmd.sh',
        'AT ONLINE * CANCEL-TIMER low dark',
        'AT ONBATT * CANCEL-TIMER back cold',
        'AT ONLINE * CANCEL-TIMER low lamp',
        'AT ONLINE * CANCEL-TIMER low bell',
        'AT FSD * CANCEL-TIMER low dark',
      ].join('\n'),
    });
    const lines = left
      .filter((line) => /CANCEL-TIMER|CMDSCRIPT line 8/.test(line))
      .map((line) => line.trim());
    expect(lines).to.deep.equal([
      'upssched.conf line 2, AT ONLINE * CANCEL-TIMER low dark: it shut down at POWER_RESTORED, which starts no shutdown here',
      'upssched.conf line 3, AT ONBATT * CANCEL-TIMER back cold: it shut down at the transfer to battery: triggers.extended_time.enabled = true, threshold = 0',
      'CMDSCRIPT line 8 (lamp), /usr/local/bin/lamp: not a program that init knows. It is neither a hook nor a trigger. If it shuts this machine down: it shut down at POWER_RESTORED, which starts no shutdown here',
      'upssched.conf line 4, AT ONLINE * CANCEL-TIMER low lamp: a command for a timer that does not run',
      'upssched.conf line 5, AT ONLINE * CANCEL-TIMER low bell: a command for a timer that does not run',
    ]);
  });

  it('takes its own name and addresses for this machine', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const own = [hostname(), `${hostname()}.example`, ...addresses.map(({ address }) => address)];
    expect(own.filter((host) => !isThisHost(host))).to.deep.equal([]);
    expect(['192.0.2.9', '[2001:db8::9]', `${hostname()}-2`].filter(isThisHost)).to.deep.equal([]);
  });

  it('says that upssched.conf is not read where a script starts upssched', () => {
    for (const [text, isTold, command = 'FOLDER/notify.sh'] of [
      ['#!/bin/sh\nlogger "$1"\nexec /sbin/upssched\n', true],
      ['#!/bin/sh\necho upssched\n', false],
      ['', true, 'logger x; /sbin/upssched'],
      ['', false, 'sudo /sbin/upssched'],
      ['', false, '/usr/bin/env LANG=C /sbin/upssched'],
    ] as const) {
      const { left } = carried(`${monitor}NOTIFYCMD "${command}"\n${executed}`, {
        'notify.sh': text,
        'upssched.conf': 'CMDSCRIPT FOLDER/notify.sh\nAT ONBATT * START-TIMER dark 300\n',
      });
      expect(left.some((line) => line.startsWith('upssched.conf: NOTIFYCMD is a script'))).to.equal(isTold);
    }
  });

  for (const [command, text, told] of [
    ['/sbin/shutdown -h +0', '', []],
    ['/sbin/poweroff', '', []],
    ['sync; logger down; sudo poweroff', '', []],
    ['logger down && poweroff', '', []],
    ['/bin/true', '', []],
    ['FOLDER/down.sh', '#!/bin/sh\nwall down\n/sbin/poweroff\n', []],
    ['sleep 60; poweroff', '', [/^SHUTDOWNCMD poweroff: it comes after 60 s; .* 30 s here/]],
    [
      'FOLDER/down.sh now',
      '#!/bin/bash\nfor i in 1 2; do qm shutdown $i; done\ndocker stop a; docker stop b\nshutdown -h now\n',
      [/^SHUTDOWNCMD line 2, qm; line 3, docker: upsmon waited for it; .* 30 s here/],
    ],
    ['sh FOLDER/down.sh', '#!/bin/sh\n/opt/down\n', [/^SHUTDOWNCMD line 2, \/opt\/down: not a program/]],
    ['FOLDER/down.sh', '#!/usr/bin/python3\nimport os\n', [/^SHUTDOWNCMD line 1, the script: not a form/]],
    [
      'ssh root@esxi poweroff',
      '',
      [
        /^SHUTDOWNCMD: nothing in it is known to power this machine off/,
        /^SHUTDOWNCMD line 1, ssh root@esxi/,
      ],
    ],
  ] as const)
    it(`says what an attempt at the power-off has no time for: ${command}`, () => {
      const { left, configuration } = carried(`${monitor.replace('/sbin/shutdown -h +0', command)}`, {
        'down.sh': text,
      });
      expect(configuration.localShutdown.fallbackCommand !== null).to.equal(
        /fallback_command/.test(left.join()),
      );
      const lines = left.filter((line) => line.startsWith('SHUTDOWNCMD'));
      expect(lines).to.have.length(told.length);
      for (const [index, form] of told.entries()) expect(lines[index]).to.match(form);
    });
});
