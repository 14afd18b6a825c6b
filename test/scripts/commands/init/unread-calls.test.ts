// Another machine that a script calls where init does not read the script.
import { expect } from 'chai';
import { carried } from './upsmon-files.js';

const conf =
  'MONITOR office@localhost 1 monuser "s3cret word" primary\nSHUTDOWNCMD "/sbin/shutdown -h +0"\n' +
  'NOTIFYCMD FOLDER/notify.sh\nNOTIFYFLAG ONBATT SYSLOG+EXEC\n';
const why =
  'init does not read what it does. If it shuts another machine down, that becomes one of [[remote_servers]]';

/** The reports of ssh for a NOTIFYCMD of these lines. */
const toldOf = (lines: string, others: Readonly<Record<string, string>> = {}): readonly string[] =>
  carried(conf, { 'notify.sh': lines, ...others }).left.filter((line) => line.includes('ssh'));

describe('ssh in what init does not read', () => {
  for (const [what, lines, line] of [
    ['arithmetic of bash', '#!/bin/bash\n((tries--))\n# ssh nas\nsshpass -p x ssh root@nas poweroff\n', 4],
    [
      'Python',
      '#!/usr/bin/env python3\nimport subprocess\nsubprocess.run(["ssh", "root@nas", "poweroff"])\n',
      3,
    ],
    ['a module of Python', '#!/usr/bin/env python3\nimport paramiko\n', 2],
    ['Perl', '#!/usr/bin/perl\nsystem("ssh root\\@nas poweroff");\n', 2],
    [
      'lines after a decision',
      '#!/bin/sh\nif [ "$(upsc a)" -lt 9 ]; then poweroff; fi\nssh root@nas poweroff\n',
      3,
    ],
  ] as const)
    it(`is named: ${what}`, () => {
      expect(toldOf(lines)).to.have.length(1);
      expect(toldOf(lines)[0]).to.contain(`NOTIFYCMD line ${String(line)}, ssh: ${why}`);
    });

  it('is named in a script that another one runs', () => {
    const others = { 'down.py': '#!/usr/bin/env python3\nimport os\nos.system("ssh root@nas poweroff")\n' };
    for (const call of ['FOLDER/down.py', '/usr/bin/python3 FOLDER/down.py']) {
      const told = toldOf(`#!/bin/sh\n${call}\n`, others);
      expect(told, call).to.have.length(1);
      expect(told[0]).to.contain(`down.py line 3, ssh: ${why}`);
    }
  });

  it('is not found where a script only speaks of it', () => {
    for (const lines of [
      '#!/usr/bin/env python3\n# ssh root@nas poweroff\nopen("/root/.ssh/config")\n',
      '#!/bin/sh\nfoo\n',
    ])
      expect(toldOf(lines), lines).to.deep.equal([]);
  });

  it('is named with the host of each round of a loop', () => {
    for (const [before, words] of [
      ['', 'pve-2 pve-3'],
      ['NODES="pve-2 pve-3"\n', '$NODES'],
    ] as const) {
      const told = toldOf(
        `#!/bin/bash\n${before}for n in ${words}; do\nssh root@$n poweroff &\ndone\nwait\n`,
      );
      expect(told, words).to.have.length(2);
      expect(told[0]).to.contain('[[remote_servers]] name = "pve-2"');
      expect(told[1]).to.contain('[[remote_servers]] name = "pve-3"');
    }
  });

  it('is named where its host is not known', () => {
    for (const [lines, after] of [
      ['for n in $(cat /etc/hosts.ups); do ssh root@$n poweroff; done', ''],
      ['for n in $(cat /etc/hosts.ups); do ssh root@$n poweroff; done', '\npoweroff'],
      ['while read -r n; do ssh -n root@$n poweroff; done </etc/hosts.ups', ''],
    ] as const)
      expect(toldOf(`#!/bin/sh\n${lines}${after}\n`).at(-1), lines).to.contain(
        `NOTIFYCMD line 2, ssh: ${why}`,
      );
  });

  it('is told once, with its server, where it is read', () => {
    const told = toldOf('#!/bin/sh\nfoo\nssh root@nas poweroff\n');
    expect(told).to.have.length(1);
    expect(told[0]).to.contain('[[remote_servers]] name = "nas"');
  });
});
