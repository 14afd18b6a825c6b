// CMDSCRIPTs as people write them: what is read out of them becomes a trigger, so it must be right.
import { expect } from 'chai';
import { importUpsmon } from '../../../../scripts/commands/init/from/upsmon.js';
import type { Checked } from './drafts.js';
import { checked, inFolder } from './drafts.js';

const notified = 'NOTIFYCMD /sbin/upssched\nNOTIFYFLAG ONBATT SYSLOG+EXEC\nNOTIFYFLAG ONLINE SYSLOG+EXEC\n';
const carried = (
  script: string,
  upssched: readonly string[],
  notices = notified,
  command = 'FOLDER/cmd.sh',
): Checked =>
  inFolder(
    {
      'upsmon.conf': `MONITOR office@localhost 1 m p primary\nSHUTDOWNCMD "/sbin/shutdown -h +0"\n${notices}`,
      'cmd.sh': script,
      'upssched.conf': ['PIPEFN /run/p', 'LOCKFN /run/l', `CMDSCRIPT "${command}"`, ...upssched].join('\n'),
    },
    (folder) => checked(importUpsmon(folder)),
  );
const timers = [
  'AT ONBATT * START-TIMER warn 30',
  'AT ONBATT * START-TIMER off 600',
  'AT ONLINE * CANCEL-TIMER off',
];
const extended = ({ configuration }: Checked) => configuration.ups[0]?.policy.triggers.extendedTime;

