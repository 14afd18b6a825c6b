import { expect } from 'chai';
import { powerSource, statusWords, hasNoData } from '../../../../shared/domain/ups/status-words.js';

describe('ups.status', () => {
  for (const [status, words, source, nothing] of [
    ['OL', ['OL'], 'line', false],
    ['OL CHRG', ['OL', 'CHRG'], 'line', false],
    ['OB DISCHRG', ['OB', 'DISCHRG'], 'battery', false],
    ['OB LB', ['OB', 'LB'], 'battery', false],
    ['OL OB', ['OL', 'OB'], 'battery', false],
    ['FSD OB LB', ['FSD', 'OB', 'LB'], 'battery', false],
    ['  OL \t CHRG\n', ['OL', 'CHRG'], 'line', false],
    ['OL OL', ['OL'], 'line', false],
    ['OB OFF OB', ['OB', 'OFF'], 'battery', false],
    ['OB BYPASS', ['OB', 'BYPASS'], 'battery', false],
    ['OB BOOST', ['OB', 'BOOST'], 'battery', false],
    ['OFF', ['OFF'], 'off', false],
    ['OFF CHRG', ['OFF', 'CHRG'], 'off', false],
    ['OL OFF', ['OL', 'OFF'], 'line', false],
    ['BYPASS', ['BYPASS'], 'bypass', false],
    ['OFF BYPASS', ['OFF', 'BYPASS'], 'bypass', false],
    ['OL BYPASS', ['OL', 'BYPASS'], 'line', false],
    ['TRIM BYPASS', ['TRIM', 'BYPASS'], 'line', false],
    ['ALARM', ['ALARM'], 'neither', false],
    ['DISCHRG LB', ['DISCHRG', 'LB'], 'neither', false],
    ['ALARM NEWWORD OL', ['ALARM', 'NEWWORD', 'OL'], 'line', false],
    ['OLX', ['OLX'], 'neither', false],
    ['ol', ['OL'], 'line', false],
    ['ob Dischrg lb', ['OB', 'DISCHRG', 'LB'], 'battery', false],
    ['ob OB', ['OB'], 'battery', false],
    // As WinNUT takes it.
    ['OB,DISCHRG,LB', ['OB', 'DISCHRG', 'LB'], 'battery', false],
    ['OL, CHRG', ['OL', 'CHRG'], 'line', false],
    ['OB|LB', ['OB', 'LB'], 'battery', false],
    ['OB+DISCHRG;', ['OB', 'DISCHRG'], 'battery', false],
    ['online', ['online'], 'neither', false],
    ['wait', ['WAIT'], 'neither', true],
    ['BOOST', ['BOOST'], 'line', false],
    ['TRIM CHRG', ['TRIM', 'CHRG'], 'line', false],
    ['WAIT', ['WAIT'], 'neither', true],
    ['OL WAIT', ['OL', 'WAIT'], 'line', true],
    ['', [], 'neither', true],
    ['  ', [], 'neither', true],
  ] as const) {
    it(`"${status.trim()}" is ${source}`, () => {
      expect(statusWords(status)).to.deep.equal(words);
      expect(powerSource(statusWords(status))).to.equal(source);
      expect(hasNoData(statusWords(status))).to.equal(nothing);
    });
  }
});
