import { expect } from 'chai';
import fc from 'fast-check';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { lastDue } from '../../../supervisor/reports/schedule.js';
import { inTimeZone } from '../../fixtures/time-zone.js';

const local = (text: string): number => new Date(text).getTime() / 1000;
const periods = ['day', 'week', 'month'] as const;
const at = (time: string, weekday = 1, dayOfMonth = 1) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { periods, hour, minute, weekday, dayOfMonth };
};

describe('the schedule of the reports', () => {
  inTimeZone('Europe/Berlin');

  for (const [period, schedule, now, end] of [
    ['day', at('08:00'), '2026-11-24T07:59', '2026-11-23'],
    ['day', at('08:00'), '2026-11-24T08:00', '2026-11-24'],
    ['day', at('23:59'), '2026-11-24T23:58', '2026-11-23'],
    // A report at midnight waits until the last minute of its day is in the database.
    ['day', at('00:00'), '2026-11-24T00:02', '2026-11-23'],
    ['day', at('00:00'), '2026-11-24T00:03', '2026-11-24'],
    // 02:30 does not exist on that day: it is 03:30.
    ['day', at('02:30'), '2026-03-29T03:29', '2026-03-28'],
    ['day', at('02:30'), '2026-03-29T03:30', '2026-03-29'],
    // A Tuesday; weeks begin on the day of the report.
    ['week', at('08:00'), '2026-11-24T12:00', '2026-11-23'],
    ['week', at('08:00'), '2026-11-23T07:59', '2026-11-16'],
    ['week', at('08:00', 0), '2026-11-24T12:00', '2026-11-22'],
    ['month', at('08:00'), '2026-12-01T07:59', '2026-11-01'],
    ['month', at('08:00'), '2026-12-01T08:00', '2026-12-01'],
    ['month', at('08:00', 1, 31), '2026-11-30T07:59', '2026-10-01'],
    ['month', at('08:00', 1, 31), '2026-11-30T08:00', '2026-11-01'],
    ['month', at('08:00', 1, 31), '2028-02-29T08:00', '2028-02-01'],
  ] as const)
    it(`at ${now} the last ${period} due ended on ${end}`, () =>
      expect(localTime(lastDue(period, schedule, local(now)).to)).to.equal(`${end} 00:00:00`));

  it('has 02:30 once in the night in which it comes twice', () => {
    const schedule = at('02:30');
    const first = local('2026-10-25T02:30');
    expect(lastDue('day', schedule, first).to).to.equal(lastDue('day', schedule, first + 3600).to);
  });

  it('never goes back, whatever the schedule, and has each period once', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
        fc.integer({ min: 0, max: 40 * 86_400 }),
        fc.constantFrom(...periods),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 31 }),
        (now, later, period, minutes, weekday, dayOfMonth) => {
          const schedule = {
            periods,
            hour: Math.floor(minutes / 60),
            minute: minutes % 60,
            weekday,
            dayOfMonth,
          };
          const [a, b] = [lastDue(period, schedule, now), lastDue(period, schedule, now + later)];
          return a.to <= now && (a.to === b.to ? a.from === b.from : a.to <= b.from);
        },
      ),
    ));
});
