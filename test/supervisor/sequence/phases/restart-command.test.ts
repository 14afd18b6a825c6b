import { expect } from 'chai';
import type { StepOutcome } from '../../../../supervisor/sequence/outcome.js';
import { mayHaveBeenGiven } from '../../../../supervisor/sequence/phases/restart-command.js';

const failed = (change: Partial<Extract<StepOutcome, { kind: 'failed' }>>): StepOutcome => ({
  ...{ kind: 'failed', how: 'failed', reason: 'no' },
  ...change,
});

describe('a restart of this host', () => {
  it('may have been given where its command has not answered, and where nobody knows whether it was sent', () => {
    const doubts = [failed({ how: 'timeout' }), failed({ how: 'timeout', neverSent: true, maybeSent: true })];
    for (const outcome of [{ kind: 'done' } as const, ...doubts])
      expect(mayHaveBeenGiven(outcome), JSON.stringify(outcome)).to.equal(true);
  });

  it('was refused where its command failed, and where no login to the delegate came, in time or at all', () => {
    const refusals = [{}, { neverSent: true }, { how: 'timeout', neverSent: true } as const];
    for (const change of refusals)
      expect(mayHaveBeenGiven(failed(change)), JSON.stringify(change)).to.equal(false);
  });
});
