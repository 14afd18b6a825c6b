import { expect } from 'chai';
import type { Fault, Target } from '../../fixtures/faults.js';
import { sufferFault } from '../../fixtures/faults.js';

const checkIntervalMs = 1_000;

/** The rest of the table is `npm run bench faults`. */
const table: readonly (readonly [Fault, Target, string])[] = [
  ['spin', 'poller', 'a poller in an endless loop'],
  ['allocate', 'poller', 'a poller that takes a gigabyte'],
  ['flood', 'poller', 'a poller that floods its port'],
  ['kill', 'host', 'a killed host process'],
  ['spin', 'api', 'an API worker in an endless loop'],
  ['flood', 'api', 'an API worker that floods its channel'],
  ['kill', 'log', 'a killed log process'],
];

describe('a daemon with a broken worker', function () {
  this.timeout(60_000);
  for (const [fault, target, words] of table) {
    it(`goes on polling and acts in time beside ${words}, which is back within 3 s`, async () => {
      const report = await sufferFault(fault, target);
      expect(report.longestGapMs, 'gap in the polling of the others').to.be.below(2 * checkIntervalMs);
      expect(report.backMs, 'until it is back').to.be.below(3_000);
      expect(report.triggerMs, 'from FSD to the command').to.be.below(checkIntervalMs + 150);
    });
  }
});
