// The test of one list of named mutants: all are caught but those of `npm run mutation:named -- --integration`.
import { expect } from 'chai';
import { isBundled } from './bundled.js';
import { isStale, namedMutants } from './named-mutants.js';
import { tryAll, tryUnbroken } from './pool.js';

/** Far more than half a minute of a processor, on a busy machine. */
const limitMs = 60 * 60_000;

/** On one thread: other tests have the other processors. `least`: how many the list has at least. */
export function catchesEachOf(list: string, least: number): void {
  it(`of ${list} is caught by the unit tests or by the simulation`, async function () {
    this.timeout(limitMs);
    const mutants = namedMutants(list).filter((mutant) => !isBundled(mutant));
    const survivors: string[] = [];
    const stale: string[] = [];
    const unproven = await tryAll(mutants, 1, (outcome) => {
      if (outcome.caughtBy === null) survivors.push(outcome.mutant.context);
      if (isStale(outcome)) stale.push(outcome.mutant.context);
    });
    if (stale.length > 0)
      process.stderr.write(`npm run mutation:named -- --write would save time: ${stale.join('; ')}\n`);
    expect(mutants.length).to.be.at.least(least);
    expect(survivors, 'ways that nothing notices').to.deep.equal([]);
    expect(await tryUnbroken(unproven), 'what is wrong without breaking anything').to.equal(null);
  });
}
