// The other machines that a script calls in the scripts that it runs.
import { expect } from 'chai';
import { judge } from '../../../../../scripts/commands/init/from/shell/judge.js';
import { short } from './judged.js';

/** The loop of a homelab with nut_graceful_shutdown.sh. */
const poweroffHost = `#!/bin/bash
user=$1
host=$2
retrycount=5
while [[ $retrycount -ne 0 ]]; do
    ssh -o connecttimeout=5 \${user}@\${host} poweroff
    if [ $? -eq 0 ]; then
        retrycount=1
    fi
    retrycount=$((retrycount - 1))
done
`;
const graceful = `workingdir="/etc/nut/script"
esxiuser="root"
esxihost="gen8.example"
\${workingdir}/host.sh \${esxiuser} \${esxihost} >>/var/log/x.log
upsmon -c fsd
`;

const files: Readonly<Record<string, string>> = {
  '/etc/nut/script/graceful.sh': graceful,
  '/etc/nut/script/host.sh': poweroffHost,
  '/etc/nut/loop.sh': '/etc/nut/loop.sh\n/etc/nut/both.sh\nssh nas poweroff\n',
  '/etc/nut/both.sh': '/etc/nut/loop.sh\n/etc/nut/loop.sh again\n',
  '/etc/nut/notify.py': '#!/usr/bin/env python3\nimport os\nos.system("ssh nas poweroff")\n',
};

const judged = (text: string) =>
  judge(text, {
    args: ['off'],
    variables: new Map(),
    shutdownCommand: [],
    readScript: (path) => files[path] ?? null,
  });
const remotesOf = (text: string): readonly string[] => [
  ...new Set(
    judged(text).remotes.map(({ line, user, host, command }) => `${String(line)} ${user}@${host} ${command}`),
  ),
];

describe('a script that a script runs', () => {
  for (const call of [
    '/etc/nut/script/graceful.sh',
    '/bin/sh /etc/nut/script/graceful.sh &',
    '(\necho x\nsudo /etc/nut/script/graceful.sh\n) >>/tmp/mail',
    '. /etc/nut/script/graceful.sh',
    'h=gen8.example; /etc/nut/script/host.sh root $h',
  ])
    it(`has its servers named at the line that runs it: ${call}`, () => {
      const at = call.startsWith('(') ? '3' : '1';
      expect(remotesOf(call)).to.deep.equal([`${at} root@gen8.example poweroff`]);
      // What it does here stays to be asked.
      expect(short(judged(call))).to.equal(`unsure ${at}`);
    });

  it('is none that is not there or no script of a shell', () => {
    for (const call of ['/etc/nut/none.sh', './host.sh root a', '/etc/nut/notify.py', '$1 root a'])
      expect(remotesOf(call), call).to.deep.equal([]);
  });

  it('ends where it runs itself', () => {
    expect(remotesOf('/etc/nut/loop.sh')).to.deep.equal(['1 @nas poweroff']);
  });
});
