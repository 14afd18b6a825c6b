import { expect } from 'chai';
import type { Feed } from '../../../../shared/domain/outage/feed.js';
import { joinNames, mayLosePowerBefore, whatMustFail } from '../../../../shared/domain/outage/feed.js';

const feed = (names: string, minHealthy = 1): Feed => ({ sources: names.split(''), minHealthy });

describe('the feed of a load', () => {
  it('says what must fail for the load to go down', () => {
    expect(whatMustFail(feed('a'))).to.equal('a fails');
    expect(whatMustFail(feed('ab'))).to.equal('a and b fail');
    expect(whatMustFail(feed('ab', 2))).to.equal('a or b fails');
    expect(whatMustFail(feed('abc'))).to.equal('a, b and c fail');
    expect(whatMustFail(feed('abc', 2))).to.equal('2 of a, b and c fail');
    expect(whatMustFail(feed('abc', 3))).to.equal('a, b or c fails');
    expect(joinNames([], 'and')).to.equal('');
  });

  it('falls before another exactly where some failures take the one and not the other', () => {
    const feeds = ['a', 'b', 'ab', 'ac', 'abc', 'bcd'].flatMap((names) =>
      Array.from({ length: names.length }, (_, least) => feed(names, least + 1)),
    );
    const runs = ({ sources, minHealthy }: Feed, failed: number) =>
      sources.filter((name) => ((failed >> 'abcd'.indexOf(name)) & 1) === 0).length >= minHealthy;
    for (const first of feeds) {
      for (const second of feeds) {
        const found = Array.from({ length: 16 }, (_, failed) => failed).some(
          (failed) => !runs(first, failed) && runs(second, failed),
        );
        expect(mayLosePowerBefore(first, second), JSON.stringify([first, second])).to.equal(found);
      }
    }
  });
});
