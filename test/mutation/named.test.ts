// The unit tests or the simulation catch every named mutant but those of `npm run mutation:named -- --integration`.
import { expect } from 'chai';
import { isBundled } from './bundled.js';
import { isStale, namedMutants } from './named-mutants.js';
import { tryAll, tryUnbroken } from './pool.js';
import { isTest } from './relevant.js';

/** A minute on an idle core. */
const limitMs = 60 * 60_000;

describe('a named mutant of the program', function () {
  this.timeout(limitMs);

  it('is caught by the unit tests or by the simulation', async () => {
    const mutants = namedMutants().filter((mutant) => !isBundled(mutant));
    const survivors: string[] = [];
    const stale: string[] = [];
    const catchers = new Set<string>();
    const areSound = await tryAll(mutants, 1, (outcome) => {
      if (outcome.caughtBy === null) survivors.push(outcome.mutant.context);
      if (isStale(outcome)) stale.push(outcome.mutant.context);
      const [catcher = ''] = outcome.caughtBy?.split(': ') ?? [];
      if (isTest(catcher)) catchers.add(catcher);
    });
    if (stale.length > 0)
      process.stderr.write(`npm run mutation:named -- --write would save time: ${stale.join('; ')}\n`);
    expect(mutants.length).to.be.at.least(300);
    expect(survivors, 'ways that nothing notices').to.deep.equal([]);
    if (areSound && stale.length === 0) return;
    for (const one of catchers)
      expect(await tryUnbroken([one]), 'what is wrong without breaking anything').to.equal(null);
  });
});
