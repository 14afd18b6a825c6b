import { expect } from 'chai';
import fc from 'fast-check';
import { Variables } from '../../../../shared/domain/ups/reading.js';
import { maxFrameBytes } from '../../../../shared/runtime/pipe-port.js';
import { readingOf } from '../../../../workers/poller/reading/reading.js';
import type { ReadRows } from '../../../../workers/poller/wire/transport.js';
import { variablesAfter, variablesOf } from '../../../../workers/poller/wire/transport.js';

describe('the variables of a poll', () => {
  it('are kept verbatim, the last of two with one name', () => {
    const rows = [
      ['ups.mfr', ' Acme "x" \t'],
      ['ups.id', 'a'],
      ['ups.id', 'b'],
    ];
    expect(variablesOf(rows)).to.deep.equal({ 'ups.mfr': ' Acme "x" \t', 'ups.id': 'b' });
  });

  it('omit what does not fit the link: long names and values, control characters, __proto__', () => {
    const rows = [
      ['', 'x'],
      ['__proto__', 'x'],
      ['n'.repeat(257), 'x'],
      ['long', 'v'.repeat(1025)],
      ['bell', '\x07'],
      ['n'.repeat(256), 'v'.repeat(1024)],
    ];
    const variables = variablesOf(rows);
    expect(Object.keys(variables)).to.deep.equal(['n'.repeat(256)]);
    expect(Variables.is(variables)).to.equal(true);
  });

  it('fit a frame of the link, even from a megabyte of answer', () => {
    for (const worst of ['"', '\\', '\x01', 'ÿ']) {
      const rows = Array.from({ length: 1000 }, (_, i) => [`v${String(i)}`, worst.repeat(1000)]);
      const variables = variablesOf(rows);
      const frame = JSON.stringify({ variables, reading: readingOf(variables) });
      expect(Buffer.byteLength(frame)).to.be.below(maxFrameBytes);
    }
  });

  it('are the same when rows of the answer before are not looked at again', () => {
    const row = fc.tuple(fc.constantFrom('a', 'b', 'c', '', '__proto__'), fc.constantFrom('1', '2', '\n'));
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 5 })), (answers) => {
        let last: ReadRows = { rows: [], variables: {} };
        for (const answer of answers) {
          const rows = answer.map((one, place) =>
            last.rows[place]?.join(' ') === one.join(' ') ? (last.rows[place] ?? one) : one,
          );
          last = { rows, variables: variablesAfter(last, rows) };
          expect(last.variables).to.deep.equal(variablesOf(rows));
        }
      }),
    );
  });
});
