import { expect } from 'chai';
import {
  afterValues,
  withOutage,
  withoutOutage,
  withUnknownSource,
} from '../../../supervisor/reserve/outage-end.js';
import type { Seen } from '../../../supervisor/reserve/reserve.js';
import { newlySeen, nothingMet } from '../../../supervisor/reserve/reserve.js';

const both = ['OL', 'OB'];
const clockAt = (atMs: number) => ({ atMs, askedMs: atMs, watchedMs: atMs, lookingMs: 0 });
const minutesMs = (minutes: number) => minutes * 60_000;

/** On battery since 0 by its values, which fell last at 0. */
const falling = (change: Partial<Seen> = {}): Seen => ({
  ...newlySeen(clockAt(0)),
  outageMs: 0,
  ob: 2,
  isOnBattery: true,
  last: { charge: 90, runtime: 1_000 },
  lows: { charge: 90, runtime: 1_000, reachedMs: 0 },
  ...change,
});

describe('the reserve in an outage that only falling values show', () => {
  it('waits 5 minutes for lower ones', () => {
    expect(afterValues(falling(), both, clockAt(minutesMs(5)))).to.include({
      outageMs: 0,
      isOnBattery: true,
    });
    const over = afterValues(falling(), both, clockAt(minutesMs(5) + 1));
    expect(over).to.deep.include({
      outageMs: null,
      ob: -1,
      isOnBattery: false,
      flagMs: null,
      met: {},
      lows: null,
    });
    expect(over.ended).to.deep.equal({ outageMs: 0, atMs: minutesMs(5) + 1 });
  });

  it('waits until a reading was asked for, which may be handled late', () => {
    const late = (askedMs: number) =>
      afterValues(falling(), both, { ...clockAt(minutesMs(9)), askedMs }).outageMs;
    expect([late(minutesMs(5)), late(minutesMs(5) + 1)]).to.deep.equal([0, null]);
  });

  it('waits again after a lower charge, a runtime lower by 1 %, and a reading without OL or OB', () => {
    const lowsAt = (last: Seen['last'], words = both): Seen['lows'] =>
      afterValues(falling({ last }), words, clockAt(5_000)).lows;
    const same = { charge: 90, runtime: 1_000, reachedMs: 0 };
    expect(lowsAt({ charge: 89, runtime: 991 })).to.deep.equal({ ...same, charge: 89, reachedMs: 5_000 });
    expect(lowsAt({ charge: 91, runtime: 990 })).to.deep.equal({ ...same, runtime: 990, reachedMs: 5_000 });
    expect(lowsAt({ charge: 90, runtime: 991 })).to.deep.equal(same);
    expect(lowsAt({ charge: null, runtime: null })).to.deep.equal(same);
    const wrong = { charge: 80, runtime: 667, reachedMs: 0 };
    const rises = (last: Seen['last']) => afterValues(falling({ last, lows: wrong }), both, clockAt(5)).lows;
    expect(rises({ charge: 91, runtime: 1_001 }), 'from a wrong sample').to.deep.equal({
      ...wrong,
      charge: 91,
      runtime: 1_001,
    });
    expect(rises({ charge: 90, runtime: 1_000 })).to.deep.equal(wrong);
    for (const word of both) expect(lowsAt(falling().last, [word])?.reachedMs, word).to.equal(5_000);
  });

  it('takes the first value of a quantity that had none for a lower one', () => {
    const unread = falling({ lows: { charge: null, runtime: null, reachedMs: 0 } });
    const after = (last: Seen['last']) => afterValues({ ...unread, last }, both, clockAt(7)).lows;
    expect(after({ charge: 100, runtime: null })).to.deep.equal({ charge: 100, runtime: null, reachedMs: 7 });
    expect(after({ charge: null, runtime: 60 })).to.deep.equal({ charge: null, runtime: 60, reachedMs: 7 });
  });

  it('goes on while a rule counts or has decided', () => {
    const low = { count: 1, sinceMs: 0, forMs: 0, value: 5, inDoubt: true };
    for (const met of [{ flag: 1 }, { charge: low }, { runtime: low }, { by: 'EXTENDED_TIME' }] as const) {
      const counted = falling({ met: { a: nothingMet, rack: { ...nothingMet, ...met } } });
      expect(afterValues(counted, both, clockAt(minutesMs(6))).outageMs, JSON.stringify(met)).to.equal(0);
    }
    const counted = falling({ met: { a: { ...nothingMet, charge: { ...low, count: 0 }, time: 3 } } });
    expect(afterValues(counted, both, clockAt(minutesMs(6))).outageMs).to.equal(null);
  });

  it('is one that has ended only where OB alone began it', () => {
    const ended = (ob: number) => withoutOutage(falling({ ob, outageMs: 5 }), 70).ended;
    expect([0, 1].map(ended)).to.deep.equal([
      { outageMs: 5, atMs: 70 },
      { outageMs: 5, atMs: 70 },
    ]);
    expect(ended(-1)).to.equal(null);
  });

  it('ends no outage by OB', () => {
    const seen = falling({ lows: null });
    expect(afterValues(seen, both, clockAt(minutesMs(60)))).to.equal(seen);
  });

  it('has given nothing in it', () => {
    const sum = { ...falling().sum, ms: 100_000, rate: 1 };
    const after = (ms: number) =>
      withUnknownSource(falling({ sum: { ...sum, ms }, outageMs: 10_000 }), 70_000);
    expect(after(100_000).sum).to.deep.equal({ ...sum, ms: 40_000, rate: -0.1, sinceMs: 70_000 });
    expect(after(50_000).sum.ms).to.equal(0);
  });

  it('knows its end once', () => {
    const over = withoutOutage(falling(), 1_000);
    expect(over).to.deep.include({ ob: 0, ended: { outageMs: 0, atMs: 1_000 } });
    expect(withoutOutage(over, 2_000)).to.equal(over);
    expect(withUnknownSource(over, 2_000)).to.equal(over);
    expect(withoutOutage(falling({ ob: -1, ended: null }), 1_000).ended, 'of an unknown source').to.equal(
      null,
    );
  });
});

describe('an outage that policy knows', () => {
  it('begins its delays, where OL with OB had met something before, and keeps the counts', () => {
    const met = { a: { ...nothingMet, time: 3, by: 'LOW_BATTERY' as const } };
    const sum = { ...newlySeen(clockAt(0)).sum, ms: 7 };
    const after = (ob: number) => withOutage(falling({ ob, met }), 9, sum);
    expect(after(-1)).to.deep.include({ ob: 0, outageMs: 9, sum, met: { a: { ...met.a, by: null } } });
    for (const ob of [0, 2]) expect(after(ob)).to.deep.include({ ob, outageMs: 9, sum, met });
  });
});
