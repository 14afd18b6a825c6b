// The tests of policy or the simulation catch every named mutant.
import { expect } from 'chai';
import { namedMutants } from './named-mutants.js';
import { tryAll, tryUnbroken } from './pool.js';

/** Three minutes on two idle cores; beside other tests it took fifteen. */
const limitMs = 60 * 60_000;

describe('a named mutant of the program', function () {
  this.timeout(limitMs);

  it('is caught by the tests of policy or by the simulation', async () => {
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