describe('init --from-upsmon with a CMDSCRIPT', () => {
  for (const text of [
    'on battery, shutdown in 10 minutes',
    'battery low; halt follows',
    'Reason: /var/log/shutdown.log',
  ])
    it(`takes no message for a command: ${text}`, () => {
      const script = `#!/bin/sh\ncase $1 in\n  warn) logger -t upssched "${text}" ;;\n  off) /sbin/upsmon -c fsd ;;\nesac\n`;
      expect(extended(carried(script, timers))).to.deep.equal({ enabled: true, thresholdMs: 600_000 });
    });

  for (const before of ['HOST=$(hostname)', 'tell() { logger "$1"; }', '# one of (warn, off)'])
    it(`finds the first branch after: ${before}`, () => {
      const script = `#!/bin/sh\n${before}\ncase $1 in\n  off) /sbin/upsmon -c fsd ;;\n  warn) logger "$1" ;;\nesac\n`;
      expect(extended(carried(script, timers))).to.deep.equal({ enabled: true, thresholdMs: 600_000 });
    });

  it('tells the branches of a nested case apart', () => {
    const script =
      '#!/bin/sh\ncase "$1" in\n  warn)\n    case "$UPSNAME" in\n      a) logger a ;;\n      *) logger b ;;\n    esac\n    ;;\n  off) /sbin/upsmon -c fsd ;;\nesac\n';
    const result = carried(script, timers);
    expect(extended(result)).to.deep.equal({ enabled: true, thresholdMs: 600_000 });
    expect(result.left.join()).not.to.contain('CMDSCRIPT');
  });

  const first = ['AT ONBATT * START-TIMER off 300', 'AT ONLINE * CANCEL-TIMER off'];
  const branch = (body: string): string =>
    `#!/bin/sh\ncase $1 in\noff)\n${body}\n;;\non) shutdown -c ;;\nesac\n`;
  const toldOf = ({ left }: Checked): string =>
    left.filter((one) => !/^upsmon\.conf|^FINALDELAY|: carried; but there each/.test(one)).join('\n');

  it('names what may shut down, marks its hook, and leaves the trigger off', () => {
    const result = carried(branch('/opt/down.sh --token hunter2'), first);
    expect(extended(result)).to.include({ enabled: false });
    expect(result.configuration.hooks.map(({ command }) => command.at(-1))).to.deep.equal(['off']);
    expect(result.text).to.contain('UNDECIDED');
    expect(toldOf(result)).to.equal(
      'CMDSCRIPT line 4 (off), /opt/down.sh: not a program that init knows. It is a hook, and no trigger. If it shuts this machine down: triggers.extended_time.enabled = true, threshold = 300',
    );
  });

  it('names the other commands of a branch that shuts down, and proposes a server for ssh', () => {
    const result = carried(
      branch(
        '/opt/stop-clients.sh\nssh -tp 2222 -i/etc/nut/key admin@192.0.2.1 "shutdown -p now"\nlogger x\nsudo /sbin/shutdown -h now',
      ),
      first,
    );
    expect(extended(result)).to.deep.equal({ enabled: true, thresholdMs: 300_000 });
    expect(result.configuration.hooks).to.deep.equal([]);
    expect(
      toldOf(result)
        .split('\n')
        .map((one) => one.replace(/:.*/, '')),
    ).to.deep.equal([
      'CMDSCRIPT line 4 (off), /opt/stop-clients.sh',
      'CMDSCRIPT line 6 (off), logger',
      'CMDSCRIPT line 5 (off), ssh admin@192.0.2.1',
    ]);
    expect(toldOf(result)).to.contain(
      '[[remote_servers]] name = "192.0.2.1", host = "192.0.2.1", user = "admin", port = 2222, ssh_key_path = "/etc/nut/key", shutdown_command = "shutdown -p now"',
    );
  });

  it('carries the delay of `shutdown +N`, which line power takes back, and says where nothing did', () => {
    const lines = ['AT ONBATT * EXECUTE off', 'AT ONLINE * EXECUTE on'];
    const taken = carried(branch('sudo shutdown -h +10'), lines);
    expect(extended(taken)).to.deep.equal({ enabled: true, thresholdMs: 600_000 });
    expect(taken.configuration.hooks).to.deep.equal([]);
    expect(toldOf(taken)).to.match(/^upssched.conf line 5, .*: it takes a shutdown back/);
    const goesOn = 'it went on when the power was back';
    for (const [body, conf] of [
      ['sudo shutdown -h +10', lines.slice(0, 1)],
      ['sleep 600; sudo shutdown -h now', lines],
      ['sudo shutdown -h now', ['AT ONBATT * START-TIMER off 600']],
    ] as const) {
      const result = carried(branch(body), conf);
      expect(extended(result)).to.deep.equal({ enabled: true, thresholdMs: 600_000 });
      expect(toldOf(result), body).to.contain(goesOn);
    }
  });

  it('says that a script shut down at a type of upsmon that is no event here', () => {
    const lost = 'it shut down when the UPS could not be read; here only on battery (failsafe_delay)';
    const neither =
      'not a program that init knows. It is neither a hook nor a trigger. If it shuts this machine down: it shut';
    const flags = `${notified}NOTIFYFLAG NOCOMM EXEC\nNOTIFYFLAG NOPARENT EXEC\n`;
    const told = (body: string, script = branch(body), notices = flags): string =>
      toldOf(carried(script, ['AT NOCOMM * EXECUTE off', 'AT NOPARENT * START-TIMER off 9'], notices));
    expect(told('ssh nas poweroff; upsmon -c fsd'))
      .to.match(/AT NOCOMM \* EXECUTE off: it shut down when/)
      .and.to.contain(lost)
      .and.to.match(/AT NOPARENT .*: it shut down at NOPARENT, which starts no shutdown here/)
      .and.to.contain('ssh nas: another machine');
    expect(told('/opt/down.sh'))
      .to.contain(`${neither} down when the UPS could not be read`)
      .and.to.contain(`${neither} down at NOPARENT`)
      .and.to.match(/AT NOCOMM \* EXECUTE off: a hook on CONNECTION_LOST with `after`/);
    expect(told('logger x')).not.to.contain('it shut down');
    const notices = flags.replace('/sbin/upssched', 'FOLDER/cmd.sh');
    expect(told('', '#!/bin/sh\n[ "$NOTIFYTYPE" = NOCOMM ] && upsmon -c fsd\n', notices)).to.equal(
      `NOTIFYFLAG NOCOMM EXEC: ${lost}\nNOTIFYFLAG NOPARENT EXEC: there is no such event here`,
    );
  });

  it('keeps what a branch does on another machine beside a shutdown that it takes back', () => {
    const on = 'shutdown -c; ssh nas /opt/wake.sh';
    const result = carried(branch('logger x').replace('on) shutdown -c', `on) ${on}`), [
      'AT ONLINE * EXECUTE on',
    ]);
    expect(result.configuration.hooks.map(({ command }) => command.at(-1))).to.deep.equal(['on']);
    expect(toldOf(result)).to.contain('CMDSCRIPT line 6 (on), ssh nas: another machine');
    const noticed = carried(`#!/bin/sh\n${on}\n`, [], 'NOTIFYCMD FOLDER/cmd.sh\nNOTIFYFLAG ONLINE EXEC\n');
    expect(noticed.configuration.hooks.map((hook) => hook.on)).to.deep.equal([['POWER_RESTORED']]);
    expect(toldOf(noticed)).to.contain('NOTIFYCMD line 2 (ONLINE), ssh nas: another machine');
  });

  it('counts a CANCEL-TIMER only where upssched runs it, and for its UPS', () => {
    const goesOn = 'it went on when the power was back';
    const timer = 'AT ONBATT * START-TIMER off 600';
    const cancel = (ups: string): string => `AT ONLINE ${ups} CANCEL-TIMER off`;
    const told = (ups: string, flags = notified): string =>
      toldOf(carried(branch('upsmon -c fsd'), [timer, cancel(ups)], flags));
    expect(told('*')).to.equal('');
    expect(told('office@localhost')).to.equal('');
    expect(told('office@nas')).to.contain(goesOn);
    expect(told('*', notified.replace('NOTIFYFLAG ONLINE SYSLOG+EXEC', ''))).to.contain(goesOn);
  });

  it('reads a script that sudo starts, which may shut down then', () => {
    const result = carried(branch('poweroff'), first, notified, 'sudo -n FOLDER/cmd.sh');
    expect(extended(result)).to.deep.equal({ enabled: true, thresholdMs: 300_000 });
    expect(toldOf(result)).to.equal('');
  });

  it('says where another user may not shut down, unless scripts run as root', () => {
    const refused = 'whom the system may have refused that';
    expect(toldOf(carried(branch('poweroff'), first))).to.contain(`the user of its package, ${refused}`);
    expect(toldOf(carried(branch('poweroff'), first, `RUN_AS_USER root\n${notified}`))).to.equal('');
    expect(toldOf(carried(branch('upsmon -c fsd'), first))).to.equal('');
  });

  it('says where a group decides, and where a UPS feeds another machine', () => {
    const more = `MONITOR rack@nas 1 m p secondary\nMONITOR cellar@nas 0 m p secondary\n${notified}`;
    const result = carried(branch('upsmon -c fsd'), first, more);
    expect(toldOf(result))
      .to.contain('one UPS on battery was enough, here the group decides')
      .and.to.contain('for cellar@nas: it shut this machine down there; here it does not');
  });

  it('reads a NOTIFYCMD as well, by its NOTIFYTYPE', () => {
    const script =
      '#!/bin/sh\ncase $NOTIFYTYPE in\nONBATT) sleep 120; upsmon -c fsd ;;\nONLINE) logger "$1" ;;\nREPLBATT) /opt/x ;;\nesac\n';
    const notices =
      'NOTIFYCMD FOLDER/cmd.sh\nNOTIFYFLAG ONBATT EXEC\nNOTIFYFLAG ONLINE EXEC\nNOTIFYFLAG REPLBATT EXEC\n';
    const result = carried(script, [], notices);
    expect(extended(result)).to.deep.equal({ enabled: true, thresholdMs: 120_000 });
    expect(result.configuration.hooks.map(({ on }) => on)).to.deep.equal([
      ['POWER_RESTORED'],
      ['BATTERY_REPLACE'],
    ]);
    expect(toldOf(result))
      .to.contain('NOTIFYFLAG ONBATT EXEC: carried; but there it went on')
      .and.to.contain('NOTIFYCMD line 5 (REPLBATT), /opt/x: not a program that init knows');
  });

  for (const notices of [
    '',
    'NOTIFYCMD /usr/local/bin/tell\n',
    'NOTIFYCMD /sbin/upssched\nNOTIFYFLAG ONBATT SYSLOG\n',
  ])
    it(`takes no timer that upsmon never started: ${JSON.stringify(notices)}`, () => {
      const script = '#!/bin/sh\ncase $1 in\n  warn) logger w ;;\n  off) /sbin/upsmon -c fsd ;;\nesac\n';
      expect(extended(carried(script, timers, notices))).to.include({ enabled: false });
    });

  it('does not shut down at once for a script without a case', () => {
    const script =
      '#!/bin/bash\nif [ "$1" = onbatt ]; then logger battery; elif [ "$1" = off ]; then /sbin/upsmon -c fsd; fi\n';
    const result = carried(script, ['AT ONBATT * EXECUTE onbatt', 'AT ONBATT * START-TIMER off 600']);
    expect(extended(result)).to.not.deep.equal({ enabled: true, thresholdMs: 0 });
  });
});
