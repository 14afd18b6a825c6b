import { expect } from 'chai';
import type { BatteryReplacement } from '../../../../../shared/domain/ups/battery/health.js';
import { replacementInWords } from '../../../../../shared/domain/ups/battery/wording.js';

describe('the replacement of a battery in words', () => {
  const of = (over: Partial<BatteryReplacement>): string =>
    replacementInWords({
      ...{ state: 'predicted', date: null, earliest: null, latest: null, thresholdScore: 50 },
      ...over,
    });

  it('claims nothing before it is known', () => expect(of({ state: 'unknown' })).to.equal('not known yet'));
  it('names the date with its band, and says where it follows from the age alone', () => {
    const [date, earliest] = ['2028-03-01', '2028-01-10'];
    expect(of({ date, earliest, latest: '2028-05-02' })).to.equal(
      'about 2028-03-01, between 2028-01-10 and 2028-05-02',
    );
    expect(of({ date, earliest })).to.equal('about 2028-03-01, not before 2028-01-10');
    expect(of({ date, earliest: date, latest: date })).to.equal('about 2028-03-01, by its age alone');
  });
});
