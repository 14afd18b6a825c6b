import { expect } from 'chai';
import { play } from './play.js';
import { Random } from './random.js';
import { generateScenario } from './generator/scenario.js';

describe('a run of the simulation', () => {
  it('has the same course for the same seed', async () => {
    const once = await play(generateScenario(7, 3));
    const again = await play(generateScenario(7, 3));
    expect(again).to.deep.equal(once);
    expect(generateScenario(7, 3)).to.deep.equal(generateScenario(7, 3));
    expect(generateScenario(7, 4)).to.not.deep.equal(generateScenario(7, 3));
  });

  it('draws evenly distributed numbers for any seed', () => {
    for (const seed of [0, 1, 2, 4_294_967_295]) {
      const random = new Random(seed);
      const numbers = Array.from({ length: 10_000 }, () => random.integer(0, 9));
      for (let digit = 0; digit < 10; digit += 1) {
        const share = numbers.filter((number) => number === digit).length;
        expect(share, `digit ${String(digit)} of seed ${String(seed)}`).to.be.within(850, 1_150);
      }
    }
  });
});
