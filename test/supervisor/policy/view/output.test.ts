// When this daemon sets no FSD for those who have only NUT.
import { expect } from 'chai';
import { needsNoForcedShutdown, outputStaysOn } from '../../../../supervisor/policy/view/output.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const settings = settingsOf('ups a\nups b\nups c\nups d\ngroup rack members=b,c\ngroup row members=c,d');
const hasPower = 'the UPS has power';

describe('a forced shutdown of the secondaries', () => {
  const why = (stepper: Stepper, ups: string) => needsNoForcedShutdown(stepper.state, ups);

  it('is needed on battery, until the return of power is confirmed', () => {
    const stepper = new Stepper(settings).polls('a', reading('OL'), 1);
    expect(why(stepper, 'a')).to.equal(hasPower);
    expect(why(stepper.polls('a', reading('OB'), 1), 'a')).to.equal(null);
    expect(why(stepper.polls('a', reading('OL'), 1), 'a')).to.equal(null);
    expect(why(stepper.polls('a', reading('OL'), 1), 'a')).to.equal(hasPower);
  });

  it('is needed while the sequence of the UPS runs, also with power', () => {
    const stepper = new Stepper(settings).polls('a', reading('OL'), 1).polls('a', reading('FSD OB'), 1);
    stepper.polls('a', reading('OL'), 5);
    expect(why(stepper, 'a')).to.equal(null);
    stepper.input({ kind: 'sequenceEnded', at: stepper.at, groupId: 'a', cancelled: false });
    expect(why(stepper, 'a')).to.equal(hasPower);
  });

  it('is needed by a member that is CRITICAL in one of its groups, and by no other member', () => {
    const stepper = new Stepper(settings);
    for (const ups of ['b', 'c', 'd']) stepper.polls(ups, reading('OL'), 2);
    stepper.polls('b', reading('OFF'), 40).wait(1_000);
    expect(['b', 'c', 'd'].map((ups) => why(stepper, ups))).to.deep.equal([null, hasPower, hasPower]);
  });

  it('is not that of a UPS which is not configured any more', () => {
    expect(why(new Stepper(settings), 'gone')).to.equal('the UPS is not configured any more');
  });
});

describe('the output of a UPS that is no member', () => {
  it('is not needed by the loads of the group, however many of its members are left', () => {
    const loads = [{ name: 'db', group: 'redundancy-rack', endedBy: [] }];
    const { state } = new Stepper(settings);
    expect(outputStaysOn(state, 'b', loads)).to.equal('the output stays on: it feeds db');
    expect(outputStaysOn(state, 'a', loads)).to.equal(null);
  });
});
