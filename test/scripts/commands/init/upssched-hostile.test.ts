// CMDSCRIPTs as people write them: what is read out of them becomes a trigger, so it must be right.
import { expect } from 'chai';
import { importUpsmon } from '../../../../scripts/commands/init/from/upsmon.js';
import type { Checked } from './drafts.js';
import { checked, inFolder } from './drafts.js';

const notified = 'NOTIFYCMD /sbin/upssched\nNOTIFYFLAG ONBATT SYSLOG+EXEC\nNOTIFYFLAG ONLINE SYSLOG+EXEC\n';
const carried = (script: string, upssched: readonly string[], notices = notified): Checked =>
  inFolder(
    {
      'upsmon.conf': `MONITOR office@localhost 1 m p primary\nSHUTDOWNCMD "/sbin/shutdown -h +0"\n${notices}`,
      'cmd.sh': script,
      'upssched.conf': ['CMDSCRIPT FOLDER/cmd.sh', ...upssched].join('\n'),
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

  it('says where it cannot tell the branches apart, as with a nested case', () => {
    const script =
      '#!/bin/sh\ncase "$1" in\n  warn)\n    case "$UPSNAME" in\n      a) logger a ;;\n      *) logger b ;;\n    esac\n    ;;\n  off) /sbin/upsmon -c fsd ;;\nesac\n';
    expect(carried(script, timers).left.join()).to.contain('CMDSCRIPT');
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
