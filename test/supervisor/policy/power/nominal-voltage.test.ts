import { expect } from 'chai';
import type { Nominal } from '../../../../supervisor/policy/power/nominal-voltage.js';
import { mayHaveMains, nominalAfter } from '../../../../supervisor/policy/power/nominal-voltage.js';

describe('mains', () => {
  it('may be there above half of the nominal voltage, above 50 V where that is unknown, or without a reading', () => {
    expect([115, 115.1, null].map((volts) => mayHaveMains(volts, 230))).to.deep.equal([false, true, true]);
    expect([50, 50.1, null].map((volts) => mayHaveMains(volts, null))).to.deep.equal([false, true, true]);
    expect(mayHaveMains(0, 230)).to.equal(false);
  });
});

describe('what is learned of the nominal voltage', () => {
  const nine: Nominal = {
    reportedVolts: 230,
    learned: Array.from({ length: 9 }, () => 230),
    nominalVolts: 230,
  };

  it('is not begun again by the same report', () => {
    expect(nominalAfter(nine, 230, 229)).to.deep.equal({
      nominal: { ...nine, learned: [...nine.learned, 229] },
      mismatch: null,
    });
  });

  it('is not begun again by a report below 50 V', () => {
    expect(nominalAfter(nine, 49.9, null)).to.equal(null);
    expect(nominalAfter(nine, 50, null)?.nominal).to.deep.equal({
      reportedVolts: 50,
      learned: [],
      nominalVolts: 50,
    });
  });

  it('begins with the reading of another report', () => {
    expect(nominalAfter(nine, 120, 121)?.nominal).to.deep.equal({
      reportedVolts: 120,
      learned: [121],
      nominalVolts: 120,
    });
  });

  it('is the median of ten, which names both voltages where it replaces a reported one', () => {
    const median = nominalAfter({ ...nine, reportedVolts: 120, nominalVolts: 120 }, 120, 230);
    expect(median?.mismatch).to.deep.equal({ beforeVolts: 120, afterVolts: 230 });
    expect(nominalAfter({ ...nine, nominalVolts: null }, null, 230)?.mismatch, 'nothing reported').to.equal(
      null,
    );
  });

  it('is what was reported where the readings are of no grid', () => {
    const tenth = (volts: number) =>
      nominalAfter({ ...nine, learned: Array.from({ length: 9 }, () => volts) }, 230, volts);
    expect(tenth(299)).to.deep.include({ mismatch: null });
    expect(tenth(299)?.nominal.nominalVolts).to.equal(230);
    expect(tenth(397)?.mismatch).to.deep.equal({ beforeVolts: 230, afterVolts: 400 });
  });
});
