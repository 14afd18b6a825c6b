import { expect } from 'chai';
import { splitCommand } from '../../../supervisor/config/schema/command.js';
import { configurationFrom, office, problemsOf } from './loading.js';

const commandOf = (toml: string) =>
  configurationFrom(`${office}[local_shutdown]\ncommand = ${toml}`).localShutdown.command;
const faultOf = (toml: string) => problemsOf(`${office}[local_shutdown]\ncommand = ${toml}`)[0]?.message;

describe('a command for this machine', () => {
  for (const [text, words] of [
    ['shutdown -h now', ['shutdown', '-h', 'now']],
    ['  a\t b  ', ['a', 'b']],
    ['a "b c" \'d e\'', ['a', 'b c', 'd e']],
    [`a 'x; y | $z \`w\`'`, ['a', 'x; y | $z `w`']],
    ['a "x; y | z"', ['a', 'x; y | z']],
    ['a "" b', ['a', '', 'b']],
    ['a b"c d"e', ['a', 'bc de']],
    ['a b\\ c \\; "\\$x \\"q\\" \\n"', ['a', 'b c', ';', '$x "q" \\n']],
    ['a b#c d~e', ['a', 'b#c', 'd~e']],
    ['a --x=y', ['a', '--x=y']],
  ] as const) {
    it(`splits ${JSON.stringify(text)} into ${String(words.length)} words`, () => {
      expect(splitCommand(text)).to.deep.equal({ ok: true, words });
    });
  }

  for (const text of [
    'a; b',
    'a && b',
    'a | b',
    'a > /dev/null',
    'a < b',
    'a $HOME',
    'a "$HOME"',
    'a `b`',
    'a "`b`"',
    'a $(b)',
    'a *.txt',
    'a file?',
    'a [x]',
    'a {b,c}',
    'a ~/x',
    'a # comment',
    '! a',
    'a & ',
    '(a)',
  ]) {
    it(`refuses the shell text ${text}`, () => {
      const split = splitCommand(text);
      expect(split.ok ? '' : split.fault).to.match(/^holds the shell character ./);
    });
  }

  for (const text of [`a "b`, `a 'b`, 'a b\\']) {
    it(`refuses the unfinished ${text}`, () => {
      expect(splitCommand(text).ok).to.equal(false);
    });
  }

  it('may be a list of words, passed on unchanged', () => {
    expect(commandOf('["/sbin/poweroff", "a; b", "$x", ""]')).to.deep.equal([
      '/sbin/poweroff',
      'a; b',
      '$x',
      '',
    ]);
  });

  it('is not empty, except for the fallback', () => {
    expect(faultOf('""')).to.equal('expected a command, found none');
    expect(faultOf('[]')).to.equal('expected a command, found none');
    expect(faultOf('[""]')).to.equal('expected a command, found none');
    const text = `${office}[local_shutdown]\nfallback_command = `;
    expect(configurationFrom(`${text}""`).localShutdown.fallbackCommand).to.equal(null);
    expect(configurationFrom(`${text}"halt -f"`).localShutdown.fallbackCommand).to.deep.equal(['halt', '-f']);
  });

  it('is an absolute path or a name in PATH, never a relative path', () => {
    expect(faultOf('"./poweroff.sh"')).to.match(/^the program must be an absolute path/);
  });

  it('contains only text without line breaks and NUL', () => {
    expect(faultOf('"a\\u0000b"')).to.equal('the command holds a line break or a control character');
    expect(faultOf('["a", "b\\nc"]')).to.match(/control character/);
    expect(faultOf('["a", 1]')).to.match(/must be text or a list of words/);
    expect(faultOf('5')).to.match(/must be text or a list of words/);
  });
});
