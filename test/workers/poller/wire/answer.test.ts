import { expect } from 'chai';
import fc from 'fast-check';
import type { Expected, KnownRow, ParsedAnswer } from '../../../../workers/poller/wire/answer.js';
import { AnswerReader } from '../../../../workers/poller/wire/answer.js';
import { quote } from '../../../../workers/poller/wire/wire.js';

const variables: Expected = { kind: 'list', of: 'VAR', query: ['ups'] };

/** The parsed answer; undefined while it is incomplete. */
function parse(
  lines: readonly string[],
  expected: Expected = variables,
  reader = new AnswerReader(expected),
): ParsedAnswer | undefined {
  for (const line of lines) {
    const answer = reader.line(Buffer.from(line));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

const list = (...rows: string[]): string[] => ['BEGIN LIST VAR ups', ...rows, 'END LIST VAR ups'];

/** upsd cuts a row longer than its buffer: 512 bytes, no line break, the next line follows directly. */
const cut = (row: string, next: string): string => `${row.slice(0, 512)}${next}`;

describe('the answer to a LIST request', () => {
  it('contains its rows, with any names and values', () => {
    const row = fc.tuple(
      fc.stringMatching(/^[a-z]{1,9}(\.[a-z0-9]{1,9}){0,3}$/),
      fc.string({ maxLength: 200 }),
    );
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const lines = rows.map(([name, value]) => `VAR ups ${name} ${quote(value)}`);
        expect(parse(list(...lines))).to.deep.equal({ kind: 'rows', rows, unread: null });
      }),
    );
  });

  it('is the same when lines are known from the answer before, and has the rows of unchanged ones again', () => {
    const row = fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.string({ maxLength: 20 }));
    fc.assert(
      fc.property(fc.array(fc.array(row)), (answers) => {
        let known: readonly KnownRow[] | undefined;
        let before: readonly (readonly string[])[] = [];
        for (const rows of answers) {
          const reader = new AnswerReader(variables, known);
          const lines = rows.map(([name, value]) => `VAR ups ${name} ${quote(value)}`);
          const answer = parse(list(...lines), variables, reader);
          expect(answer).to.deep.equal({ kind: 'rows', rows, unread: null });
          const reported = answer?.kind === 'rows' ? answer.rows : [];
          reported.forEach((row, place) => {
            if (before[place]?.join(' ') === row.join(' ')) expect(row).to.equal(before[place]);
          });
          before = reported;
          known = reader.knownRows;
        }
      }),
    );
  });

  it('ends with a whole END line only, not with a value that contains its text', () => {
    const rows = [`VAR ups a ${quote('END LIST VAR ups')}`, 'VAR ups b "1"'];
    expect(parse(list(...rows))).to.deep.include({
      rows: [
        ['a', 'END LIST VAR ups'],
        ['b', '1'],
      ],
    });
  });

  for (const [what, line] of [
    ['of another UPS', 'END LIST VAR other'],
    ['of another list', 'END LIST RW ups'],
  ]) {
    it(`is malformed with an END ${what ?? ''}`, () => {
      expect(parse(['BEGIN LIST VAR ups', line ?? ''])).to.have.property('kind', 'nonsense');
    });
  }

  for (const lines of [
    list('VAR ups a "1"').with(-1, 'END LIST VAR'),
    list('VAR ups a "1"').with(-1, 'END LIST'),
    list('VAR ups a "1"').with(-1, 'END LIST VAR ups 1'),
    list('VAR ups a "1"').with(0, 'BEGIN LIST VAR ups 1'),
    ['', ...list('VAR ups a "1"', '', ' ')],
  ])
    it(`is read as upsc reads it: ${lines.join(' | ')}`, () => {
      expect(parse(lines)).to.deep.equal({ kind: 'rows', rows: [['a', '1']], unread: null });
    });

  it('skips a value with line breaks, which upsd sends as they are', () => {
    const rows = ['VAR ups device.location "Room 1', 'Rack 2', '', 'VAR of it"', 'VAR ups ups.status "OL"'];
    expect(parse(list(...rows))).to.deep.equal({
      kind: 'rows',
      rows: [['ups.status', 'OL']],
      unread: { count: 1, first: JSON.stringify(rows[0]) },
    });
    expect(parse(list('VAR ups a "1"', 'Rack 2'))).to.have.property('kind', 'nonsense');
  });

  it('contains a value with more words after its quotes', () => {
    expect(parse(list('VAR ups battery.charge "88" percent'))).to.deep.equal({
      kind: 'rows',
      rows: [['battery.charge', '88']],
      unread: null,
    });
  });

  it('is malformed without a BEGIN', () => {
    expect(parse(['VAR ups a "1"'])).to.have.property('kind', 'nonsense');
  });

  it('is an error when the server ends it with one', () => {
    expect(parse(['BEGIN LIST VAR ups', 'ERR DATA-STALE'])).to.have.property('token', 'DATA-STALE');
  });

  it('skips an unreadable row and keeps the others', () => {
    const answer = parse(list('VAR ups a "one "two" three"', 'VAR ups b "2"', 'VAR ups c'));
    const unread = { count: 2, first: JSON.stringify('VAR ups a "one "two" three"') };
    expect(answer).to.deep.equal({ kind: 'rows', rows: [['b', '2']], unread });
    // With the name in quotes, too.
    expect(parse(list('VAR "ups" a "one "two"'))).to.have.nested.property('unread.count', 1);
  });

  it('contains a value of several words without quotes, as some servers send it', () => {
    expect(parse(list('VAR ups ups.status OL CHRG', 'VAR ups battery.charge 88'))).to.deep.equal({
      kind: 'rows',
      rows: [
        ['ups.status', 'OL CHRG'],
        ['battery.charge', '88'],
      ],
      unread: null,
    });
    for (const row of ['VAR ups a b "c d', `VAR ups a b ${'x'.repeat(600)}`])
      expect(parse(list(row)), row).to.not.have.nested.property('rows[0]');
  });

  it('continues after a row that the server cut at 512 bytes', () => {
    const long = `VAR ups a "${'x'.repeat(600)}"`;
    const answer = parse(['BEGIN LIST VAR ups', cut(long, 'VAR ups ups.status "OL"'), 'END LIST VAR ups']);
    expect(answer).to.deep.equal({ kind: 'rows', rows: [['ups.status', 'OL']], unread: null });
  });

  it('finds its end after one cut row, and after several', () => {
    const long = `VAR ups a "${'x'.repeat(600)}"`;
    const glued = cut(long, cut(long, 'END LIST VAR ups'));
    expect(parse(['BEGIN LIST VAR ups', glued])).to.deep.equal({ kind: 'rows', rows: [], unread: null });
  });

  it('keeps a row that lost only its newline to the cut', () => {
    const full = `VAR ups a "${'x'.repeat(512 - 'VAR ups a ""'.length)}"`;
    const answer = parse(list(cut(full, 'VAR ups b "1"')));
    expect(answer?.kind === 'rows' && answer.rows.map(([name]) => name)).to.deep.equal(['a', 'b']);
  });

  it('is malformed beyond 5000 rows', () => {
    const rows = Array.from({ length: 5001 }, (_, i) => `VAR ups v${String(i)} "1"`);
    expect(parse(list(...rows.slice(1)))).to.have.property('kind', 'rows');
    expect(parse(list(...rows))).to.have.property('kind', 'nonsense');
  });

  it('is malformed beyond a megabyte, even of unreadable rows', () => {
    const rows = Array.from({ length: 3000 }, () => `VAR ups a ${'x'.repeat(400)} y`);
    expect(parse(list(...rows))).to.have.property('kind', 'nonsense');
  });

  it('accepts the name of the UPS in any case, as upsd does', () => {
    expect(parse(['BEGIN LIST VAR UPS', 'VAR UPS a "1"', 'END LIST VAR UPS'])).to.have.property(
      'kind',
      'rows',
    );
  });
});

describe('an ERR answer', () => {
  it('is recognised by its first token', () => {
    expect(parse(['ERR ACCESS-DENIED by the administrator'])).to.deep.equal({
      kind: 'error',
      token: 'ACCESS-DENIED',
      text: 'ERR ACCESS-DENIED by the administrator',
    });
  });

  it('has an empty token after a bare ERR', () => {
    expect(parse(['ERR'], { kind: 'line' })).to.have.property('token', '');
  });
});
