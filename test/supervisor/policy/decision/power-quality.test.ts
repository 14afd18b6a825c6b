import { expect } from 'chai';
import type { Anomaly } from '../../../../supervisor/policy/power/anomaly.js';
import { anomalyAfter, noAnomaly } from '../../../../supervisor/policy/power/anomaly.js';
import type { Nominal } from '../../../../supervisor/policy/power/nominal-voltage.js';
import { nominalAfter } from '../../../../supervisor/policy/power/nominal-voltage.js';
import { bandOf, noVoltage, voltageAfter } from '../../../../supervisor/policy/power/voltage.js';
import type { Voltage, VoltageChange } from '../../../../supervisor/policy/power/voltage.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const unknown: Nominal = { reportedVolts: null, learned: [], nominalVolts: null };

/** The nominal voltage after these readings on line power. */
function learned(volts: readonly number[], reported: number | null = null): Nominal {
  return volts.reduce<Nominal>(
    (nominal, one) => nominalAfter(nominal, reported, one)?.nominal ?? nominal,
    unknown,
  );
}

describe('the nominal voltage', () => {
  const snaps: readonly [number, number][] = [
    [230, 230],
    [235, 230],
    [236, 240],
    [254, 240],
    [255, 240],
    [256, 256],
    [190, 200],
    [185, 200],
    [184, 184],
    [142, 127],
    [142.5, 142.5],
    [117.5, 115],
    [85, 100],
    [84, 84],
    [50, 50],
  ];
  for (const [reported, nominal] of snaps) {
    it(`is ${String(nominal)} V when the UPS reports ${String(reported)} V`, () => {
      expect(nominalAfter(unknown, reported, null)?.nominal.nominalVolts).to.equal(nominal);
    });
  }

  it('is the reported one for each standard voltage', () => {
    const grid = [100, 110, 115, 120, 127, 200, 208, 220, 230, 240, 277, 380, 400, 415, 480];
    expect(grid.map((volts) => nominalAfter(unknown, volts, null)?.nominal.nominalVolts)).to.deep.equal(grid);
  });

  it('is learned from readings of 50 V', () => {
    expect(learned(Array.from({ length: 10 }, () => 50)).nominalVolts).to.equal(50);
  });

  it('is not taken from a report below 50 V', () => {
    expect(nominalAfter(unknown, 49.9, null)).to.equal(null);
    expect(nominalAfter(unknown, 0, null)).to.equal(null);
  });

  it('is the median of the first ten plausible readings when the UPS reports none', () => {
    const nine = [231, 229, 228, 232, 0, 49, 230, 226, 234, 225, 235];
    expect(learned(nine).nominalVolts).to.equal(null);
    expect(learned([...nine, 180]).nominalVolts).to.equal(230);
    expect(learned([120, 120, 120, 120, 120, 150, 150, 150, 150, 150]).nominalVolts).to.equal(135 - 8);
    expect(learned([230, 230, 230, 230, 120, 120, 230, 230, 230, 230]).nominalVolts).to.equal(230);
    expect(learned([59, 58, 57, 56, 55, 54, 53, 52, 51, 50]).nominalVolts).to.equal(54.5);
  });

  it('is replaced once by the first ten readings when they are more than 25 V off', () => {
    const ten = (volts: number) => Array.from({ length: 10 }, () => volts);
    expect(learned(ten(205), 230).nominalVolts).to.equal(230);
    expect(learned(ten(204.9), 230).nominalVolts).to.equal(208);
    const done = learned([...ten(100).slice(5), ...ten(230).slice(5)], 120);
    expect(done.nominalVolts, 'median 165, of no grid').to.equal(120);
    expect(nominalAfter(done, 120, 230), 'ten readings are all').to.equal(null);
    const corrected = learned([...ten(230), ...ten(120)], 120);
    expect(corrected.nominalVolts).to.equal(230);
    expect(nominalAfter(corrected, 120, 120)).to.equal(null);
  });

  it('is learned again when the UPS reports another one', () => {
    const before = learned(
      Array.from({ length: 10 }, () => 230),
      230,
    );
    expect(nominalAfter(before, 120, null)?.nominal).to.deep.equal({
      reportedVolts: 120,
      learned: [],
      nominalVolts: 120,
    });
  });
});

