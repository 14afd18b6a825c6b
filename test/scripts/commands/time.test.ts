import { expect } from 'chai';
import { parseTime } from '../../../scripts/commands/time.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { UsageError } from '../../../scripts/commands/usage.js';

/** A local noon, so that "today" is the same day in every zone. */
const now = new Date(2026, 0, 31, 12, 0, 0).getTime() / 1000;

describe('a time on the command line', () => {
  for (const [text, seconds] of [
    ['90s', 90],
    ['30m', 1800],
    ['30 min', 1800],
    ['2h', 7200],
    ['7d', 604_800],
  ] as const)
    it(`is a time before now: ${text}`, () => {
      expect(parseTime(text, now + 0.5)).to.equal(now - seconds);
    });

  for (const [text, local] of [
    ['09:05', '2026-01-31 09:05:00'],
    ['09:05:07', '2026-01-31 09:05:07'],
    ['2024-02-29', '2024-02-29 00:00:00'],
    ['2026-01-30 23:59', '2026-01-30 23:59:00'],
    ['2026-01-30T23:59:58', '2026-01-30 23:59:58'],
  ] as const)
    it(`is a local time: ${text}`, () => {
      expect(localTime(parseTime(text, now))).to.equal(local);
    });

  it('is accepted as Unix seconds or as a time in UTC', () => {
    expect(parseTime('1700000000', now)).to.equal(1_700_000_000);
    expect(parseTime('2023-11-14T22:13:20Z', now)).to.equal(1_700_000_000);
  });

  it('is never before 1970', () => {
    expect(parseTime('999999d', now)).to.equal(0);
  });

  for (const text of [
    '',
    '5',
    '2026',
    '-1h',
    '1w',
    '1.5h',
    '25:00',
    '2026-02-30',
    '2026-13-01',
    '2026-01-31 24:01',
    'yesterday',
    '999999999999999',
    'Infinity',
  ])
    it(`is not "${text}"`, () => {
      expect(() => parseTime(text, now)).to.throw(UsageError, 'is not a time');
    });
});
