// A good reading ends a connection failure; one that tells nothing of the battery in an outage is silence.
import { expect } from 'chai';
import { upsRow } from '../../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const failed = { kind: 'failed', detail: 'SERVER_DOWN', message: 'down' } as const;
const told = { chargePercent: 90 };

describe('words without a source and a value in an outage', () => {
  const outage = () =>
    new Stepper(settingsOf('ups a')).polls('a', reading('OL'), 1).polls('a', reading('OB'), 60);

  it('are silence since the last reading with OB, until the failsafe', () => {
    const stepper = outage().polls('a', reading('DISCHRG'), 14);
    expect(upsRow(stepper.state, 'a').connectionDetail).to.equal('DATA_STALE');
    expect(stepper.starts).to.deep.equal([]);
    stepper.polls('a', reading('DISCHRG'), 1);
    expect(stepper.starts).to.deep.equal(['a']);
  });

  it('are none with a charge, nor without an outage', () => {
    expect(outage().polls('a', reading('DISCHRG', told), 30).starts).to.deep.equal([]);
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL'), 1);
    stepper.polls('a', reading('CHRG'), 100);
    expect(upsRow(stepper.state, 'a')).to.include({ connectionState: 'OK', connectionDetail: 'OK' });
  });
});

describe('a good reading', () => {
  it('restores a lost connection, with an event', () => {
    const stepper = new Stepper(settingsOf('ups a grace=off')).polls('a', reading('OL'), 1);
    stepper.polls('a', failed, 1).polls('a', reading('OL'), 1);
    expect(stepper.events).to.deep.equal(['a CONNECTION_LOST', 'a CONNECTION_RESTORED']);
  });
});
