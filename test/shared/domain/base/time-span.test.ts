import { expect } from 'chai';
import fc from 'fast-check';
import { isWithin, timeSpan } from '../../../../shared/domain/base/time-span.js';
import { inTimeZone } from '../../../fixtures/time-zone.js';

describe('a span of the day', () => {
  inTimeZone('Europe/Berlin');
  const at = (local: string): number => new Date(`2026-06-01T${local}:00`).getTime() / 1000;

  it('contains its begin and not its end, over midnight too', () => {
    const night = timeSpan('23:00-06:30');
    const noon = timeSpan('12:00-13:00');
    if (night === undefined || noon === undefined) throw new Error('not a span');
    const inside = ['22:59', '23:00', '00:00', '06:29', '06:30', '12:30'].map((time) =>
      isWithin(night, at(time)),
    );
    expect(inside).to.deep.equal([false, true, true, true, false, false]);
    expect(['11:59', '12:00', '12:59', '13:00'].map((time) => isWithin(noon, at(time)))).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
  });

  it('is nothing else than two times of the day', () => {
    for (const text of [
      '',
      '23:00',
      '24:00-06:00',
      '23:00-23:00',
      '9:00-10:00',
      '23:00–06:30',
      '23:00-06:30 ',
    ])
      expect(timeSpan(text)).to.equal(undefined);
  });

  it('and the opposite span contain every moment of a year once', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    const moment = fc.integer({ min: 1_767_222_000, max: 1_798_758_000 });
    fc.assert(
      fc.property(minute, minute, moment, (from, to, seconds) => {
        fc.pre(from !== to);
        expect(isWithin({ from, to }, seconds)).to.not.equal(isWithin({ from: to, to: from }, seconds));
      }),
    );
  });
});
