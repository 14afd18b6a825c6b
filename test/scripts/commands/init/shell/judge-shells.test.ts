// What a script does in the shell of its first line, or in the one that is given it.
import { expect } from 'chai';
import { judge } from '../../../../../scripts/commands/init/from/shell/judge.js';
import { judged, short } from './judged.js';

describe('a script and its shell', () => {
  for (const [text, inBash, inSh] of [
    ['[ "$1" == off ] && poweroff', 'down 0', 'unsure 2'],
    ['[[ $1 == off ]] && poweroff', 'down 0', 'unsure 2'],
    ['[[ $1 = on ]] || poweroff', 'down 0', 'unsure 2'],
    ["nodes=('pve-2' 'pve-1'); declare -A VM; VM[105]=hibernate; poweroff", 'down 0', 'unsure 2'],
    ['C=(poweroff now); "${C[@]}"', 'unsure 2', 'unsure 2'],
    ['readonly C=(a); poweroff', 'unsure 2', 'unsure 2'],
    ['logger C=(a); poweroff', 'unsure 2', 'unsure 2'],
    ['function f { poweroff; }; f', 'down 0', 'unsure 2'],
    ['wall <<< off; poweroff', 'down 0', 'unsure 2'],
    ['logger ${1^^}; poweroff', 'down 0', 'unsure 2'],
    ['logger ${1%x} ${#1} ${2:+x}; poweroff', 'down 0', 'down 0'],
    ['bash -c "[[ off == off ]] && poweroff"', 'down 0', 'down 0'],
    ['sh -c "[[ off == off ]] && poweroff"', 'unsure 2', 'unsure 2'],
  ] as const)
    it(`is read by the shell of its first line: ${text}`, () => {
      for (const [shell, expected] of [
        ['bash', inBash],
        ['sh', inSh],
        ['dash', inSh],
      ] as const)
        expect(short(judged(`#!/bin/${shell}\n${text}\n`)), shell).to.equal(expected);
    });

  it('is read by the shell that it is given to', () => {
    const text = '#!/bin/bash -n\n[ "$1" == off ] && poweroff\n';
    const by = (shell: string): string =>
      short(judge(text, { args: ['off'], variables: new Map(), shutdownCommand: [], shell }));
    expect(['/bin/bash', 'sh'].map(by)).to.deep.equal(['down 0', 'unsure 2']);
  });

  it('goes on after a return outside a function, as far as can be told', () => {
    for (const shell of ['bash', 'sh'])
      for (const [text, expected] of [
        ['if [ "$1" = off ]; then return 0; fi\npoweroff', 'unsure 3'],
        ['f() { return; poweroff; }\nf', 'no'],
        ['f() { return; }\nf; poweroff', 'down 0'],
        ['return', 'no'],
      ] as const)
        expect(short(judged(`#!/bin/${shell}\n${text}\n`)), text).to.equal(expected);
  });

  it('does not count on a wait in a process that may end before it', () => {
    for (const [text, expected] of [
      ['set -u; (echo $B; sleep 5); poweroff', 'unsure 2'],
      ['set -u; A=$(echo $B; sleep 5); poweroff', 'unsure 2'],
      ['set -e; (ping -c1 nas; sleep 5) || true; poweroff', 'down 5'],
      ['set -u; (echo $B); sleep 5; poweroff', 'down 5'],
      ['set -u; (sleep 5; echo x); poweroff', 'down 5'],
      ['for i in $(poweroff); do echo x; done', 'down 0'],
    ] as const)
      expect(short(judged(`#!/bin/sh\n${text}\n`)), text).to.equal(expected);
  });

  it('gives `"$@"` on as words, and shows no arguments of one quoted word', () => {
    const run = '#!/bin/sh\nrun() { logger run; "$@"; }\n';
    expect(short(judged(`${run}run shutdown -h now\n`))).to.equal('down 0');
    for (const line of ['run upscmd -p hunter2 office load.off', 'C="upscmd -p hunter2"; "$C"']) {
      const verdict = judged(`${run}${line}\n`);
      expect(verdict.kind === 'unsure' ? verdict.commands[0]?.text : '').to.match(/^upscmd\b/);
      expect(JSON.stringify(verdict)).not.to.contain('hunter2');
    }
  });

  for (const [option, expected] of [
    ['bash -eu', 'unsure 3'],
    ['sh -u', 'unsure 3'],
    ['bash -n', 'unsure 3'],
    ['sh -o nounset', 'unsure 3'],
    ['sh down.sh', 'unsure 3'],
    ['sh -e', 'down 0'],
    ['bash -xv', 'down 0'],
    ['sh -', 'down 0'],
  ] as const)
    it(`is ${expected} after #!/bin/${option}`, () => {
      expect(short(judged(`#!/bin/${option}\nA=$2; echo $TIME\npoweroff\n`))).to.equal(expected);
    });
});
