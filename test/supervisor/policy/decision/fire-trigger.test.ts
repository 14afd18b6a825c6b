// A trigger that fires: the sequence that it starts, and how often it is recorded.
import { expect } from 'chai';
import { reading, settingsOf, Stepper } from '../stream.js';

const own = settingsOf('ups a delay=0s hold=0s');
const member = settingsOf('ups a delay=0s hold=0s\nups b\ngroup rack members=a,b');
const fine = { chargePercent: 90, runtimeSeconds: 3000 };
const low = { chargePercent: 10, runtimeSeconds: 3000 };

const recorded = ({ events }: Stepper): readonly string[] =>
  events.filter((event) => event.startsWith('a ') && /TRIGGER/.test(event));
const returned = ({ effects }: Stepper): number =>
  effects.filter(({ kind }) => kind === 'powerReturned').length;

describe('a trigger that fires', () => {
  it('starts the sequence and is recorded once, however long it is met', () => {
    const stepper = new Stepper(own).polls('a', reading('OB', fine), 3).polls('a', reading('OB', low), 10);
    expect(stepper.starts).to.deep.equal(['a']);
    expect(recorded(stepper)).to.deep.equal(['a SHUTDOWN_TRIGGERED']);
  });

  it('is recorded once for a member that owns nothing, and starts nothing', () => {
    const stepper = new Stepper(member).polls('a', reading('OB', fine), 3).polls('a', reading('OB', low), 10);
    expect(stepper.starts).to.deep.equal([]);
    expect(recorded(stepper)).to.deep.equal(['a TRIGGER_ADVISORY']);
  });

  it('is recorded again when FSD comes after another trigger', () => {
    const stepper = new Stepper(own).polls('a', reading('OB', fine), 3).polls('a', reading('OB', low), 5);
    stepper.polls('a', reading('OB FSD', low), 5);
    expect(recorded(stepper)).to.deep.equal(['a SHUTDOWN_TRIGGERED', 'a TRIGGER_ADVISORY']);
  });

  it('is recorded once as FSD too', () => {
    const stepper = new Stepper(member)
      .polls('a', reading('OL', fine), 3)
      .polls('a', reading('OB FSD', fine), 5);
    expect(recorded(stepper)).to.deep.equal(['a TRIGGER_ADVISORY']);
  });

  it('is recorded of the next outage while the sequence of the last one runs', () => {
    const stepper = new Stepper(own).polls('a', reading('OB', fine), 3).polls('a', reading('OB', low), 5);
    stepper.polls('a', reading('OL', fine), 120).polls('a', reading('OB', fine), 3);
    stepper.polls('a', reading('OB', low), 5);
    expect(stepper.starts).to.deep.equal(['a']);
    expect(recorded(stepper)).to.deep.equal(['a SHUTDOWN_TRIGGERED', 'a TRIGGER_ADVISORY']);
  });
});

describe('the return of power in a sequence', () => {
  it('is an effect once, at the reading that confirms it', () => {
    const stepper = new Stepper(own).polls('a', reading('OB', fine), 3).polls('a', reading('OB', low), 5);
    expect(returned(stepper.polls('a', reading('OL', fine), 1))).to.equal(0);
    expect(returned(stepper.polls('a', reading('OL', fine), 1))).to.equal(1);
    expect(returned(stepper.polls('a', reading('OL', fine), 10))).to.equal(1);
  });

  it('is none without a sequence', () => {
    const stepper = new Stepper(own).polls('a', reading('OB', fine), 3).polls('a', reading('OL', fine), 5);
    expect(returned(stepper)).to.equal(0);
  });
});
