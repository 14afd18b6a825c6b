// Random scripts, judged by `init` and then run by the real sh. Their programs are found in a folder of the test alone: each notes
// that it ran and does nothing.
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { judge } from '../../../scripts/commands/init/from/shell/judge.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const noted =
  'ping poweroff shutdown halt init upsmon systemctl sleep logger wall mail ssh sudo reboot at tell'.split(
    ' ',
  );

const simple = fc.constantFrom(
  ...[
    'poweroff',
    'shutdown -h now "bye $1"',
    'shutdown -h +2',
    'shutdown -c',
    'halt -w',
    'upsmon -c fsd',
    'sudo -n poweroff',
    'sleep 30',
    'sleep 2m 5',
    'logger "poweroff; $1"',
    'echo "halt -p" | wall',
    'echo poweroff | at now',
    'ssh nas poweroff',
    'exit 0',
    'down',
    'stop',
    'A=off',
    'A=$1',
    'A=$(echo x)',
    '$A',
    'sh -c "sleep 5; poweroff"',
    'tell x',
    'reboot',
    '# poweroff',
    "cat <<'E' | mail root\npoweroff\nE",
    'true && poweroff',
    'false || logger x',
    'ping nas',
    'logger x && ping nas',
    'A=$(ping nas)',
    'A=$(ping nas; true)',
    '(ping nas; true)',
    'shift',
    'set -e',
    'set -u',
    'echo $A',
    'unset A',
    'set -- off',
    'set -n',
    'exec >>/dev/null 2>&1',
    'exec >"$B"',
    'exec poweroff',
    'P="shutdown -h now"',
    '$P',
    'return 0 2>/dev/null',
    'A=$((2+3))',
    'A=$((A+1))',
    'A=$(($1+1))',
    'sleep $((2*(A+1)))',
  ],
);
const condition = fc.constantFrom(
  '[ "$1" = off ]',
  '[ "$1" = on ]',
  '[ -f FLAG ]',
  '[ "$A" = off ]',
  '[ -n "$2" ]',
  '[ "$2" ]',
  '[ $# -lt 1 ]',
  'test "$NOTIFYTYPE" != ONBATT',
  '! [ -f FLAG ]',
  'true',
);
const shebang = fc.constantFrom(
  ...'sh|sh -e|sh -u|sh -n|dash -xe|bash -eu'
    .split('|')
    .map((one) => `/bin/${one}`)
    .filter((one) => existsSync(one.replace(/ .*/, ''))),
);
const { body } = fc.letrec<{ body: string; one: string }>((tie) => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc
      .tuple(condition, tie('body'), tie('body'))
      .map(([test, a, b]) => `if ${test}; then\n${a}\nelse\n${b}\nfi`),
    fc.tuple(condition, simple).map(([test, a]) => `${test} && { ${a}\n}`),
    fc.tuple(condition, simple).map(([test, a]) => `${test} || { ${a}\n}`),
    fc
      .tuple(fc.constantFrom('$1', '"$NOTIFYTYPE"', '$A', '${2:-off}'), tie('body'), tie('body'))
      .map(
        ([word, a, b]) => `case ${word} in\non|ONLINE)\n${a}\n;;\noff|ONB*)\n${b}\n;;\n*) logger z ;;\nesac`,
      ),
    tie('body').map((a) => `(\n${a}\n)`),
    tie('body').map((a) => `for i in 1 2; do\n${a}\ndone`),
    tie('body').map((a) => `for A in off "$1" $A; do\n${a}\ndone`),
  ),
  body: fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((all) => all.join('\n')),
}));

/** A folder with the programs, and how a script is judged and played there. */
function stage() {
  const folder = temporaryFolder();
  const [log, flag, script] = ['log', 'flag', 'script'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const name of noted) {
    const path = join(folder, name);
    const inner = name === 'sudo' ? 'shift; "$@"' : name === 'ping' ? 'exit 1' : '';
    writeFileSync(path, `#!/bin/sh\necho "${name} $*" >>${log}\n${inner}\n`);
    chmodSync(path, 0o755);
  }
  symlinkSync('/bin/cat', join(folder, 'cat'));
  symlinkSync('/bin/sh', join(folder, 'sh'));
  const played = (): { seconds: number | null } => {
    rmSync(log, { force: true });
    try {
      execFileSync(script, ['off'], {
        env: { PATH: folder, NOTIFYTYPE: 'ONBATT' },
        stdio: 'ignore',
        timeout: 10_000,
      });
    } catch {
      // Its exit code is its own.
    }
    return { seconds: existsSync(log) ? secondsOf(readFileSync(log, 'utf8').split('\n')) : null };
  };
  const scriptOf = (text: string, shell = '/bin/sh'): string =>
    `#!${shell}\ndown() {\nlogger d\npoweroff\n}\nstop() { exit 0; }\n${text.replaceAll('FLAG', flag)}\n`;
  const verdictOf = (whole: string) =>
    judge(whole, {
      args: ['off'],
      variables: new Map([['NOTIFYTYPE', 'ONBATT']]),
      shutdownCommand: [],
    });
  return { flag, script, played, scriptOf, verdictOf };
}

