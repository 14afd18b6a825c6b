// UPSes that stand in redundancy groups and own something besides.
import { expect } from 'chai';
import { explain } from '../../../supervisor/policy/view/explain.js';
import { reading, settingsOf, Stepper } from './stream.js';

const forced = reading('FSD OB');
const fine = reading('OL');
const low = reading('OB', { chargePercent: 5, runtimeSeconds: 1_000 });

function site(text: string): Stepper {
  const settings = settingsOf(text);
  const stepper = new Stepper(settings);
  for (const { groupId } of settings.ups) stepper.polls(groupId, fine, 3);
  return stepper;
}

describe('a member that owns something', () => {
  it('starts its own sequence, while the group has its quorum', () => {
    const stepper = site('ups a owns=switch\nups b\ngroup rack members=a,b')
      .polls('a', forced, 1)
      .wait(5_000);
    expect(stepper.starts).to.deep.equal(['a']);
    expect(stepper.events).to.include('a SHUTDOWN_TRIGGERED').and.not.include('redundancy-rack QUORUM_LOST');
  });

  it('counts for its groups as any other member', () => {
    const stepper = site('ups a owns=switch\nups b\nups c\ngroup ab members=a,b\ngroup ac members=a,c min=2');
    stepper.polls('a', forced, 1).polls('b', forced, 1).wait(3_000);
    expect(stepper.starts).to.deep.equal(['a', 'redundancy-ac', 'redundancy-ab']);
    expect(stepper.events.filter((event) => event.endsWith('TRIGGER_ADVISORY'))).to.deep.equal([
      'b TRIGGER_ADVISORY',
    ]);
  });

  it('takes its groups with it in the step in which its sequence starts', () => {
    const stepper = site('ups a local=yes\nups b\ngroup rack members=a,b min=2');
    const started = stepper
      .poll('a', forced)
      .flatMap((one) => (one.kind === 'startSequence' ? [one.groupId] : []));
    expect(started).to.deep.equal(['a', 'redundancy-rack']);
    stepper.wait(5_000);
    expect(stepper.starts).to.deep.equal(['a', 'redundancy-rack']);
  });

  it('takes its groups with it when the failsafe starts its sequence', () => {
    const stepper = site('ups a local=yes\nups b\ngroup rack members=a,b min=2').polls('a', reading('OB'), 2);
    const failed = { kind: 'failed', detail: 'SERVER_DOWN', message: '' } as const;
    while (stepper.starts.length === 0 && stepper.nowMs < 1_100_000) stepper.polls('a', failed, 1);
    expect(stepper.starts).to.deep.equal(['a', 'redundancy-rack']);
  });

  it('does not judge its groups at once by what has only just changed', () => {
    // The bypass of b counts from the second evaluation on.
    const stepper = site('ups a owns=switch\nups b\ngroup rack members=a,b degraded=critical');
    stepper.polls('b', reading('OL BYPASS'), 1);
    stepper.poll('a', forced);
    expect(stepper.starts).to.deep.equal(['a']);
  });

  it('does not judge a group that still starts', () => {
    const stepper = new Stepper(settingsOf('ups a owns=switch\nups b\ngroup rack members=a,b min=2'));
    stepper.polls('a', forced, 5);
    expect(stepper.starts).to.deep.equal(['a']);
  });

  it('starts again only after its own outage, whatever its group does', () => {
    const stepper = site('ups a owns=switch\nups b\ngroup rack members=a,b');
    const both = (ofA: typeof fine, count: number) => {
      for (let round = 0; round < count; round++) stepper.polls('b', fine, 1).polls('a', ofA, 1);
    };
    both(low, 40);
    stepper.input({ kind: 'sequenceEnded', at: stepper.at, groupId: 'a', cancelled: false });
    both(low, 10);
    expect(stepper.starts).to.deep.equal(['a']);
    both(fine, 70);
    both(low, 40);
    expect(stepper.starts).to.deep.equal(['a', 'a']);
  });

  it('has the messages and the explanation of an owner and of a member', () => {
    const stepper = site('ups a owns=switch\nups b\ngroup rack members=a,b\ngroup one members=a').polls(
      'a',
      low,
      1,
    );
    const text = (ups: string) => explain(stepper.state, ups).text;
    expect(text('a')).to.contain('the shutdown of what it alone feeds starts');
    expect(text('a')).to.contain(
      'That is the sequence of what it alone feeds; in rack and one it is a member.',
    );
    expect(text('b')).to.contain(
      'It is a member of a redundancy group: its triggers start no shutdown; the group decides.',
    );
    expect(text('b')).to.contain('notifies its redundancy group');
    const messages = stepper.effects.flatMap((effect) => (effect.kind === 'notify' ? [effect.text] : []));
    expect(messages[0]).to.contain('shutdown of what it alone feeds begins at charge');
  });
});

describe('a group of one', () => {
  it('falls with its member, which starts nothing', () => {
    const stepper = site('ups a\ngroup one members=a low=50').polls(
      'a',
      reading('OB', { chargePercent: 40 }),
      40,
    );
    stepper.wait(3_000);
    expect(stepper.starts).to.deep.equal(['redundancy-one']);
  });
});
