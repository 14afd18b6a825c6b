import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { commandText, quoteWord, shellWord } from '../../../../shared/domain/commands/shell-words.js';

const words = ['plain', '', 'a b', "it's", '$HOME `id` "x" \\', '*', '!', '~', '#', '{a,b}', 'a\nb', '-n'];

describe('a word for a shell', () => {
  for (const [name, quote] of [
    ['quoted', quoteWord],
    ['quoted where it needs quotes', shellWord],
  ] as const)
    it(`${name} reaches the command unchanged`, () => {
      const out = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(quote).join(' ')}`], {
        encoding: 'utf8',
      });
      expect(out.split('\0').slice(0, -1)).to.deep.equal(words);
    });

  it('has no quotes when it needs none', () => {
    expect(shellWord('/usr/bin/x-1.0,a=b:c@d%+_')).to.equal('/usr/bin/x-1.0,a=b:c@d%+_');
    expect(shellWord('a b')).to.equal("'a b'");
  });
});

describe('a command as text', () => {
  it('has double quotes when it needs quotes', () =>
    expect(commandText(['wall', 'power "fails" for $5'])).to.equal('wall "power \\"fails\\" for \\$5"'));
});