describe('what init says of a script', () => {
  it('is what the real sh does with it, whatever it cannot know', () => {
    const { flag, script, played, scriptOf, verdictOf } = stage();
    fc.assert(
      fc.property(body, shebang, (text, shell) => {
        const whole = scriptOf(text, shell);
        const verdict = verdictOf(whole);
        if (verdict.kind === 'unsure') return;
        writeFileSync(script, whole, { mode: 0o755 });
        for (const isThere of [true, false]) {
          if (isThere) writeFileSync(flag, '');
          else rmSync(flag, { force: true });
          expect(played().seconds, whole).to.equal(verdict.kind === 'down' ? verdict.seconds : null);
        }
      }),
      { numRuns: 400 },
    );
    // Of how many random scripts init is certain is chance: these have a seed.
    const scripts = fc.sample(body, { seed: 1, numRuns: 400 });
    const kinds = scripts.map((text) => verdictOf(scriptOf(text)).kind);
    for (const kind of ['down', 'no'])
      expect(
        kinds.filter((one) => one === kind),
        kind,
      ).to.have.length.above(15);
  });

  it('is what each shell does, also where it may end before its last line', () => {
    const { script, played, scriptOf, verdictOf } = stage();
    const ofBash = shells.filter((shell) => shell.endsWith('bash'));
    for (const [text, expected] of [...known, ...lists])
      for (const shell of known.some(([one]) => one === text) ? shells : ofBash) {
        const whole = scriptOf(text, shell);
        expect(verdictOf(whole).kind, whole).to.equal(expected);
        writeFileSync(script, whole, { mode: 0o755 });
        expect(played().seconds, whole).to.equal(expected === 'down' ? 0 : null);
      }
  });
});

/** Lists, which only bash has. */
const lists: readonly (readonly [string, 'down' | 'no' | 'unsure'])[] = [
  ['A=(a b); poweroff', 'down'],
  ['A=(\n a # off)\n "b c"\n); A+=(d); A[4]=x; poweroff', 'down'],
  ['A=($(poweroff)); logger x', 'down'],
  ['A=(x "$(poweroff)")', 'down'],
  ['A=(poweroff); logger x', 'no'],
  ['f() { local B=(on $(poweroff)); }; f', 'down'],
  ['declare -A B=([on]=1 [off]=2); B[on]+=3; poweroff', 'down'],
  ['A=(on); [ "$A" = off ] && poweroff', 'unsure'],
  ['A=off; A=(on); [ "$A" = off ] && poweroff', 'unsure'],
  ['A=off; A+=f; [ "$A" = off ] && poweroff', 'unsure'],
  ['A=off; f() { declare A=(on); [ "$A" = off ] && poweroff; }; f', 'unsure'],
  ['set -e; A=(false); poweroff', 'down'],
];

const shells = ['/bin/sh', '/bin/bash', '/bin/dash'].filter((one) => existsSync(one));

