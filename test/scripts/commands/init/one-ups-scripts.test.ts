// What the scripts of apcupsd and PowerPanel are called with, and those that no line of the file names.
import { expect } from 'chai';
import { importApcupsd } from '../../../../scripts/commands/init/from/apcupsd.js';
import { importPowerpanel } from '../../../../scripts/commands/init/from/powerpanel.js';
import type { Checked } from './drafts.js';
import { checked, inFolderAsync } from './drafts.js';

const ups = 'office@localhost';
const seconds = ({ configuration }: Checked): number | null => {
  const { enabled = false, thresholdMs = 0 } = configuration.ups[0]?.policy.triggers.extendedTime ?? {};
  return enabled ? thresholdMs / 1000 : null;
};

describe('a script that apccontrol runs', () => {
  const withScript = (test: string, more: string): Promise<Checked> =>
    inFolderAsync(
      {
        'apcupsd.conf': `SCRIPTDIR FOLDER/scripts.sh\n${more}`,
        'scripts.sh/onbattery': `#!/bin/sh\nif [ ${test} ]; then poweroff; fi\n`,
      },
      async (folder) => checked(await importApcupsd(`${folder}/apcupsd.conf`, ups)),
    );

  for (const [test, more, expected] of [
    ['"$1" = rack', 'UPSNAME rack\n', 6],
    ['$# -eq 3', 'UPSNAME rack\n', 6],
    ['"$1" = rack', '', 'asks'],
    ['"$3" = 1', 'UPSNAME rack\n', 'asks'],
    ['-z "$2"', 'UPSNAME rack\n', 'asks'],
  ] as const)
    it(`gets the name and two words more: [ ${test} ] with ${more === '' ? 'no UPSNAME' : more.trim()}`, async () => {
      const draft = await withScript(test, more);
      expect(seconds(draft)).to.equal(expected === 'asks' ? null : expected);
      expect(draft.text.includes('UNDECIDED')).to.equal(expected === 'asks');
    });
});

describe('a script that runs at the shutdown itself', () => {
  const text = `#!/bin/sh
echo "UPS battery is low" | wall
sudo -u jon ssh loki "sudo shutdown -h now"
/opt/stop-guests.sh
`;
  const told = (left: readonly string[], program: string, name: string): void => {
    expect(left.join('\n'))
      .to.contain(
        `${name} line 3, ssh loki: another machine; as a remote server, which goes down when a trigger is met and not when the script ran: [[remote_servers]] name = "loki"`,
      )
      .and.to.contain(
        `${name} line 4, /opt/stop-guests.sh: ${program} ran it as root at the shutdown; the hook`,
      )
      .and.not.to.contain('wall: ');
  };

  it('is a hook for which nothing waits, and what it ran as root is named', async () => {
    const apcupsd = await inFolderAsync(
      { 'apcupsd.conf': 'SCRIPTDIR FOLDER/scripts.sh\n', 'scripts.sh/doshutdown': text },
      async (folder) => checked(await importApcupsd(`${folder}/apcupsd.conf`, ups)),
    );
    told(apcupsd.left, 'apcupsd', 'doshutdown of apccontrol');
    const powerpanel = await inFolderAsync(
      { 'pwrstatd.conf': 'lowbatt-cmd-path = FOLDER/low.sh\n', 'low.sh': text },
      async (folder) => checked(await importPowerpanel(`${folder}/pwrstatd.conf`, ups)),
    );
    told(powerpanel.left, 'PowerPanel', 'lowbatt-cmd-path');
  });
});

describe('a script that pwrstatd runs', () => {
  const withLines = (lines: string): Promise<Checked> =>
    inFolderAsync(
      {
        'pwrstatd.conf': `powerfail-shutdown = no\n${lines}`,
        'pwrstatd-powerfail.sh': '#!/bin/sh\nshutdown -h now\n',
      },
      async (folder) => checked(await importPowerpanel(`${folder}/pwrstatd.conf`, ups)),
    );

  it('is the one beside its file where no line names one', async () => {
    expect(seconds(await withLines(''))).to.equal(60);
    expect(seconds(await withLines('powerfail-active = no\n'))).to.equal(null);
    expect(seconds(await withLines('powerfail-cmd-path = /etc/other.sh\n'))).to.equal(null);
  });

  it('is not all that is named: so is a line of its file that is not read', async () => {
    const { left } = await withLines('LOWBATT-SHUTDOWN = NO\n# none\n\n  x\n');
    expect(left.filter((line) => line.includes('small letters'))).to.have.length(2);
    expect(left.join('\n'))
      .to.contain('pwrstatd.conf line 2: it is no')
      .and.to.contain('pwrstatd.conf line 5: it is no');
  });

  it('of an older one waits for lowbatt-delay, which is named', async () => {
    expect((await withLines('lowbatt-delay = 15\n')).left.join('\n')).to.contain(
      'lowbatt-delay 15: pwrstatd waits so long at a low battery',
    );
  });

  for (const text of ['shutdown -h now', '/opt/down.sh'])
    it(`at a low battery is no trigger where lowbatt-shutdown is no, and init says what is: ${text}`, async () => {
      const draft = await inFolderAsync(
        {
          'pwrstatd.conf': 'powerfail-shutdown = no\nlowbatt-shutdown = no\nlowbatt-threshold = 40\n',
          'pwrstatd-lowbatt.sh': `#!/bin/sh\n${text}\n`,
        },
        async (folder) => checked(await importPowerpanel(`${folder}/pwrstatd.conf`, ups)),
      );
      expect(draft.configuration.localShutdown.triggerOn).to.equal('none');
      expect(draft.left.join('\n'))
        .to.contain('it shut down at a low battery, and here nothing does')
        .and.to.contain('triggers.low_battery_threshold = 40, triggers.critical_runtime_threshold = 300');
    });
});
