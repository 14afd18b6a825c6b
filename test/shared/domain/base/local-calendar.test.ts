import { expect } from 'chai';
import fc from 'fast-check';
import type { PeriodName } from '../../../../shared/domain/base/local-calendar.js';
import { localTime, periodAt, periodBefore, stepsOf } from '../../../../shared/domain/base/local-calendar.js';
import { inTimeZone } from '../../../fixtures/time-zone.js';

const local = (text: string): number => new Date(text).getTime() / 1000;
const hours = ({ from, to }: { from: number; to: number }): number => (to - from) / 3600;

describe('a period of local time', () => {
  describe('in Berlin', () => {
    inTimeZone('Europe/Berlin');

    for (const [period, at, from, to, length] of [
      ['day', '2026-11-24T12:00', '2026-11-24', '2026-11-25', 24],
      ['day', '2026-03-29T12:00', '2026-03-29', '2026-03-30', 23],
      ['day', '2026-10-25T12:00', '2026-10-25', '2026-10-26', 25],
      ['week', '2026-11-24T12:00', '2026-11-23', '2026-11-30', 168],
      ['week', '2026-03-29T23:59', '2026-03-23', '2026-03-30', 167],
      ['week', '2026-10-19T00:00', '2026-10-19', '2026-10-26', 169],
      ['month', '2028-02-29T12:00', '2028-02-01', '2028-03-01', 29 * 24],
      ['month', '2026-03-01T00:00', '2026-03-01', '2026-04-01', 31 * 24 - 1],
      ['month', '2026-12-31T23:59', '2026-12-01', '2027-01-01', 31 * 24],
    ] as const)
      it(`the ${period} of ${at} has ${String(length)} hours`, () => {
        const found = periodAt(period, local(at));
        expect([localTime(found.from), localTime(found.to)]).to.deep.equal([
          `${from} 00:00:00`,
          `${to} 00:00:00`,
        ]);
        expect(hours(found)).to.equal(length);
      });

    it('begins a week on the day that is asked for', () => {
      const found = periodAt('week', local('2026-11-24T12:00'), 0);
      expect(localTime(found.from)).to.equal('2026-11-22 00:00:00');
      expect(localTime(periodAt('week', local('2026-11-24T12:00'), 3).from)).to.equal('2026-11-18 00:00:00');
    });

    it('has a step for each hour of the day, also of one with 23 or 25', () => {
      expect(stepsOf(periodAt('day', local('2026-03-29T12:00')))).to.have.length(23);
      expect(stepsOf(periodAt('day', local('2026-10-25T12:00')))).to.have.length(25);
    });

    it('has the days of a month as steps, each at its midnight', () => {
      const steps = stepsOf(periodAt('month', local('2026-10-10T12:00'))).map(localTime);
      expect(steps).to.have.length(31);
      expect(steps[25]).to.equal('2026-10-26 00:00:00');
    });
  });

  for (const zone of ['America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'UTC'])
    describe(`in ${zone}`, () => {
      inTimeZone(zone);

      it('follows the one before without a gap and contains its time', () =>
        fc.assert(
          fc.property(
            fc.integer({ min: 1_200_000_000, max: 2_000_000_000 }),
            fc.constantFrom<PeriodName>('day', 'week', 'month'),
            fc.integer({ min: 0, max: 6 }),
            (at, period, weekday) => {
              const now = periodAt(period, at, weekday);
              const before = periodBefore(period, at, weekday);
              const steps = stepsOf(now);
              return (
                now.from <= at &&
                at < now.to &&
                before.to === now.from &&
                steps[0] === now.from &&
                (steps.at(-1) ?? now.to) < now.to &&
                steps.every((step, place) => place === 0 || step > (steps[place - 1] ?? Infinity))
              );
            },
          ),
        ));
    });
});
