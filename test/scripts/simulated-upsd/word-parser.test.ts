import { expect } from 'chai';
import { WordParser } from '../../../scripts/simulated-upsd/word-parser.js';
import { quote } from '../../../workers/poller/wire/wire.js';

/** The parsed lines of a text; a malformed line as its name. */
function read(text: string): (readonly string[] | 'malformed')[] {
  const reader = new WordParser();
  const lines: (readonly string[] | 'malformed')[] = [];
  for (const byte of Buffer.from(text, 'latin1')) {
    const progress = reader.push(byte);
    if (progress === 'line') lines.push([...reader.words]);
    if (progress === 'malformed') lines.push('malformed');
  }
  return lines;
}

describe('a line of the NUT protocol', () => {
  const table: readonly [string, string, readonly (readonly string[] | 'malformed')[]][] = [
    ['is split at white space', 'GET  VAR\tups  ups.status \n', [['GET', 'VAR', 'ups', 'ups.status']]],
    ['may end in CR LF', 'VER\r\n', [['VER']]],
    ['may be empty', '\n', [[]]],
    ['keeps quoted words together', 'SET "a b" ""\n', [['SET', 'a b', '']]],
    ['un-escapes inside and outside of quotes', 'a\\ b "c\\"d\\\\e\\#f"\n', [['a b', 'c"d\\e#f']]],
    ['ends at a comment', 'VER # all of it\n', [['VER']]],
    ['has = as a separate word', 'a=b =c\n', [['a', '=', 'b', '=', 'c']]],
    ['is malformed with an unescaped # in quotes', 'SET "a#b"\nVER\n', ['malformed', ['b"'], ['VER']]],
    ['continues after an escaped line break', 'VE\\\nR\n', [['VER']]],
    ['drops a line break inside quotes', '"a\nb"\n', [['ab']]],
    ['drops bytes outside of ASCII', 'a\u00e9b\x01c\n', [['abc']]],
    ['keeps a quote inside a word', 'ab"c\n', [['ab"c']]],
    ['truncates a word after 512 characters', `${'x'.repeat(600)}\n`, [['x'.repeat(512)]]],
    ['drops words after the 32nd', `${'x '.repeat(40)}\n`, [Array.from({ length: 32 }, () => 'x')]],
  ];
  for (const [does, text, expected] of table) it(does, () => expect(read(text)).to.deep.equal(expected));

  it('restores an escaped text', () => {
    const value = 'say "no" to \\ and #';
    expect(read(`${quote(value)}\n`)).to.deep.equal([[value]]);
  });
});
