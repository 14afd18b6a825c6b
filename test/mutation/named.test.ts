// Every named way to break the program is noticed by the tests of policy or by the simulation.
import { expect } from 'chai';
import { namedMutants } from './named-mutants.js';
import { tryAll, tryUnbroken } from './pool.js';

/** Half a minute on two idle cores. */
const limitMs = 15 * 60_000;

describe('a broken policy', function () {
  this.timeout(limitMs);

  it('is noticed, whichever of the named ways it is broken in', async () => {
    expect(await tryUnbroken(), 'what is wrong without breaking anything').to.equal(null);
    const mutants = namedMutants();
    const survivors: string[] = [];
    await tryAll(mutants, 2, ({ mutant, caughtBy }) => {
      if (caughtBy === null) survivors.push(mutant.context);
    });
    expect(mutants.length).to.be.at.least(30);
    expect(survivors, 'ways that nothing notices').to.deep.equal([]);
  });
});
