import { expect } from 'chai';
import { numberOf } from '../../../../shared/domain/ups/quantity.js';

describe('a number', () => {
  for (const [text, value] of [
    ['42', 42],
    [' 42.50 ', 42.5],
    ['+3', 3],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e2', 100],
    ['007', 7],
  ] as const) {
    it(`is read from ${JSON.stringify(text)}`, () => {
      expect(numberOf(text)).to.equal(value);
    });
  }

  for (const text of [
    '',
    ' ',
    '.',
    '0x10',
    '1e999',
    '1e1000',
    '12,5',
    '230 V',
    'NaN',
    'Infinity',
    '--1',
    '1 2',
    '9'.repeat(33),
  ]) {
    it(`is not read from ${JSON.stringify(text)}`, () => {
      expect(numberOf(text)).to.equal(null);
    });
  }
});
