import { expect } from 'chai';
import { afterSample, isFullAndRested, neverSeen } from '../../../../../shared/domain/ups/battery/rest.js';
import { powerSource } from '../../../../../shared/domain/ups/status-words.js';

const minute = 60_000;
const hour = 60 * minute;
type Step = readonly [atMs: number, status: string, charge: number | null];

/** Whether the last of the samples counts. */
function counts(...steps: readonly Step[]): boolean {
  let rest = neverSeen;
  let last = false;
  for (const [atMs, status, charge] of steps) {
    const words = status.split(' ');
    const source = powerSource(words);
    rest = afterSample(rest, atMs, source, charge);
    last = isFullAndRested(rest, source, words, charge);
  }
  return last;
}

/** A sample a minute. */
const during = (from: number, until: number, status: string, charge: number | null): readonly Step[] =>
  Array.from({ length: (until - from) / minute + 1 }, (_, step) => [from + step * minute, status, charge]);

describe('a reading that counts for the battery', () => {
  it('is full and 30 min after the first sample', () => {
    expect(counts(...during(0, 29 * minute, 'OL', 100))).to.equal(false);
    expect(counts(...during(0, 30 * minute, 'OL', 100))).to.equal(true);
  });

  it('is 30 min after the last discharge', () => {
    const before = [
      ...during(0, hour, 'OL', 100),
      ...during(hour + minute, hour + 2 * minute, 'OB DISCHRG', 99),
    ];
    const used = hour + 2 * minute;
    expect(counts(...before, ...during(used + minute, used + 29 * minute, 'OL', 100))).to.equal(false);
    expect(counts(...before, ...during(used + minute, used + 30 * minute, 'OL', 100))).to.equal(true);
  });

  it('is none while charging, in a test, or without line power', () => {
    const rested = during(0, hour, 'OL', 100);
    const at = hour + minute;
    expect(counts(...rested, [at, 'OL CHRG', 97])).to.equal(false);
    for (const status of ['OB', 'OL OB', 'OL TEST', 'OL CAL', 'OL DISCHRG', 'OFF', 'BYPASS', 'OL BYPASS'])
      expect(counts(...rested, [at, status, 100]), status).to.equal(false);
  });

  it('is full below 99 % when the charge has not moved for two hours, and never below 90 %', () => {
    expect(counts(...during(0, 119 * minute, 'OL', 95))).to.equal(false);
    expect(counts(...during(0, 2 * hour, 'OL', 95))).to.equal(true);
    expect(counts(...during(0, 9 * hour, 'OL', 89))).to.equal(false);
  });

  it('waits a day with a UPS that reports no charge', () => {
    expect(counts(...during(0, 24 * hour - minute, 'OL', null))).to.equal(false);
    expect(counts(...during(0, 24 * hour, 'OL', null))).to.equal(true);
    expect(counts(...during(0, 24 * hour, 'OL', null), [24 * hour + minute, 'OL CHRG', null])).to.equal(
      false,
    );
  });

  it('is none while a charge that the UPS reports is missing', () => {
    expect(counts(...during(0, 48 * hour, 'OL', 100), [48 * hour + minute, 'OL', null])).to.equal(false);
  });

  it('rests again after a gap: the host may have been off', () => {
    const gap = hour + 20 * minute;
    expect(counts(...during(0, hour, 'OL', 100), ...during(gap, gap + 29 * minute, 'OL', 100))).to.equal(
      false,
    );
    expect(counts(...during(0, hour, 'OL', 100), ...during(gap, gap + 30 * minute, 'OL', 100))).to.equal(
      true,
    );
  });

  it('rests 30 min more at most after a clock that was set back by years', () => {
    const year = 365 * 24 * hour;
    const late = during(year, year + hour, 'OL', 100);
    expect(counts(...late, ...during(0, 30 * minute, 'OL', 100))).to.equal(true);
  });
});
