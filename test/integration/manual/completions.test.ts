// The completions as the build writes them, loaded by the real shells.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { catalogue } from '../../../scripts/commands/catalogue.js';
import type { Place } from '../../../scripts/manual/completions/tree.js';
import { commandTree, spellings } from '../../../scripts/manual/completions/tree.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const folder = resolve('dist/completions');
const tree = commandTree(catalogue);
const lineOf = ({ path }: Place, last: string): string => ['ridethrough', ...path, last].join(' ');
const long = ({ options }: Place): readonly string[] => options.map(({ name }) => name);
const quoted = (text: string): string => `'${text}'`;

/** A shell: for each line with its last word unfinished, what it offers there. */
type Offers = (lines: readonly string[]) => ReadonlyMap<string, readonly string[]>;

function run(shell: string, args: readonly string[], script: string): string {
  const file = join(temporaryFolder(), 'script');
  writeFileSync(file, script);
  const { status, stdout, stderr } = spawnSync(shell, [...args, file], { encoding: 'utf8', timeout: 60_000 });
  expect({ status, stderr }, stdout).to.deep.equal({ status: 0, stderr: '' });
  return stdout;
}

/** Lines `LINE|WORD WORD`; one line may come in several. */
function parsed(text: string): ReadonlyMap<string, readonly string[]> {
  const offers = new Map<string, readonly string[]>();
  for (const [line = '', words = ''] of text.split('\n').map((one) => one.split('|')))
    offers.set(line, [...(offers.get(line) ?? []), ...words.split(' ').filter((word) => word !== '')]);
  return offers;
}

const bash: Offers = (lines) => {
  const calls = lines.map((line) => `offers ${line.split(' ').map(quoted).join(' ')}`);
  const script = `source ${folder}/ridethrough.bash
complete -p ridethrough >/dev/null || exit 1
compopt() { :; }
offers() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _ridethrough
  printf '%s|%s\\n' "$*" "\${COMPREPLY[*]}"
}
`;
  return parsed(run('bash', ['--norc'], script + calls.join('\n')));
};

const fish: Offers = (lines) => {
  const script = `source ${folder}/ridethrough.fish
for line in ${lines.map(quoted).join(' ')}
    echo "$line|"(complete -C $line | string replace -r '\\t.*' '' | string join ' ')
end
`;
  return parsed(run('fish', ['--no-config'], script));
};

/** zsh completes in its line editor only: a terminal of its own, whose compadd also writes down what it gets. */
const zsh: Offers = (lines) => {
  const directory = temporaryFolder();
  const file = join(directory, 'offers');
  writeFileSync(
    join(directory, '.zshrc'),
    `PS1= RPS1= TMPPREFIX=${directory}/zsh
unsetopt auto_list list_beep beep
fpath=(${folder} $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
  if [[ " $* " != *" -"[OAD]" "* ]]; then
    local -a found
    builtin compadd -O found "$@"
    print -r -- "$line_here|$found" >>${file}
  fi
  builtin compadd "$@"
}
offers() {
  for line_here in ${lines.map(quoted).join(' ')}; do
    BUFFER=$line_here CURSOR=$#line_here
    zle complete-word
  done
  BUFFER=
}
zle -N offers && bindkey '^I' offers
: >${file}
`,
  );
  const script = `zmodload zsh/zpty
zpty inner env ZDOTDIR=${directory} TERM=dumb zsh -d -i
zpty -w -n inner $'\\t'
zpty -w inner exit
while zpty -r inner chunk; do :; done
`;
  run('zsh', ['-f'], script);
  return parsed(readFileSync(file, 'utf8'));
};

describe('the completions', () => {
  for (const [name, offers] of Object.entries({ bash, zsh, fish })) {
    it(`offer every command and every word below it in ${name}`, () => {
      const places = tree.filter(({ words }) => words.length > 0);
      const found = offers(places.map((place) => lineOf(place, '')));
      for (const place of places)
        expect(found.get(lineOf(place, '')), place.path.join(' ')).to.include.members(
          place.words.map(({ word }) => word),
        );
    });

    it(`offer every option of every command in ${name}, and no other`, () => {
      const found = offers(tree.map((place) => lineOf(place, '--')));
      for (const place of tree)
        expect(new Set(found.get(lineOf(place, '--')) ?? []), place.path.join(' ')).to.deep.equal(
          new Set(long(place)),
        );
    });

    it(`offer the values of an option, and files where one is expected, in ${name}`, () => {
      const lines = [
        'ridethrough report --period ',
        'ridethrough run --config package',
        'ridethrough wait --ups ',
      ];
      const found = offers(lines);
      expect(found.get(lines[0] ?? '')).to.have.members(['day', 'month', 'week']);
      expect(found.get(lines[1] ?? '')).to.include.members(['package.json', 'package-lock.json']);
      expect(found.get(lines[2] ?? '') ?? []).to.deep.equal([]);
    });
  }

  it('offer short options', () => {
    const events = tree.find(({ path }) => path.join(' ') === 'events');
    expect(events?.options.flatMap(spellings)).to.include.members(['-f', '-h']);
    expect(bash(['ridethrough events -']).get('ridethrough events -')).to.include.members(['-f', '-h']);
  });
});
