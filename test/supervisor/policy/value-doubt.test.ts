import { expect } from 'chai';
import { reading, settingsOf, Stepper } from './stream.js';

const bad = reading('OB', { chargePercent: 5, runtimeSeconds: 3000 });
const good = reading('OB', { chargePercent: 80, runtimeSeconds: 3000 });

/** On battery for a minute, then a poll each 5 s whose answers take as long as a server that is slow lets them. */
function slowly(tookMs: number, polls: number): Stepper {
  const stepper = new Stepper(settingsOf('ups a extended=off hold=30s delay=0s')).polls('a', good, 60);
  for (let count = 0; count < polls; count += 1) {
    stepper.wait(5_000);
    const askedMs = stepper.nowMs - tookMs;
    stepper.input({ kind: 'polled', at: stepper.at, groupId: 'a', outcome: bad, tookMs, askedMs });
  }
  return stepper;
}

describe('a value in doubt', () => {
  it('was shown until the last answer with it was asked for: it may have left the driver then', () => {
    // 35 s after the first answer with it comes one that was asked for 29 s after it.
    expect(slowly(6_000, 8).starts).to.deep.equal([]);
    expect(slowly(6_000, 9).starts).to.deep.equal(['a']);
  });

  it('acts by the first answer after the hold where the server is fast', () => {
    expect(slowly(0, 7).starts).to.deep.equal([]);
    expect(slowly(0, 8).starts).to.deep.equal(['a']);
  });
});
