import { expect } from 'chai';
import fc from 'fast-check';
import { Reading } from '../../shared/domain/ups/reading.js';
import type { Expected, ParsedAnswer } from '../../workers/poller/wire/answer.js';
import { AnswerReader } from '../../workers/poller/wire/answer.js';
import { readingOf } from '../../workers/poller/reading/reading.js';
import {
  commandsOf,
  outputText,
  toolFailure,
  variableRows,
  writableOf,
} from '../../workers/poller/session/tool-output.js';
import {
  LineBuffer,
  maxLineLength,
  quote,
  requestLine,
  textOf,
  wordsOf,
} from '../../workers/poller/wire/wire.js';
import { tried } from './runs.js';

const listed: Expected = { kind: 'list', of: 'VAR', query: ['office'] };
const anyLine = fc.oneof(
  fc.string({ maxLength: 600 }),
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.constantFrom(
    'BEGIN LIST VAR office',
    'END LIST VAR office',
    'VAR office ups.status "OB LB"',
    'VAR office __proto__ "x"',
    'VAR office constructor "x"',
    'VAR office battery.charge "1e99"',
    'VAR office battery.charge "-0"',
    'VAR office battery.charge "nan"',
    'VAR office device.serial "cut',
    `VAR office x "${'y'.repeat(700)}"`,
    'ERR ACCESS-DENIED',
    'ERR',
    'OK TRACKING',
    '"',
    '\\',
    '\r',
  ),
);
const anyBytes = fc.oneof(
  fc.array(anyLine, { maxLength: 12 }).map((lines) => Buffer.from(`${lines.join('\n')}\n`)),
  fc.uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)),
);

/** What a connection parses from bytes that arrive in these pieces. */
function heard(pieces: readonly Buffer[], expected: Expected): readonly (ParsedAnswer | 'too long')[] {
  const buffer = new LineBuffer();
  const all: (ParsedAnswer | 'too long')[] = [];
  let reader = new AnswerReader(expected);
  for (const piece of pieces) {
    const usable = buffer.push(piece, (bytes, start, end) => {
      const answer = reader.line(bytes, start, end);
      if (answer === undefined) return;
      all.push(answer);
      reader = new AnswerReader(expected);
    });
    expect(buffer.pending).to.be.at.most(maxLineLength);
    if (!usable) return [...all, 'too long'];
  }
  return all;
}

function pieces(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

describe('an answer of a NUT server', () => {
  it('has the same meaning in any fragmentation, with at most one line buffered', () => {
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), (bytes, cuts, one) => {
        const expected: Expected = one ? { kind: 'line' } : listed;
        expect(heard(pieces(bytes, cuts), expected)).to.deep.equal(heard([bytes], expected));
      }),
      tried(400),
    );
  });

  it('becomes a reading within the limits, whatever the variables hold', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'ups.status',
        'battery.charge',
        'battery.runtime',
        'input.voltage',
        'ups.load',
        '__proto__',
      ),
      fc.string({ maxLength: 40 }),
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.double().map(String),
      fc.constantFrom('OB LB', 'OL CHRG', '1e99', '-1e-99', '0x10', ' 5', '5,5', '٣'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 20 }), (rows) => {
        const reading = readingOf(Object.fromEntries(rows));
        expect(Reading.is(reading)).to.equal(true);
        expect(Reading.is(JSON.parse(JSON.stringify(reading)))).to.equal(true);
      }),
      tried(400),
    );
  });

  it('is requested with single quoted words, or not at all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { minLength: 1, maxLength: 4 }),
        (words) => {
          const line = requestLine('SET VAR', ...words);
          if (line === undefined) return;
          expect(line).not.to.match(/[\r\n]/);
          expect(wordsOf(words.map(quote).join(' '))).to.deep.equal(words);
        },
      ),
      tried(400),
    );
  });

  it('is parsed without an exception from the output of the tools', () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (stdout, stderr) => {
        const run = { stdout, stderr };
        toolFailure(run);
        outputText(run);
        commandsOf(stdout);
        writableOf(stdout);
        for (const row of variableRows(stdout)) expect(row).to.have.length(2);
        expect(textOf(stdout)).to.be.a('string');
      }),
      tried(400),
    );
  });
});