describe('the band', () => {
  it('is 5, 10 or 15 % to each side, to one decimal place', () => {
    expect(bandOf(230, 'tight')).to.deep.equal({ low: 218.5, high: 241.5 });
    expect(bandOf(230, 'normal')).to.deep.equal({ low: 207, high: 253 });
    expect(bandOf(230, 'loose')).to.deep.equal({ low: 195.5, high: 264.5 });
    expect(bandOf(127, 'tight')).to.deep.equal({ low: 120.7, high: 133.4 });
  });
});

const instantly = { sensitivity: 'normal', hysteresisMs: 0, holdMs: 0 } as const;

describe('the voltage', () => {
  let voltage: Voltage;
  let news: VoltageChange[];
  const see = (volts: number | null, ms: number, onLine = true, hysteresisMs = 30_000) => {
    const mains = { onLine, highestVolts: volts, lowestVolts: volts, nominalVolts: 230 };
    const step = voltageAfter(voltage, mains, { sensitivity: 'normal', hysteresisMs, holdMs: 0 }, ms, ms);
    voltage = step.voltage;
    news.push(...step.changes);
    return voltage.state;
  };
  const kinds = () => news.map(({ kind }) => kind);
  beforeEach(() => {
    [voltage, news] = [noVoltage, []];
  });

  it('is unknown without OL, without a reading and without a nominal voltage', () => {
    expect(see(230, 0, false)).to.equal('UNKNOWN');
    expect(see(null, 0)).to.equal('UNKNOWN');
    expect(see(230, 0)).to.equal('NORMAL');
    const unlearned = voltageAfter(
      noVoltage,
      { onLine: true, highestVolts: 230, lowestVolts: 230, nominalVolts: null },
      instantly,
      0,
      0,
    );
    expect(unlearned.voltage.state).to.equal('UNKNOWN');
  });

  it('has no learned nominal voltage without line power', () => {
    const off = { onLine: false, highestVolts: 120, lowestVolts: 120, nominalVolts: null };
    for (let second = 0; second < 12; second += 1)
      voltage = voltageAfter(voltage, off, instantly, second * 1000, second * 1000).voltage;
    expect(voltage.nominalVolts).to.equal(null);
    for (let second = 12; second < 24; second += 1)
      voltage = voltageAfter(
        voltage,
        { ...off, onLine: true },
        instantly,
        second * 1000,
        second * 1000,
      ).voltage;
    expect(voltage.nominalVolts).to.equal(120);
  });

  it('is low strictly below and high strictly above the band', () => {
    expect([see(207, 0), see(206.9, 0), see(253, 0), see(253.1, 0)]).to.deep.equal([
      'NORMAL',
      'LOW',
      'NORMAL',
      'HIGH',
    ]);
  });

  it('is reported once after the hysteresis', () => {
    see(200, 0);
    see(200, 29_999);
    expect(kinds()).to.deep.equal(['left']);
    see(200, 30_000);
    see(200, 90_000);
    expect(kinds()).to.deep.equal(['left', 'report']);
    see(230, 91_000);
    expect(news.at(-1)).to.deep.equal({ kind: 'normalized', lastedMs: 91_000 });
  });

  it('is reported immediately at a deviation above 15 %, and not at exactly 15 %', () => {
    see(195.5, 0);
    expect(kinds()).to.deep.equal(['left']);
    see(195.4, 1_000);
    expect(news.at(-1)).to.deep.equal({ kind: 'report', side: 'LOW', severe: true });
    see(264.6, 2_000);
    expect(news.slice(-2)).to.deep.equal([
      { kind: 'left', side: 'HIGH' },
      { kind: 'report', side: 'HIGH', severe: true },
    ]);
  });

  it('is reported immediately without a hysteresis', () => {
    see(200, 0, true, 0);
    expect(kinds()).to.deep.equal(['left', 'report']);
  });

  it('keeps its reported state through an outage', () => {
    see(200, 0);
    see(200, 30_000);
    see(null, 40_000, false);
    expect(see(200, 50_000)).to.equal('LOW');
    see(230, 60_000);
    expect(kinds()).to.deep.equal(['left', 'report', 'normalized']);
  });
});

