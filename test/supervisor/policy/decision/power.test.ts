// The power check of a sequence before its first destructive step, and of a restarted daemon before it resumes one.
import { expect } from 'chai';
import { outputStaysOn } from '../../../../supervisor/policy/view/output.js';
import {
  groupsOnBattery,
  isOnBattery,
  isSeen,
  isSeenOnBattery,
  powerIsBack,
} from '../../../../supervisor/policy/decision/power.js';
import { reading, settingsOf, Stepper } from '../stream.js';

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

  it('is seen with a reading of one UPS that is not older than the moment asked for', () => {
    const stepper = new Stepper(settings).polls('b', reading('OL'), 1);
    const readMs = stepper.nowMs;
    stepper.wait(5_000);
    const seen = (group: string, sinceMs: number) => isSeen(stepper.state, group, sinceMs);
    expect([seen('b', readMs), seen('b', readMs + 1)]).to.deep.equal([true, false]);
    expect([seen('redundancy-rack', readMs), seen('redundancy-rack', readMs + 1)]).to.deep.equal([
      true,
      false,
    ]);
    expect([seen('a', 0), seen('x', 0)]).to.deep.equal([false, false]);
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
  const load = (name: string, group: string, ...endedBy: string[]) => ({ name, group, endedBy });
  const forced = reading('FSD OB');
  const fine = reading('OL');

  it('stays on while a server that it alone feeds is up', () => {
    const stepper = new Stepper(settings).polls('a', forced, 1);
    expect(outputStaysOn(stepper.state, 'a', [load('nas', 'a')])).to.equal(
      'the output stays on: it feeds nas',
    );
    expect(outputStaysOn(stepper.state, 'a', [load('nas', 'a', 'a')])).to.equal(null);
    expect(outputStaysOn(stepper.state, 'a', [load('nas', 'b')])).to.equal(null);
  });

  it('names the first loads and counts the others', () => {
    const loads = ['1', '2', '3', '4', '5', '6', '7'].map((name) => load(name, 'a'));
    expect(outputStaysOn(new Stepper(settings).state, 'a', loads)).to.equal(
      'the output stays on: it feeds 1, 2, 3, 4, 5 and 2 more',
    );
  });

  it('is not needed by a rack that enough other members carry', () => {
    const stepper = new Stepper(settings).polls('c', fine, 3).polls('b', forced, 1).wait(2_000);
    const loads = [load('db', 'redundancy-rack')];
    expect(outputStaysOn(stepper.state, 'b', loads)).to.equal(null);
    // A member on battery carries no load for certain.
    stepper.polls('c', reading('OB'), 2).wait(2_000);
    expect(outputStaysOn(stepper.state, 'b', loads)).to.equal('the output stays on: it feeds db');
  });

  it('is needed again after the outage in which the load was shut down', () => {
    const stepper = new Stepper(settings).polls('a', forced, 1);
    const loads = [load('nas', 'a', 'a')];
    expect(outputStaysOn(stepper.state, 'a', loads)).to.equal(null);
    stepper.input({ kind: 'sequenceEnded', at: stepper.at, groupId: 'a', cancelled: false });
    expect(outputStaysOn(stepper.state, 'a', loads)).to.equal(null);
    stepper.polls('a', fine, 5);
    expect(outputStaysOn(stepper.state, 'a', loads)).to.equal('the output stays on: it feeds nas');
  });

  it('stays on where the UPS has power and its group has not', () => {
    const three = settingsOf('ups a\nups b\nups c\ngroup rack members=a,b,c min=2');
    const stepper = new Stepper(three);
    for (const ups of ['a', 'b', 'c']) stepper.polls(ups, fine, 2);
    stepper.polls('a', forced, 1).polls('b', forced, 1).wait(3_000);
    expect(stepper.starts).to.deep.equal(['redundancy-rack']);
    expect(outputStaysOn(stepper.state, 'a', [])).to.equal(null);
    expect(outputStaysOn(stepper.state, 'c', [])).to.equal(
      'the output stays on: the UPS has power, and rack has not enough',
    );
    // With power enough the loads start again when their outputs come back.
    stepper.polls('b', fine, 3);
    expect(outputStaysOn(stepper.state, 'c', [])).to.equal(null);
  });

  it('stays on where a member of its group was never read', () => {
    const stepper = new Stepper(
      settingsOf('ups a\nups b\nups c\ngroup rack members=a,b,c min=2 unknown=critical'),
    );
    const silence = { kind: 'failed', detail: 'TIMEOUT', message: 'late' } as const;
    for (let second = 0; second < 60; second += 1) stepper.polls('c', fine, 1).polls('b', silence, 1);
    stepper.polls('a', forced, 1).wait(3_000);
    expect(stepper.starts).to.deep.equal(['redundancy-rack']);
    expect(outputStaysOn(stepper.state, 'c', [])).to.equal(
      'the output stays on: the UPS has power, and rack has not enough',
    );
  });

  it('may be cut when it feeds nothing', () => {
    expect(outputStaysOn(new Stepper(settings).state, 'a', [])).to.equal(null);
    expect(outputStaysOn(new Stepper(settings).state, 'unknown', [])).to.equal(null);
  });
});
