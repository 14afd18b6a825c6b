import { expect } from 'chai';
import { endDateOf } from '../../../../supervisor/sequence/journal/fold.js';

describe('the date of the end of a step', () => {
  const step = { beganMs: 1_000, beganUnixSeconds: 1_790_000_000 };

  it('is as far from its begin as the clock of the boot says, whatever the wall clock was set to', () => {
    const ended = { outcome: { kind: 'done' as const }, atMs: 31_500, unixSeconds: 30 };
    expect(endDateOf({ ...step, ended })).to.equal(1_790_000_030.5);
    expect(endDateOf({ ...step, ended: null })).to.equal(null);
  });
});
