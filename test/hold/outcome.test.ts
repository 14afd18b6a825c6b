import { expect } from 'chai';
import { outcomeOf } from './outcome.js';

describe('the outcome of a run of the tests', () => {
  it('has the totals of its last line and the titles of what failed', () => {
    const printed = [
      'FAILED in 2.0 s: units 1, 2 passed, 1 failed',
      'what went wrong:',
      '',
      'FAILED: a schedule is due',
      '  file: test/x.test.ts',
      '  FAILED: no title',
      '12 s, 20 s of processor time on 2 processors',
      '2 passed, 1 failed, 4 skipped',
      '',
    ].join('\n');
    expect(outcomeOf(printed, '1')).to.deep.equal({
      ...{ passed: 2, failed: 1, skipped: 4 },
      failures: ['a schedule is due'],
    });
    expect(outcomeOf('9 passed, 0 failed\n', '0')).to.deep.equal({
      ...{ passed: 9, failed: 0, skipped: 0, failures: [] },
    });
  });

  it('is a failure where the run does not get to its end, or its exit says another thing than its totals', () => {
    expect(outcomeOf('building\nnpm: no network\n', '1').failures).to.deep.equal([
      'it ended with 1: npm: no network',
    ]);
    expect(outcomeOf('', 'SIGKILL')).to.include({ passed: 0, failed: 1 });
    expect(outcomeOf('9 passed, 0 failed\n', 'SIGSEGV')).to.include({ failed: 1 });
  });
});
