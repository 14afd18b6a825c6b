// The power check of a sequence before its first destructive step, and of a restarted daemon before it resumes one.
import { expect } from 'chai';
import { outputStaysOn } from '../../../supervisor/policy/output.js';
import {
  groupsOnBattery,
  isOnBattery,
  isSeenOnBattery,
  powerIsBack,
} from '../../../supervisor/policy/power.js';
import { reading, settingsOf, Stepper } from './stream.js';

const settings = settingsOf('ups a\nups b\nups c\ngroup rack members=b,c');

describe('the power of a group', () => {
  it('is back when the end of the outage is confirmed', () => {
    const stepper = new Stepper(settings).polls('a', reading('OB'), 2);
    expect(powerIsBack(stepper.state, 'a')).to.equal(false);
    stepper.polls('a', reading('OL'), 1);
    expect(powerIsBack(stepper.state, 'a')).to.equal(false);
    stepper.polls('a', reading('OL'), 1);
    expect(powerIsBack(stepper.state, 'a')).to.equal(true);
    stepper.polls('a', reading('FSD OL'), 1);
    expect(powerIsBack(stepper.state, 'a')).to.equal(false);
  });

  it('is back for redundant UPSes when the quorum holds with enough of them on line power', () => {
    const stepper = new Stepper(settings)
      .polls('b', reading('OB'), 1)
      .polls('c', reading('OB'), 1)
      .wait(2_000);
    expect(powerIsBack(stepper.state, 'redundancy-rack')).to.equal(false);
    stepper.polls('b', reading('OL'), 2).wait(1_000);
    expect(powerIsBack(stepper.state, 'redundancy-rack')).to.equal(true);
  });

  it('is not back for redundant UPSes through a member that is not configured', () => {
    const ghost = settingsOf('ups b\ngroup rack members=b,ghost min=2 unknown=healthy');
    const stepper = new Stepper(ghost).polls('b', reading('OL'), 3);
    expect(powerIsBack(stepper.state, 'redundancy-rack')).to.equal(false);
  });

  it('is lost for a redundancy group while one member has an outage whose end is not confirmed', () => {
    const stepper = new Stepper(settings).polls('a', reading('OL'), 1).polls('b', reading('OB'), 1);
    expect([...groupsOnBattery(stepper.state)]).to.deep.equal(['b', 'redundancy-rack']);
    stepper.polls('b', reading('OL'), 1);
    expect([...groupsOnBattery(stepper.state)]).to.deep.equal(['b', 'redundancy-rack']);
    stepper.polls('b', reading('OL'), 1).polls('a', reading('FSD OL'), 1);
    expect([...groupsOnBattery(stepper.state)]).to.deep.equal(['a']);
    expect(['a', 'b', 'x'].map((name) => isOnBattery(stepper.state, name))).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('is lost when a fresh reading shows OB or FSD', () => {
    const stepper = new Stepper(settings).polls('a', reading('OB'), 1).polls('b', reading('OL'), 1);
    stepper.polls('c', reading('FSD OL'), 1).polls('c', reading('OL'), 1);
    const seen = (group: string, sinceMs = 0) => isSeenOnBattery(stepper.state, group, sinceMs);
    expect(seen('a')).to.equal(true);
    expect(seen('a', stepper.nowMs - 3_000), 'the very reading').to.equal(true);
    expect(seen('a', stepper.nowMs - 2_999), 'an old reading').to.equal(false);
    expect(seen('b')).to.equal(false);
    expect(seen('redundancy-rack')).to.equal(false);
    stepper.polls('c', reading('FSD OL'), 1);
    expect(seen('redundancy-rack')).to.equal(true);
  });

  it('is unknown when nothing is configured or read', () => {
    const { state } = new Stepper(settings);
    expect(powerIsBack(state, 'x')).to.equal(false);
    expect(powerIsBack(state, 'a')).to.equal(false);
    expect(isSeenOnBattery(state, 'x', 0)).to.equal(false);
    expect(isSeenOnBattery(state, 'a', 0)).to.equal(false);
  });
});

describe('the output of a UPS', () => {
  it('stays on while another feed of the rack is not critical', () => {
    const stepper = new Stepper(settings)
      .polls('b', reading('FSD OB'), 1)
      .polls('c', reading('OL'), 2)
      .wait(2_000);
    expect(outputStaysOn(stepper.state, 'b')).to.equal('the output stays on: c is HEALTHY in rack');
    stepper.polls('c', reading('FSD OB'), 1).wait(2_000);
    expect(outputStaysOn(stepper.state, 'b')).to.equal(null);
  });

  it('may be cut when the UPS is in no redundancy group', () => {
    expect(outputStaysOn(new Stepper(settings).state, 'a')).to.equal(null);
  });
});