/** What init says, which is what each shell does; `unsure` where none of them shuts down. */
const known: readonly (readonly [string, 'down' | 'no' | 'unsure'])[] = [
  ['set -u; logger "$1"; poweroff', 'down'],
  ['set -u; A=$(logger x); echo $A; poweroff', 'down'],
  ['set -eu; [ "${1:-}" = off ] && poweroff', 'down'],
  ['set -eu; [ "${2:-}" = off ] && poweroff', 'no'],
  ['set -u; echo "$@" $# $? $$; poweroff', 'down'],
  ['set -u; f() { echo $1; }; f a; poweroff', 'down'],
  ['set -u; f() { echo $1; }; f; poweroff', 'unsure'],
  ['set -u; (echo $B); poweroff', 'down'],
  ['set -u; export B=; echo $B; poweroff', 'down'],
  ['set -u; for i in 1 $1; do echo $i; done; poweroff', 'down'],
  ['set -u; for i in $B; do echo $i; done; poweroff', 'unsure'],
  ['set -u; shift; echo $1; poweroff', 'unsure'],
  ['set -u; echo ${B#x}; poweroff', 'unsure'],
  ['set -u; case $B in x) ;; esac; poweroff', 'unsure'],
  ['set -u; case x in $B) ;; esac; poweroff', 'unsure'],
  ['set -u; B=x true; echo $B; poweroff', 'unsure'],
  ['set -u; B=x; unset B; echo $B; poweroff', 'unsure'],
  ['set -u; B=x; C=B; unset $C; echo $B; poweroff', 'unsure'],
  ['set -u; B=$(logger x); for i in 1 2; do echo $B; unset B; done; poweroff', 'unsure'],
  ['set -u; B=x; if [ -f FLAG ]; then unset B; else unset B; fi; echo $B; poweroff', 'unsure'],
  ['set -u; if [ -f FLAG ]; then B=x; fi; echo $B; poweroff', 'unsure'],
  ['[ -f FLAG ] || set -u; echo $B; poweroff', 'unsure'],
  ['set -e; (false); poweroff', 'unsure'],
  ['set -e; (false; true); poweroff', 'unsure'],
  ['set -e; true && false; poweroff', 'unsure'],
  ['set -e; false || false; poweroff', 'unsure'],
  ['set -e; A=$(false); poweroff', 'unsure'],
  ['set -e; $(false); poweroff', 'unsure'],
  ['set -e; true | [ "$1" = on ]; poweroff', 'unsure'],
  ['set -e; if f; then (false); fi; f() { false; }; f; poweroff', 'unsure'],
  ['set -e; f() { false; echo x; }; f && poweroff', 'down'],
  ['set -e; ! [ "$1" = on ]; ! true; poweroff', 'down'],
  ['set -e; if [ "$1" = on ]; then logger x; fi; [ "$1" = on ] && logger x; poweroff', 'down'],
  ['set -e; if true && [ "$1" = on ]; then logger x; fi; poweroff', 'down'],
  ['f() { local A=off; }; f; [ "$A" = off ] && poweroff', 'unsure'],
  ['f() { local A=$1; [ "$A" = on ] && poweroff; }; f on', 'down'],
  ['A=on; f() { A=off; g() { local A=on; }; g; }; f; [ "$A" = on ] && poweroff', 'unsure'],
  ['A=; case ${A-off} in off) poweroff ;; esac', 'unsure'],
  ['A=; : ${A:=off}; [ "$A" = off ] && poweroff', 'down'],
  ['echo ${1:?no argument!}; set -u; echo "${2:-} ${B-}"; poweroff', 'down'],
  ['echo ${2:?no argument!}; poweroff', 'unsure'],
  [': ${TIME?}; poweroff', 'unsure'],
  ['[ $# -ge 1 ] && [ $# -le 1 ] && [ $# -ne 2 ] && [ $# -lt 2 ] && poweroff', 'down'],
  ['[ $# -gt 1 ] && poweroff', 'no'],
  ['set -- /e*; [ "$1" = "/e*" ] && poweroff', 'unsure'],
  ['f() { [ "$1" = "/e*" ] && poweroff; }; f /e*', 'unsure'],
  ['set -- on "$1"; [ $# -eq 2 ] && [ "$2" = off ] && poweroff', 'down'],
  ['[ "$1" ] && [ ! "$2" ] && poweroff', 'down'],
  ['[ "$2" ] && poweroff', 'no'],
  ['for i in on "$1x"; do [ "$i" = off ] && poweroff; done', 'no'],
  ['for i in on off; do [ "$i" = of ] && poweroff; ping "$i"; done; [ "$i" = on ] && poweroff', 'unsure'],
  ['for i in /e*; do [ "$i" = "/e*" ] && poweroff; done', 'unsure'],
  ['A="a b"; for i in $A "$A"; do [ "$i" = "c" ] && poweroff; done', 'no'],
  [
    'for i in a b; do for j in c d; do [ "$i$j" = ad ] || logger x; [ "$i" = x ] && poweroff; done; done',
    'no',
  ],
  ['for i in; do poweroff; done; logger x', 'no'],
  ['set -u; for A in $A; do logger x; done; poweroff', 'unsure'],
  ['A=3; [ $((2 + A*(${A}-1) - $A)) -eq 5 ] && poweroff', 'down'],
  ['A=3; set -- 4; [ $((${1}2 - 1$A)) -eq 29 ] && poweroff', 'down'],
  ['echo $((1/0)); poweroff', 'unsure'],
  ['A=x+; echo $((A)); poweroff', 'unsure'],
];

/** From the begin of a script to the first shutdown that it asks for; null without any. */
function secondsOf(lines: readonly string[]): number | null {
  let [now, down]: [number, number | null] = [0, null];
  for (const line of lines) {
    const [name = '', ...words] = line.split(' ');
    const delay = words.includes('+2') ? 120 : 0;
    if (name === 'sleep')
      now += words.reduce((sum, one) => sum + parseInt(one, 10) * (one.endsWith('m') ? 60 : 1), 0);
    const isDown =
      name === 'poweroff' ||
      (name === 'shutdown' && words[0] !== '-c') ||
      (name === 'upsmon' && words[1] === 'fsd');
    if (isDown) down = Math.min(down ?? Infinity, now + delay);
  }
  return down;
}
