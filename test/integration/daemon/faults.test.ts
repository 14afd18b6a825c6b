// What must hold on any machine, however busy. `npm run bench faults` measures the times and the other faults.
import { expect } from 'chai';
import type { Fault, Target } from '../../fixtures/faults.js';
import { measureFault } from '../../fixtures/faults.js';

const table: readonly (readonly [Fault, Target, string])[] = [
  ['stall', 'poller', 'a process of pollers that does not return to its event loop'],
  ['allocate', 'poller', 'a process of pollers that takes a gigabyte'],
  ['flood', 'poller', 'a process of pollers that floods its link'],
  ['kill', 'poller', 'a killed process of pollers'],
  ['stall', 'api', 'an API worker that does not return to its event loop'],
  ['flood', 'api', 'an API worker that floods its link'],
  ['kill', 'log', 'a killed log process'],
];

describe('a daemon with a broken worker', () => {
  for (const [fault, target, words] of table) {
    it(`keeps polling and acting with ${words}, and restarts it`, async () => {
      // Returns when the worker is back, the others were polled again and the power-off command has run.
      const report = await measureFault(fault, target);
      expect(report.othersLost, 'workers lost besides it').to.deep.equal([]);
      expect(report.othersUnread, 'UPSes that were lost').to.deep.equal([]);
    });
  }
});
