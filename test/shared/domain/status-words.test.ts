import { expect } from 'chai';
import { powerSource, statusWords, hasNoData } from '../../../shared/domain/status-words.js';

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
    ['OFF', ['OFF'], 'neither', false],
    ['BYPASS', ['BYPASS'], 'neither', false],
    ['ALARM NEWWORD OL', ['ALARM', 'NEWWORD', 'OL'], 'line', false],
    ['OLX', ['OLX'], 'neither', false],
    ['ol', ['ol'], 'neither', false],
    ['BOOST', ['BOOST'], 'neither', false],
    ['WAIT', ['WAIT'], 'neither', true],
    ['OL WAIT', ['OL', 'WAIT'], 'line', true],
    ['', [], 'neither', true],
    ['  ', [], 'neither', true],
  ] as const) {
    it(`"${status.trim()}" is ${source === 'neither' ? 'no power source' : `power from the ${source}`}`, () => {
      expect(statusWords(status)).to.deep.equal(words);
      expect(powerSource(statusWords(status))).to.equal(source);
      expect(hasNoData(statusWords(status))).to.equal(nothing);
    });
  }
});
