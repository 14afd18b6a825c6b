// Redundancy groups at the moments when a member starts, is added, or is back.
import { expect } from 'chai';
import type { PollOutcome } from '../../../../supervisor/policy/base/inputs.js';
import { groupOf } from '../../../../supervisor/policy/state/state.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const healthy = { chargePercent: 100, runtimeSeconds: 3_000 };
const fine = reading('OL', healthy);
const low = reading('OB', { chargePercent: 5, runtimeSeconds: 60 });
const both = (chargePercent: number) => reading('OL OB', { chargePercent, runtimeSeconds: 3_000 });
const failed: PollOutcome = { kind: 'failed', detail: 'SERVER_DOWN', message: '' };

/** Reads each UPS once a second. */
function pass(stepper: Stepper, seconds: number, outcomes: Readonly<Record<string, PollOutcome>>): Stepper {
  for (let second = 0; second < seconds; second += 1) {
    for (const [name, outcome] of Object.entries(outcomes)) stepper.poll(name, outcome);
    stepper.wait(1_000);
  }
  return stepper;
}

const rackOf = (stepper: Stepper) => groupOf(stepper.state, 'redundancy-rack');

describe('a group of which a member starts its own sequence', () => {
  const site = () =>
    pass(new Stepper(settingsOf('ups a owns=switch\nups b\ngroup rack members=a,b')), 3, {
      a: fine,
      b: fine,
    });

  it('is carried by a member that has failed in the last evaluation and is HEALTHY now', () => {
    const stepper = pass(site(), 1, { a: fine, b: reading('FSD OL', { chargePercent: 100 }) });
    expect(rackOf(stepper)?.members[1]?.health).to.equal('CRITICAL');
    stepper.poll('b', fine);
    stepper.poll('a', reading('FSD OB'));
    expect(stepper.starts).to.deep.equal(['a']);
    pass(stepper, 3, { b: fine });
    expect(stepper.starts).to.deep.equal(['a']);
  });
});

describe('a group of which no member starts a sequence of its own', () => {
  const forced = reading('FSD OB', { chargePercent: 90 });

  it('loses its quorum by two evaluations', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b min=2'));
    pass(stepper, 3, { a: fine, b: fine });
    for (let times = 0; times < 3; times += 1) stepper.poll('a', forced);
    expect(stepper.starts).to.deep.equal([]);
    expect(pass(stepper, 2, { a: forced, b: fine }).starts).to.deep.equal(['redundancy-rack']);
  });

  it('is not judged at a tick that changes only what is shown of a member', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b min=2')).wait(500);
    pass(stepper, 3, { a: fine, b: reading('OB', { chargePercent: 90 }) });
    // The connection to b is silent: ticks show its time on battery, a second each.
    pass(stepper, 7, { a: fine });
    const published = () => stepper.effects.splice(0).some(({ kind }) => kind === 'publish');
    published();
    while (!published()) stepper.wait(250);
    stepper.wait(750);
    stepper.poll('a', forced);
    stepper.effects.length = 0;
    const shown = stepper.wait(250).effects.map(({ kind }) => kind);
    expect(shown).to.include('publish').and.not.include('startSequence');
  });

  it('is not judged by the start of a UPS that is no member', () => {
    const others = 'ups c\nups d\ngroup other members=c,d min=2';
    const stepper = new Stepper(settingsOf(`ups a owns=switch\nups b\n${others}\ngroup rack members=a,b`));
    pass(stepper, 3, { a: fine, b: fine, c: fine, d: fine });
    stepper.poll('c', forced);
    stepper.poll('a', forced);
    expect(stepper.starts).to.deep.equal(['a']);
  });
});

describe('a group of which a member is added', () => {
  it('does not get its quorum back because the new member has no vote yet', () => {
    const settings = 'ups a\nups b grace=off tolerance=1\n';
    const stepper = new Stepper(settingsOf(`${settings}group rack members=a,b min=2`));
    pass(stepper, 3, { a: fine, b: fine });
    pass(stepper, 3, { a: fine, b: failed });
    expect(stepper.events).to.include('redundancy-rack QUORUM_LOST');
    stepper.configure(settingsOf(`${settings}ups c\ngroup rack members=a,c min=2`));
    pass(stepper, 3, { a: fine });
    expect(stepper.events).to.not.include('redundancy-rack QUORUM_RESTORED');
    pass(stepper, 1, { a: fine, c: fine });
    expect(stepper.events).to.include('redundancy-rack QUORUM_RESTORED');
  });

  it('tells the quorum that it has again by what counted', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b min=2 degraded=critical'));
    pass(stepper, 3, { a: fine, b: fine });
    pass(stepper, 9, { a: fine, b: reading('OB', healthy) });
    stepper.poll('b', fine);
    pass(stepper, 1, { a: fine, b: reading('OL BOOST', healthy) });
    const restored = stepper.effects.find(
      (effect) => effect.kind === 'recordEvent' && effect.type === 'QUORUM_RESTORED',
    );
    expect(restored).to.deep.include({ detail: '2 count as healthy, 2 needed: 2 HEALTHY' });
  });

  it('waits 80 s for its first reading', () => {
    const stepper = pass(new Stepper(settingsOf('ups a\ngroup rack members=a')), 3, { a: fine });
    // The groups are evaluated in this moment, and from now on every second.
    stepper.wait(250);
    stepper.configure(settingsOf('ups a\nups b\ngroup rack members=a,b min=2'));
    pass(stepper, 79, { a: fine });
    expect(rackOf(stepper)?.quorum.kind).to.equal('held');
    pass(stepper, 1, { a: fine });
    expect(rackOf(stepper)?.quorum.kind).to.equal('doubted');
  });

  it('keeps what its other members have met', () => {
    const stepper = pass(new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b')), 1, { b: fine });
    pass(stepper, 40, { a: low, b: fine });
    stepper.configure(settingsOf('ups a\nups b\nups c\ngroup rack members=c,a,b'));
    const met = rackOf(stepper)?.members.map((member) => [member.ups, member.met?.trigger ?? '']);
    expect(met).to.deep.equal([
      ['c', ''],
      ['a', 'LOW_BATTERY'],
      ['b', ''],
    ]);
  });
});

describe('a group with a member whose source of power is unknown', () => {
  it('reports once that the member has met a threshold of the group', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b low=90'));
    pass(stepper, 60, { a: both(80), b: fine });
    expect(stepper.events.filter((event) => event === 'a TRIGGER_ADVISORY')).to.have.length(1);
    pass(stepper, 1, { a: both(95), b: fine });
    expect(rackOf(stepper)?.members[0]?.met).to.equal(null);
  });

  const after = (isSequenceOver: boolean) => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b min=2'));
    pass(stepper, 40, { a: low, b: both(100) });
    expect(stepper.starts).to.deep.equal(['redundancy-rack']);
    if (isSequenceOver)
      stepper.input({
        kind: 'sequenceEnded',
        at: stepper.at,
        groupId: 'redundancy-rack',
        cancelled: false,
      });
    return rackOf(pass(stepper, 5, { a: fine, b: both(100) }))?.shutdown;
  };

  it('is armed again after its sequence, and ends none before', () => {
    expect(after(true)).to.deep.equal({ kind: 'armed' });
    expect(after(false)).to.include({ kind: 'fired', outageOver: false });
  });
});
