import { expect } from 'chai';
import { upsOf } from '../../../../supervisor/policy/state/state.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const start = (): Stepper => new Stepper(settingsOf('ups a trust=charge'));
const doubt = (stepper: Stepper) => {
  const ups = upsOf(stepper.state, 'a');
  if (ups === undefined) throw new Error('no UPS');
  return ups.doubt;
};
const at = (charge: number | null, words = 'OL') => reading(words, { chargePercent: charge });

describe('doubt about line power', () => {
  it('needs a fall of five points', () => {
    const stepper = start().polls('a', at(100), 10).polls('a', at(95.1), 300);
    expect(doubt(stepper).sinceMs).to.equal(null);
    expect(doubt(stepper.polls('a', at(95), 3)).why).to.equal(
      'the charge falls on line power, from 100 % to 95 % within 10 min',
    );
  });

  it('does not follow from a fall that takes longer than ten minutes', () => {
    const stepper = start();
    for (let charge = 100; charge > 60; charge -= 1) stepper.polls('a', at(charge), 150);
    expect(doubt(stepper).sinceMs).to.equal(null);
  });

  it('begins with two readings and ends with two', () => {
    const stepper = start().polls('a', at(100), 5).polls('a', at(90), 1);
    expect(doubt(stepper).acts).to.equal(false);
    expect(doubt(stepper.polls('a', at(90), 1)).acts).to.equal(true);
    expect(doubt(stepper.polls('a', at(99), 1)).acts).to.equal(true);
    expect(doubt(stepper.polls('a', at(99), 1)).acts).to.equal(false);
  });

  it('is kept by a reading without a charge', () => {
    const stepper = start().polls('a', at(100), 5).polls('a', at(90), 5);
    expect(doubt(stepper.polls('a', at(null), 30)).acts).to.equal(true);
  });

  it('ends with OB, which is an outage of its own', () => {
    const stepper = start().polls('a', at(100), 5).polls('a', at(90), 5).polls('a', at(90, 'OB'), 1);
    expect(doubt(stepper).sinceMs).to.equal(null);
    expect(upsOf(stepper.state, 'a')?.line.kind).to.equal('outage');
  });

  it('does not follow from the late charge of an outage that has just ended, where the daemon stood still', () => {
    const late = (askedMs: number) => {
      const stepper = start().polls('a', at(100), 5).polls('a', at(100, 'OB'), 5).polls('a', at(100), 2);
      const endedMs = stepper.nowMs;
      stepper.nowMs += 100_000;
      for (const [ms, charge] of [
        [askedMs, 100],
        [askedMs, 90],
        [askedMs, 90],
      ] as const)
        stepper.input({
          kind: 'polled',
          groupId: 'a',
          outcome: at(charge),
          at: stepper.at,
          askedMs: endedMs + ms,
        });
      return doubt(stepper).acts;
    };
    expect([late(59_999), late(60_000)]).to.deep.equal([false, true]);
  });

  it('remembers at most sixty charges of a steady fall', () => {
    const stepper = start();
    for (let second = 0; second < 2_000; second += 1) stepper.polls('a', at(100 - second / 1_000), 1);
    expect(doubt(stepper).highs.length).to.be.at.most(62);
  });
});
