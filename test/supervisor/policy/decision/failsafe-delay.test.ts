// The failsafe at the exact poll and moment at which it fires.
import { expect } from 'chai';
import { upsRow } from '../../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const failed = { kind: 'failed', detail: 'SERVER_DOWN', message: 'down' } as const;

/** On battery. */
const one = (keys = ''): Stepper =>
  new Stepper(settingsOf(`ups a ${keys}`)).polls('a', reading('OL'), 1).polls('a', reading('OB'), 3);

describe('the failsafe', () => {
  it('fires at failsafe_delay without a reading, and says for how long and by what', () => {
    const stepper = one().polls('a', failed, 3).wait(11_750);
    expect(stepper.starts).to.deep.equal([]);
    stepper.wait(250);
    expect(stepper.starts).to.deep.equal(['a']);
    const start = stepper.effects.find(({ kind }) => kind === 'startSequence');
    expect(JSON.stringify(start)).to.include(
      'on battery and not seen for 15 s: 3 polls failed in a row (SERVER_DOWN)',
    );
    expect(stepper.events).to.include('a CONNECTION_LOST');
  });

  it('fires at the poll that is max_stale_data_tolerance', () => {
    const stepper = one('interval=8s').polls('a', failed, 1).wait(7_000);
    stepper.poll('a', failed);
    stepper.wait(8_000);
    expect(stepper.starts).to.deep.equal([]);
    stepper.poll('a', failed);
    expect(stepper.starts).to.deep.equal(['a']);
  });

  it('fires at once with failsafe_delay 0, also after a long absence', () => {
    const stepper = one('failsafe=0s').wait(14_000);
    expect(stepper.starts).to.deep.equal([]);
    stepper.nowMs += 20_000;
    stepper.wait(250);
    expect(stepper.starts).to.deep.equal(['a']);
  });

  it('reports a lost connection once', () => {
    const stepper = one().polls('a', failed, 60);
    expect(stepper.events.filter((event) => event === 'a CONNECTION_LOST')).to.have.length(1);
    expect(upsRow(stepper.state, 'a').connectionState).to.equal('FAILED');
  });

  it('does not fire for a UPS that was never read', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', failed, 120);
    expect(stepper.starts).to.deep.equal([]);
    expect(stepper.events).to.deep.equal(['a CONNECTION_LOST']);
  });
});
