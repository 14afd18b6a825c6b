import { expect } from 'chai';
import { pairs, short, singles } from './cases.js';
import { moments, parts } from './fault.js';
import { catalogue, faultNamed } from './faults/catalogue.js';

describe('the cases of the torture run', () => {
  it('contain every fault alone at every moment', () => {
    expect(singles(1)).to.have.length(catalogue.length * moments.length);
    expect(new Set(catalogue.map(({ name }) => name)).size).to.equal(catalogue.length);
    expect(new Set(catalogue.map(({ part }) => part))).to.have.all.keys(...parts);
  });

  it('are the same for the same seed and different for another seed', () => {
    expect(pairs(7, 40)).to.deep.equal(pairs(7, 40));
    expect(singles(7)).to.deep.equal(singles(7));
    expect(pairs(8, 40)).not.to.deep.equal(pairs(7, 40));
  });

  it('pair faults of different parts at every moment, no pair twice', () => {
    const drawn = pairs(1, 200);
    expect(drawn).to.have.length(200);
    for (const { faults } of drawn) {
      const [one, other] = faults.map((name) => faultNamed(name).part);
      expect(one, faults.join()).not.to.equal(other);
    }
    expect(
      new Set(drawn.map(({ moment, faults }) => `${moment} ${[...faults].sort().join()}`)).size,
    ).to.equal(200);
    expect(new Set(drawn.map(({ moment }) => moment))).to.have.all.keys(...moments);
  });

  it('number twelve in the short form and use existing faults', () => {
    expect(short(1)).to.have.length(12);
    for (const { faults } of short(1)) expect(() => faults.map(faultNamed)).not.to.throw();
  });
});
