import { expect } from 'chai';
import { repeated, unitConditions, wholeConditions } from './conditions.js';

const all = [...unitConditions, ...wholeConditions];

describe('the conditions of test:hold', () => {
  it('are many, and each has a name of its own', () => {
    expect(unitConditions.length).to.be.at.least(24);
    expect(wholeConditions.length).to.be.at.least(6);
    const names = [...all, ...repeated('all', 3, 4)].map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });

  for (const { name, begins, zone } of all)
    it(`begin by the local clock that their name says: ${name}`, () => {
      const shown = new Date(begins ?? '').toLocaleString('sv-SE', { timeZone: zone });
      expect(shown.replace(' ', 'T')).to.equal(begins?.slice(0, 19));
    });

  it('include both hours of each zone whose clock shows them twice', () => {
    for (const [zone, local] of [
      ['Europe/Berlin', '2027-10-31T02:30:00'],
      ['America/New_York', '2027-11-07T01:30:00'],
    ]) {
      const moments = unitConditions.flatMap((one) =>
        one.zone === zone && one.begins?.startsWith(local ?? '') === true ? [Date.parse(one.begins)] : [],
      );
      expect(Math.max(...moments) - Math.min(...moments)).to.equal(3_600_000);
    }
  });
});
