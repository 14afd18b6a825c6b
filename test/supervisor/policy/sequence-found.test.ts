import { expect } from 'chai';
import { reading, settingsOf, Stepper } from './stream.js';

const demand = { trigger: 'LOW_BATTERY', why: 'charge 5 %' } as const;
const low = reading('OB', { chargePercent: 5, runtimeSeconds: 60 });

describe('a sequence that is found and that policy does not know', () => {
  const found = (stepper: Stepper) =>
    stepper.input({ kind: 'sequenceFound', at: stepper.at, group: 'a', demand, sinceUnixSeconds: 1 });

  it('is the one sequence of this outage: none is started beside it', () => {
    const stepper = new Stepper(settingsOf('ups a delay=0s'));
    found(stepper);
    stepper.polls('a', low, 10);
    expect(stepper.starts).to.deep.equal([]);
  });

  it('changes nothing for a group that has one', () => {
    const stepper = new Stepper(settingsOf('ups a delay=0s'));
    stepper.polls('a', low, 10);
    expect(stepper.starts).to.deep.equal(['a']);
    const { ups } = stepper.state;
    found(stepper);
    expect(stepper.state.ups[0]?.shutdown).to.equal(ups[0]?.shutdown);
  });
});
