import { expect } from 'chai';
import { eventInWords } from '../../../../shared/domain/status/event-names.js';

describe('the words of an event type', () => {
  for (const [type, words] of [
    ['ON_BATTERY', 'On battery'],
    ['FSD_DETECTED', 'FSD detected'],
    ['AVR_BOOST_ACTIVE', 'AVR boost active'],
    ['SLOW_NUT_RESPONSE', 'Slow NUT response'],
    ['', ''],
  ] as const)
    it(`are ${JSON.stringify(words)} for ${JSON.stringify(type)}`, () => {
      expect(eventInWords(type)).to.equal(words);
    });
});
