// The tests of policy or the simulation catch every named mutant.
import { expect } from 'chai';
import { isStale, namedMutants } from './named-mutants.js';
import { tryAll, tryUnbroken } from './pool.js';

/** A minute on an idle core. */
const limitMs = 60 * 60_000;

describe('a named mutant of the program', function () {
  this.timeout(limitMs);

  it('is caught by the tests of policy or by the simulation', async () => {
    const mutants = namedMutants();
    const survivors: string[] = [];
    const stale: string[] = [];
    const areSound = await tryAll(mutants, 1, (outcome) => {
      if (outcome.caughtBy === null) survivors.push(outcome.mutant.context);
      if (isStale(outcome)) stale.push(outcome.mutant.context);
    });
    if (stale.length > 0)
      process.stderr.write(`npm run mutation:named -- --write would save time: ${stale.join('; ')}\n`);
    expect(mutants.length).to.be.at.least(30);
    expect(survivors, 'ways that nothing notices').to.deep.equal([]);
    if (areSound && stale.length === 0) return;
    expect(await tryUnbroken(mutants), 'what is wrong without breaking anything').to.equal(null);
  });
});
