import { expect } from 'chai';
import { dayOf, startOfDay } from '../../../../shared/domain/base/local-calendar.js';
import { energyBetween } from '../../../../workers/storage/energy/count.js';
import { withTimeZone } from '../../../fixtures/time-zone.js';

const at = (iso: string, watts: number, estimated = 0) => ({ atMs: Date.parse(iso), watts, estimated });
const hourMs = 3_600_000;

/** The seconds of every day of a steady load, sampled each minute. */
function secondsByDay(from: string, to: string): Map<number, number> {
  const seconds = new Map<number, number>();
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += 60_000)
    for (const part of energyBetween(
      { atMs: ms, watts: 100, estimated: 0 },
      { atMs: ms + 60_000, watts: 100, estimated: 0 },
    ))
      seconds.set(part.day, (seconds.get(part.day) ?? 0) + part.seconds);
  return seconds;
}

describe('energy between two samples', () => {
  it('is the mean power times the time', () => {
    expect(energyBetween(at('2026-06-01T12:00:00Z', 100), at('2026-06-01T12:00:10Z', 200, 2))).to.deep.equal([
      { day: dayOf(Date.parse('2026-06-01T12:00:00Z')), joules: 1500, seconds: 10, estimated: 2 },
    ]);
  });

  it('is nothing across a gap, in no time, and when the clock was set back', () => {
    const start = at('2026-06-01T12:00:00Z', 100);
    expect(energyBetween(start, at('2026-06-01T12:02:00.001Z', 100))).to.deep.equal([]);
    expect(energyBetween(start, at('2026-06-01T12:02:00Z', 100))).to.have.lengthOf(1);
    expect(energyBetween(start, start)).to.deep.equal([]);
    expect(energyBetween(start, at('2026-06-01T11:59:59Z', 100))).to.deep.equal([]);
  });

  it('is divided at midnight, where the power is between the two', () => {
    withTimeZone('Europe/Berlin', () => {
      const parts = energyBetween(at('2026-06-30T21:59:50Z', 0), at('2026-06-30T22:00:30Z', 400));
      expect(parts).to.deep.equal([
        { day: 20260630, joules: 500, seconds: 10, estimated: 0 },
        { day: 20260701, joules: 7500, seconds: 30, estimated: 0 },
      ]);
    });
  });

  it('gives a day 23 hours in spring, 25 in autumn, and 29 February its own', () => {
    withTimeZone('Europe/Berlin', () => {
      const spring = secondsByDay('2028-02-28T23:00:00Z', '2028-03-31T22:00:00Z');
      expect(spring.get(20280229)).to.equal(86_400);
      expect(spring.get(20280301)).to.equal(86_400);
      expect(spring.get(20280326)).to.equal(23 * 3600);
      expect(secondsByDay('2028-10-28T22:00:00Z', '2028-10-30T23:00:00Z').get(20281029)).to.equal(25 * 3600);
    });
  });

  it('begins a day where the clock skips midnight at its first instant', () => {
    withTimeZone('America/Sao_Paulo', () => {
      // 2018-11-04: 00:00 became 01:00.
      const start = startOfDay(20181104);
      expect(dayOf(start)).to.equal(20181104);
      expect(dayOf(start - 1)).to.equal(20181103);
      expect(startOfDay(20181105) - start).to.equal(23 * hourMs);
    });
  });
});