describe('a battery anomaly', () => {
  /** The falls found in charges at these seconds. */
  function falls(...charges: readonly (readonly [number, number])[]): readonly string[] {
    let anomaly: Anomaly = noAnomaly;
    return charges.flatMap(([seconds, percent]) => {
      const step = anomalyAfter(anomaly, { atMs: seconds * 1000, percent });
      anomaly = step.anomaly;
      return step.fall === null ? [] : [`${String(step.fall.fromPercent)}-${String(step.fall.toPercent)}`];
    });
  }

  it('is a fall of more than 20 points in three polls', () => {
    expect(falls([0, 100], [1, 79], [2, 79])).to.deep.equal([]);
    expect(falls([0, 100], [1, 79], [2, 79], [3, 79])).to.deep.equal(['100-79']);
    expect(falls([0, 100], [1, 80], [2, 80], [3, 80])).to.deep.equal([]);
  });

  it('counts its three polls from the first one that shows a fall of more than 20 points', () => {
    expect(falls([0, 100], [1, 80], [2, 79], [3, 79])).to.deep.equal([]);
    expect(falls([0, 100], [1, 80], [2, 79], [3, 79], [4, 79])).to.deep.equal(['100-79']);
  });

  it('is a fall within 120 s, at any time', () => {
    const at = (second: number) =>
      falls([5_000, 100], [second, 79], [second + 1, 79], [second + 2, 79]).length;
    expect([at(5_001), at(5_120), at(5_120.001)]).to.deep.equal([1, 1, 0]);
  });

  it('keeps only the last reading of a steady charge', () => {
    let anomaly = noAnomaly;
    for (let second = 0; second < 100; second += 1) {
      anomaly = anomalyAfter(anomaly, { atMs: second * 1000, percent: 100 }).anomaly;
    }
    expect(anomaly.highs).to.deep.equal([{ atMs: 99_000, percent: 100 }]);
  });

  it('is reported once', () => {
    expect(falls([0, 100], [1, 70], [2, 70], [3, 70], [4, 70], [5, 70], [6, 70])).to.deep.equal(['100-70']);
  });

  it('is discarded when the charge recovers by more than 10 points, and reported when it recovers by less', () => {
    expect(falls([0, 100], [1, 70], [2, 81], [3, 70], [4, 70])).to.deep.equal([]);
    expect(falls([0, 100], [1, 70], [2, 80], [3, 79])).to.deep.equal(['100-70']);
    expect(falls([0, 100], [1, 75], [2, 75], [3, 80])).to.deep.equal(['100-75']);
    expect(falls([0, 100], [1, 75], [2, 75], [3, 85])).to.deep.equal(['100-75']);
    expect(falls([0, 100], [1, 75], [2, 75], [3, 86])).to.deep.equal([]);
  });

  it('is measured from the highest charge of the last two minutes', () => {
    expect(falls([0, 100], [60, 90], [120, 79], [121, 79], [122, 79])).to.deep.equal(['100-79']);
    expect(falls([0, 100], [60, 90], [121, 79], [122, 79], [123, 79])).to.deep.equal([]);
    expect(falls([0, 100], [60, 90], [120.001, 79], [121, 79], [122, 79])).to.deep.equal([]);
    expect(falls([0, 80], [10, 95], [20, 74], [21, 74], [22, 74])).to.deep.equal(['95-74']);
  });
});

describe('a slow server', () => {
  const slow = (stepper: Stepper, tookMs: number) =>
    stepper.input({ kind: 'polled', at: stepper.at, groupId: 'a', outcome: reading('OL'), tookMs });

  it('is recorded from 2 s on, at most every five minutes', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    slow(stepper, 1_999);
    expect(stepper.events).to.deep.equal([]);
    slow(stepper, 2_000);
    stepper.nowMs += 299_999;
    slow(stepper, 9_000);
    expect(stepper.events).to.deep.equal(['a SLOW_NUT_RESPONSE']);
    stepper.nowMs += 1;
    slow(stepper, 9_000);
    expect(stepper.events).to.have.length(2);
  });
});
