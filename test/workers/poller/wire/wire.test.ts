import { expect } from 'chai';
import fc from 'fast-check';
import {
  LineBuffer,
  maxLineLength,
  quote,
  requestLine,
  textOf,
  wordsOf,
  quoteIfNeeded,
} from '../../../../workers/poller/wire/wire.js';

/** The lines of a stream that arrives in pieces of the given sizes. */
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
    fits = buffer.push(bytes.subarray(from, to), (bytes, start, end) =>
      lines.push(textOf(bytes.subarray(start, end))),
    );
    from = to;
  }
  return { lines, fits, pending: buffer.pending };
}

describe('a NUT request line', () => {
  it('quotes a name or value only where it needs it, and escapes quote, backslash and hash', () => {
    expect(requestLine('SET VAR', 'ups', 'ups.id', 'a "b" \\ #1')).to.equal(
      'SET VAR ups ups.id "a \\"b\\" \\\\ \\#1"',
    );
    // upsd splits a line at "=", and would lose an empty word.
    for (const word of ['a=b', '', 'ü', 'a b', "it's", '[x]'])
      expect(quoteIfNeeded(word)).to.equal(`"${word}"`);
    for (const word of ['ups', 'ups-1.nas_2', '120', '-5', 'ups@h:3493'])
      expect(quoteIfNeeded(word)).to.equal(word);
  });

  it('rejects a word with a newline or another control character', () => {
    for (const word of ['a\nLOGOUT', 'a\r', '\0', 'a\tb', '\x7f'])
      expect(requestLine('LIST VAR', word)).to.equal(undefined);
  });

  it('rejects a word longer than the 512 bytes a server reads, counted in UTF-8', () => {
    expect(requestLine('LIST VAR', 'x'.repeat(512))).to.be.a('string');
    expect(requestLine('LIST VAR', 'x'.repeat(513))).to.equal(undefined);
    expect(requestLine('LIST VAR', 'ä'.repeat(257))).to.equal(undefined);
  });

  it('contains no newline for any input', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        const line = requestLine('LIST VAR', ...words);
        return line === undefined || !/[\r\n\0]/.test(line);
      }),
    );
  });
});

describe('the words of a NUT line', () => {
  it('survive quoting and parsing', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
        expect(wordsOf(words.map(quote).join(' '))).to.deep.equal(words);
      }),
    );
  });

  it('unescape any character, inside quotes and outside', () => {
    expect(wordsOf('VAR u\\ps a "\\q\\"\\\\\\#"')).to.deep.equal(['VAR', 'ups', 'a', 'q"\\#']);
  });

  it('distinguish an empty value from a missing one', () => {
    expect(wordsOf('VAR ups a ""')).to.deep.equal(['VAR', 'ups', 'a', '']);
    expect(wordsOf('VAR ups a')).to.deep.equal(['VAR', 'ups', 'a']);
  });

  it('are rejected when a quote does not close or text follows it directly', () => {
    for (const line of ['VAR ups a "cut', 'VAR ups a "cut\\"', '"a"b', 'VAR ups a "1"VAR ups b "2"'])
      expect(wordsOf(line), line).to.equal(undefined);
  });

  it('are parsed from any text without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (line) =>
        Array.isArray(wordsOf(line) ?? []),
      ),
    );
  });
});

describe('the line buffer', () => {
  it('returns the same lines for any fragmentation', () => {
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

  it('drops a carriage return before the newline', () => {
    expect(linesOf(Buffer.from('OK\r\n\r\n'), [1]).lines).to.deep.equal(['OK', '']);
  });

  it('drops every carriage return around a line, which upsc takes for white space', () => {
    for (const sizes of [[1], [3], [99]]) {
      expect(linesOf(Buffer.from('OK\n\rVAR a\n\r'), sizes)).to.include({ fits: true, pending: 1 });
      expect(linesOf(Buffer.from('OK\n\rVAR a\n\r'), sizes).lines).to.deep.equal(['OK', 'VAR a']);
      expect(linesOf(Buffer.from('OK\r\r\n\r\n'), sizes).lines).to.deep.equal(['OK', '']);
    }
  });

  it('rejects a line longer than the limit, in one piece or byte by byte', () => {
    const endless = Buffer.alloc(maxLineLength + 1, 'x');
    expect(linesOf(endless, [endless.length]).fits).to.equal(false);
    expect(linesOf(endless, [1]).fits).to.equal(false);
    expect(linesOf(endless.subarray(1), [7])).to.include({ fits: true, pending: maxLineLength });
  });

  it('decodes UTF-8, and Latin-1 otherwise', () => {
    expect(textOf(Buffer.from('exporté'))).to.equal('exporté');
    expect(textOf(Buffer.from('exporté', 'latin1'))).to.equal('exporté');
  });
});
