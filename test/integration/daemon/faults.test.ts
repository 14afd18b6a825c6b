import { expect } from 'chai';
import type { Fault, Target } from '../../fixtures/faults.js';
import { measureFault } from '../../fixtures/faults.js';

/**
 * What must hold on any machine, however busy; the figures themselves (gaps of one interval, back within 3 s, one
 * interval to the command) and the rest of the table are `npm run bench faults`.
 */
const longestGapMs = 4_000;
const backWithinMs = 15_000;
const actsWithinMs = 5_000;

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
    it(`goes on polling and acts in time beside ${words}, which comes back`, async () => {
      const report = await measureFault(fault, target);
      expect(report.longestGapMs, 'gap in the polling of the others').to.be.below(longestGapMs);
      expect(report.backMs, 'until it is back').to.be.below(backWithinMs);
      expect(report.triggerMs, 'from FSD to the command').to.be.below(actsWithinMs);
    });
  }
});
