import { expect } from 'chai';
import fc from 'fast-check';
import { inTimeZone } from '../../fixtures/time-zone.js';
import { isDue, nextAfter } from '../../../supervisor/self-tests/machine/schedule.js';

const local = (text: string): number => new Date(text).getTime() / 1000;
const shown = (seconds: number): string => {
  const at = new Date(seconds * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

describe('the schedule of battery tests', () => {
  inTimeZone('Europe/Berlin');

  for (const [schedule, time, from, next] of [
    ['daily', '03:00', '2026-11-24T02:59', '2026-11-24T03:00'],
    ['daily', '03:00', '2026-11-24T03:00', '2026-11-25T03:00'],
    // A Tuesday; the 29th is a Sunday.
    ['weekly', '03:00', '2026-11-24T12:00', '2026-11-29T03:00'],
    ['weekly', '03:00', '2026-11-29T02:00', '2026-11-29T03:00'],
    ['weekly', '03:00', '2026-11-29T03:00', '2026-12-06T03:00'],
    ['monthly', '03:00', '2026-12-24T12:00', '2027-01-01T03:00'],
    ['monthly', '03:00', '2026-12-01T00:00', '2026-12-01T03:00'],
    ['every 30d', '03:00', '2028-02-10T12:00', '2028-03-11T03:00'],
    ['every 1d', '23:59', '2026-12-31T12:00', '2027-01-01T23:59'],
    // 02:30 does not exist on that day, and exists twice on the other.
    ['daily', '02:30', '2026-03-28T12:00', '2026-03-29T03:30'],
    ['daily', '02:30', '2026-03-29T12:00', '2026-03-30T02:30'],
    ['daily', '02:30', '2026-10-24T12:00', '2026-10-25T02:30'],
  ] as const)
    it(`${schedule} at ${time}, after ${from}, is due ${next}`, () =>
      expect(shown(nextAfter({ schedule, time }, local(from)))).to.equal(next));

  it('runs once in the night in which 02:30 comes twice', () => {
    const daily = { schedule: 'daily', time: '02:30' };
    const first = nextAfter(daily, local('2026-10-24T12:00'));
    expect(isDue(daily, 0, first + 5, 0, first + 3600)).to.equal(false);
    expect(isDue(daily, 0, first + 5, 0, first + 25 * 3600)).to.equal(true);
  });

  it('makes up for missed dates once', () => {
    const daily = { schedule: 'daily', time: '03:00' };
    const now = local('2026-11-24T12:00');
    expect(isDue(daily, local('2026-11-01T00:00'), local('2026-11-10T03:00'), 0, now)).to.equal(true);
    expect(isDue(daily, local('2026-11-01T00:00'), now, 0, now + 60)).to.equal(false);
  });

  it('does not count dates before it came into effect', () => {
    const monthly = { schedule: 'monthly', time: '03:00' };
    expect(isDue(monthly, local('2026-11-24T12:00'), null, 0, local('2026-11-24T12:01'))).to.equal(false);
    expect(isDue(monthly, local('2026-11-24T12:00'), null, 0, local('2026-12-01T03:00'))).to.equal(true);
  });

  it('goes on after a clock that was years ahead is set back', () => {
    const daily = { schedule: 'daily', time: '03:00' };
    const [since, now] = [local('2026-11-01T00:00'), local('2026-11-24T12:00')];
    expect(isDue(daily, since, local('2036-01-01T00:00'), 0, now)).to.equal(true);
  });

  it('has a next date that is later and in reach, from any time', () => {
    const schedule = fc.constantFrom('daily', 'weekly', 'monthly', 'every 1d', 'every 400d');
    const minutes = fc.integer({ min: 0, max: 1439 });
    const from = fc.integer({ min: local('2020-01-01'), max: local('2040-01-01') });
    fc.assert(
      fc.property(schedule, minutes, from, (name, minute, at) => {
        const two = (value: number): string => String(value).padStart(2, '0');
        const time = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
        const next = nextAfter({ schedule: name, time }, at);
        expect(next).to.be.above(at);
        expect(next - at).to.be.below(402 * 86_400);
      }),
    );
  });
});
