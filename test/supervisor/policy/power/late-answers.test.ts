// What readings show counts until the last of them was asked for: the daemon may stand still before it handles an answer.
import { expect } from 'chai';
import { reading, settingsOf, Stepper } from '../stream.js';

const full = { chargePercent: 90, runtimeSeconds: 3000 };

/** After a minute on battery two readings with the words: the second one asked for after `askedMs` and handled after 40 s. */
function twice(
  words: string,
  askedMs: number,
  configuration = 'ups a extended=off delay=0s failsafe=90s',
): Stepper {
  const stepper = new Stepper(settingsOf(configuration)).polls('a', reading('OB', full), 60);
  const shown = { kind: 'polled', groupId: 'a', outcome: reading(words, full) } as const;
  stepper.wait(1_000);
  const firstMs = stepper.nowMs;
  stepper.input({ ...shown, at: stepper.at, askedMs: firstMs });
  stepper.wait(40_000);
  stepper.input({ ...shown, at: stepper.at, askedMs: firstMs + askedMs });
  return stepper;
}

describe('two answers, of which the daemon handles the second one late', () => {
  it('are one sample of LB where both were asked for within the hold of the status', () => {
    expect(twice('OB LB', 2_000).starts).to.deep.equal([]);
    expect(twice('OB LB', 2_001).starts).to.deep.equal(['a']);
  });

  it('are no half minute of OFF', () => {
    expect(twice('OFF', 29_999).starts).to.deep.equal([]);
    expect(twice('OFF', 30_000).starts).to.deep.equal(['a']);
  });
});
