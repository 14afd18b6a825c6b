// What contradicts OL: the charge and the input voltage, reading by reading.
import { expect } from 'chai';
import { noDoubt } from '../../../../shared/domain/outage/outage-snapshot.js';
import type { Doubt } from '../../../../supervisor/policy/power/power-source-doubt.js';
import { doubtAfter, sameDoubt } from '../../../../supervisor/policy/power/power-source-doubt.js';
import { acceptReading, noReadings } from '../../../../supervisor/policy/power/readings.js';
import { emptyReading } from '../../../simulation/empty-reading.js';
import { at } from '../source-readings.js';

interface Read {
  readonly words?: string;
  readonly charge?: number | null;
  readonly volts?: number | null;
  readonly nominal?: number | null;
  readonly isExplained?: boolean;
  /** By how much it is handled after it was asked for. */
  readonly lateSeconds?: number;
}
type Reading = readonly [second: number, read: Read];

const settings = { confirmations: 2, checkIntervalMs: 5_000, trustsCharge: true };

/** The doubt after these readings. */
function after(readings: readonly Reading[], { checkIntervalMs }: typeof settings = settings): Doubt {
  return readings.reduce<Doubt>((doubt, [second, read]) => {
    const {
      words = 'OL',
      charge = null,
      volts = null,
      nominal = 230,
      isExplained = false,
      lateSeconds = 0,
    } = read;
    const reading = { ...emptyReading, status: words.split(' '), chargePercent: charge };
    const handled = at((second + lateSeconds) * 1000);
    const { last } = acceptReading(noReadings, reading, {}, { ...handled, askedMs: second * 1000 });
    return doubtAfter(doubt, last, volts, nominal, isExplained, { ...settings, checkIntervalMs });
  }, noDoubt);
}

const sinceMs = (...readings: readonly Reading[]) => after(readings).sinceMs;
/** Readings of `read` each 5 s. */
const every5 = (from: number, to: number, read: Read): readonly Reading[] =>
  Array.from({ length: (to - from) / 5 + 1 }, (_, place) => [from + place * 5, read]);

describe('readings that are handled late', () => {
  it('show a fall and a voltage for no longer than until they were asked for', () => {
    const late = (second: number, read: Read) => [second, { ...read, lateSeconds: 700 - second }] as const;
    const fell = (second: number) =>
      sinceMs([0, { charge: 100 }], late(second, { charge: 95 }), late(second + 1, { charge: 95 }));
    expect([fell(5), fell(15.001)]).to.deep.equal([700_000, null]);
    const low = (second: number) =>
      sinceMs(
        [0, { volts: 230 }],
        [5, { volts: 0 }],
        late(second, { volts: 0 }),
        late(second + 1, { volts: 0 }),
      );
    expect([low(64.999), low(65)]).to.deep.equal([null, 700_000]);
  });
});

describe('a charge that contradicts OL', () => {
  it('is 5 points below the highest of the last 10 minutes', () => {
    const high = [0, { charge: 100 }] as const;
    const at99 = every5(5, 590, { charge: 99 });
    const low = (charge: number, ...seconds: readonly number[]) =>
      seconds.map((second) => [second, { charge }] as const);
    expect(sinceMs(high, ...at99, ...low(95, 595, 600))).to.equal(600_000);
    expect(sinceMs(high, ...at99, ...low(95, 596, 600.001))).to.equal(null);
    expect(sinceMs(high, ...at99, ...low(95.1, 595, 600))).to.equal(null);
  });

  it('does not end with a reading without a charge, which does not count either', () => {
    const fell = [
      [0, { charge: 100 }],
      [5, { charge: 95 }],
      [10, {}],
    ] as const;
    expect(after(fell)).to.deep.include({ sinceMs: null, shown: 1, gone: 0, lastMs: 10_000 });
    expect(sinceMs(...fell, [15, { charge: 95 }])).to.equal(15_000);
  });

  it('is measured again after a gap of more than three intervals', () => {
    const seen = (gapSeconds: number, checkIntervalMs: number) =>
      after(
        [
          [0, { charge: 100 }],
          [gapSeconds, { charge: 95 }],
          [gapSeconds + 1, { charge: 95 }],
        ],
        { ...settings, checkIntervalMs },
      ).sinceMs !== null;
    expect([seen(15, 5_000), seen(15.001, 5_000)]).to.deep.equal([true, false]);
    // At least 10 s.
    expect([seen(10, 1_000), seen(10.001, 1_000)]).to.deep.equal([true, false]);
  });

  it('is measured again after OB, and after a test or an outage that explains it', () => {
    const seen = (between: Read) =>
      sinceMs([0, { charge: 100 }], [5, between], [10, { charge: 95 }], [15, { charge: 95 }]) !== null;
    expect(seen({ charge: 100 })).to.equal(true);
    expect(seen({ charge: 100, words: 'OB' })).to.equal(false);
    expect(seen({ charge: 100, isExplained: true })).to.equal(false);
  });

  it('is not shown by readings in bypass, which change nothing', () => {
    const before = [
      [0, { charge: 100 }],
      [5, { charge: 95 }],
    ] as const;
    const bypass = [10, { charge: 90, words: 'BYPASS' }] as const;
    expect(after([...before, bypass])).to.deep.equal(after(before));
  });

  it('keeps of the charges each that is higher than all after it, 10 s apart', () => {
    const highs = (...charges: readonly (readonly [number, number])[]) =>
      after(charges.map(([second, charge]) => [second, { charge }] as const)).highs.map(
        ({ atMs, percent }) => [atMs / 1000, percent],
      );
    expect(highs([0, 100], [9.999, 99], [10, 98])).to.deep.equal([
      [0, 100],
      [10, 98],
    ]);
    expect(highs([0, 100], [5, 100])).to.deep.equal([[5, 100]]);
    expect(highs([0, 98], [5, 100])).to.deep.equal([[5, 100]]);
    expect(
      after([
        [0, { charge: 100 }],
        [10, {}],
      ]).highs,
    ).to.deep.equal([{ atMs: 0, percent: 100 }]);
  });
});

