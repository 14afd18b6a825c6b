import { expect } from 'chai';
import fc from 'fast-check';
import {
  LineBuffer,
  maxLineLength,
  quote,
  requestLine,
  textOf,
  wordsOf,
} from '../../../workers/poller/wire.js';

/** Lines of a stream that arrives in pieces of the given sizes. */
function linesOf(
  bytes: Buffer,
  sizes: readonly number[],
): { lines: string[]; fits: boolean; pending: number } {
  const buffer = new LineBuffer();
  const lines: string[] = [];
  let fits = true;
  let from = 0;
  for (let i = 0; from < bytes.length && fits; i += 1) {
    const to = from + Math.max(1, sizes[i % Math.max(1, sizes.length)] ?? 1);
    fits = buffer.push(bytes.subarray(from, to), (line) => lines.push(textOf(line)));
    from = to;
  }
  return { lines, fits, pending: buffer.pending };
}

describe('a request line', () => {
  it('quotes every name and value and escapes quote, backslash and hash', () => {
    expect(requestLine('SET VAR', 'ups', 'ups.id', 'a "b" \\ #1')).to.equal(
      'SET VAR "ups" "ups.id" "a \\"b\\" \\\\ \\#1"',
    );
  });

  it('is not made of a word with a line break or another control character', () => {
    for (const word of ['a\nLOGOUT', 'a\r', '\0', 'a\tb', '\x7f'])
      expect(requestLine('LIST VAR', word)).to.equal(undefined);
  });

  it('is not made of a word longer than the 512 bytes a server reads, counted in UTF-8', () => {
    expect(requestLine('LIST VAR', 'x'.repeat(512))).to.be.a('string');
    expect(requestLine('LIST VAR', 'x'.repeat(513))).to.equal(undefined);
    expect(requestLine('LIST VAR', 'ä'.repeat(257))).to.equal(undefined);
  });

  it('never holds a line break, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        const line = requestLine('LIST VAR', ...words);
        return line === undefined || !/[\r\n\0]/.test(line);
      }),
    );
  });
});

describe('the words of a line', () => {
  it('are what was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
        expect(wordsOf(words.map(quote).join(' '))).to.deep.equal(words);
      }),
    );
  });

  it('undo an escape of any character, inside quotes and outside', () => {
    expect(wordsOf('VAR u\\ps a "\\q\\"\\\\\\#"')).to.deep.equal(['VAR', 'ups', 'a', 'q"\\#']);
  });

  it('keep an empty value apart from a missing one', () => {
    expect(wordsOf('VAR ups a ""')).to.deep.equal(['VAR', 'ups', 'a', '']);
    expect(wordsOf('VAR ups a')).to.deep.equal(['VAR', 'ups', 'a']);
  });

  it('are not read from a line whose quote does not close or has text glued to it', () => {
    for (const line of ['VAR ups a "cut', 'VAR ups a "cut\\"', '"a"b', 'VAR ups a "1"VAR ups b "2"'])
      expect(wordsOf(line), line).to.equal(undefined);
  });

  it('are found in any text at all without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (line) =>
        Array.isArray(wordsOf(line) ?? []),
      ),
    );
  });
});

describe('the line buffer', () => {
  it('gives the same lines however the bytes are cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 60 }).map((line) => line.replace(/[\r\n]/g, ''))),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (lines, sizes) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          expect(linesOf(bytes, sizes)).to.deep.equal({ lines, fits: true, pending: 0 });
        },
      ),
    );
  });

  it('takes a carriage return before the line break for part of it', () => {
    expect(linesOf(Buffer.from('OK\r\n\r\n'), [1]).lines).to.deep.equal(['OK', '']);
  });

  it('refuses a line longer than any may be, in one piece or byte by byte', () => {
    const endless = Buffer.alloc(maxLineLength + 1, 'x');
    expect(linesOf(endless, [endless.length]).fits).to.equal(false);
    expect(linesOf(endless, [1]).fits).to.equal(false);
    expect(linesOf(endless.subarray(1), [7])).to.include({ fits: true, pending: maxLineLength });
  });

  it('reads UTF-8 where it is and Latin-1 where it is not', () => {
    expect(textOf(Buffer.from('exporté'))).to.equal('exporté');
    expect(textOf(Buffer.from('exporté', 'latin1'))).to.equal('exporté');
  });
});