describe('an input voltage that contradicts OL', () => {
  const seen = [0, { volts: 230 }] as const;

  it('is below 10 % of nominal for 60 s', () => {
    const low = (volts: number) => every5(5, 55, { volts });
    expect(sinceMs(seen, ...low(22.9), [64.999, { volts: 22.9 }])).to.equal(null);
    expect(sinceMs(seen, ...low(22.9), [60, { volts: 22.9 }], [65, { volts: 22.9 }])).to.equal(null);
    const shown = after([seen, ...low(22.9), [65, { volts: 22.9 }], [70, { volts: 21 }]]);
    expect([shown.sinceMs, shown.why]).to.deep.equal([70_000, 'the input voltage is 21 V on line power']);
    expect(sinceMs(seen, ...low(23), [65, { volts: 23 }], [70, { volts: 23 }])).to.equal(null);
  });

  it('is one of a UPS that has shown 50 V, with a nominal voltage that is known', () => {
    const lowAfter = (volts: number, nominal: number | null = 230) =>
      sinceMs([0, { volts, nominal }], ...every5(5, 70, { volts: 0, nominal })) !== null;
    expect([lowAfter(50), lowAfter(49.9), lowAfter(230, null)]).to.deep.equal([true, false, false]);
  });

  it('begins again after a reading that is not low, and not after one without a voltage', () => {
    const low = (from: number, to: number) => every5(from, to, { volts: 0 });
    expect(sinceMs(seen, ...low(5, 40), [45, { volts: 30 }], ...low(50, 105))).to.equal(null);
    expect(sinceMs(seen, ...low(5, 40), [45, { charge: 100 }], ...low(50, 70))).to.equal(70_000);
  });

  it('is not shown by a reading without a voltage, and does not begin with one', () => {
    const unread = [5, { charge: 100 }] as const;
    expect(sinceMs(seen, unread, ...every5(10, 70, { volts: 0 }))).to.equal(null);
    expect(sinceMs(seen, unread, ...every5(10, 75, { volts: 0 }))).to.equal(75_000);
    const low = every5(5, 65, { volts: 0 });
    expect(after([seen, ...low, [70, {}]])).to.deep.include({ shown: 1, gone: 0, sinceMs: null });
    expect(after([seen, ...low, [70, { charge: 100 }]])).to.deep.include({ shown: 0, gone: 1 });
  });

  it('is known of the UPS after OB too', () => {
    expect(after([seen, [5, { words: 'OB' }]])).to.deep.equal({ ...noDoubt, hasVoltage: true });
    expect(after([[5, { words: 'OB' }]])).to.equal(noDoubt);
    const low = every5(10, 75, { volts: 0 });
    expect(sinceMs(seen, [5, { words: 'OB' }], ...low)).to.equal(75_000);
  });
});

describe('a contradiction', () => {
  const high = [0, { charge: 100 }] as const;
  const low = [
    [5, { charge: 90 }],
    [10, { charge: 90 }],
  ] as const;

  it('stands since the reading that confirmed it, and ends with as many that do not show it', () => {
    const stands = after([high, ...low, [15, { charge: 89 }]]);
    expect(stands).to.deep.include({ sinceMs: 10_000, acts: true, shown: 2 });
    const once = after([high, ...low, [15, { charge: 99 }]]);
    expect(once).to.deep.include({ sinceMs: 10_000, acts: true, gone: 1 });
    expect(once.why).to.equal('the charge falls on line power, from 100 % to 90 % within 10 min');
    const over = after([high, ...low, [15, { charge: 99 }], [20, { charge: 99 }]]);
    expect(over).to.deep.include({ sinceMs: null, acts: false, why: '', gone: 2 });
    expect(after([high, low[0]]).why).to.equal('');
  });

  it('is the same for a snapshot while its begin, its effect and what is known of the voltage are', () => {
    const doubt = after([high, ...low]);
    expect(sameDoubt(doubt, { ...doubt, shown: 1, gone: 1 })).to.equal(true);
    expect(sameDoubt(doubt, { ...doubt, sinceMs: 5_000 })).to.equal(false);
    expect(sameDoubt(doubt, { ...doubt, acts: false })).to.equal(false);
    expect(sameDoubt(doubt, { ...doubt, hasVoltage: true })).to.equal(false);
  });
});
