// The snapshot: each change that must survive a restart requests one.
import { expect } from 'chai';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { reading, settingsOf, Stepper } from './stream.js';

const failed: PollOutcome = { kind: 'failed', detail: 'SERVER_DOWN', message: '' };
const request = { trigger: 'LOW_BATTERY', why: 'charge 5 %' } as const;
const line = reading('OL');
const battery = reading('OB');

/** The effects of the last of these polls other than rows, events and messages. */
function keptBy(settings: string, ...polls: readonly PollOutcome[]): boolean {
  const stepper = new Stepper(settingsOf(`ups a ${settings}`));
  for (const outcome of polls.slice(0, -1)) stepper.polls('a', outcome, 1);
  stepper.wait(1_000);
  const last = polls.at(-1);
  if (last === undefined) throw new Error('no poll');
  return stepper.poll('a', last).some(({ kind }) => kind === 'saveSnapshot');
}

/** How many effects since the last call request a snapshot. */
const requests = (stepper: Stepper): number =>
  stepper.effects.splice(0).filter(({ kind }) => kind === 'saveSnapshot').length;

describe('a snapshot', () => {
  it('is requested at the start of an outage and at its confirmed end', () => {
    expect(keptBy('', line, battery)).to.equal(true);
    expect(keptBy('', line, battery, battery)).to.equal(false);
    expect(keptBy('', battery, line, line)).to.equal(true);
    expect(keptBy('', battery, line, line, line)).to.equal(false);
  });

  it('is not written first for what a member or a group of it counts', () => {
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b'));
    const firsts = () =>
      stepper.effects.splice(0).flatMap((effect) => (effect.kind === 'saveSnapshot' ? [effect.first] : []));
    for (const ups of ['a', 'b']) stepper.polls(ups, line, 3).polls(ups, battery, 3);
    firsts();
    stepper.polls('a', reading('OB', { runtimeSeconds: 100 }), 1);
    expect(firsts(), 'a count').to.include(false).and.not.include(true);
    stepper.polls('b', failed, 60).polls('a', failed, 60);
    expect(stepper.starts).to.include('redundancy-rack');
    expect(firsts(), 'a quorum that is lost').to.include(false).and.not.include(true);
  });

  it('is written first where an outage or FSD begins or ends, and only there', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    const isFirst = (words: string) => {
      stepper.wait(1_000);
      const effects = stepper.poll('a', reading(words));
      return effects.flatMap((effect) => (effect.kind === 'saveSnapshot' ? [effect.first] : []));
    };
    isFirst('OL');
    expect(isFirst('OB'), 'an outage').to.deep.equal([true]);
    expect(isFirst('OFF'), 'another word').to.deep.equal([false]);
    expect(isFirst('OB FSD'), 'FSD in it').to.deep.equal([true]);
    expect([isFirst('OL'), isFirst('OL')], 'the end of both').to.deep.equal([[true], [true]]);
  });

  it('is requested for each reading of line power that counts towards the end of an outage', () => {
    expect(keptBy('confirmations=4', battery, line, line)).to.equal(true);
  });

  it('is requested while the source is unknown when a high or a fall of the battery is new', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    const read = (chargePercent: number, runtimeSeconds: number) => {
      stepper.polls('a', reading('OL OB', { chargePercent, runtimeSeconds }), 1);
      return requests(stepper);
    };
    for (let times = 0; times < 5; times += 1) read(90, 3_000);
    expect([read(90, 3_000), read(90, 3_000)]).to.deep.equal([0, 0]);
    expect(read(91, 3_000), 'a higher charge').to.equal(1);
    expect(read(90, 3_000), 'the first one below it').to.equal(1);
    expect(read(90, 3_000)).to.equal(0);
    expect(read(88, 3_000), 'a fall of 3 points, in one reading').to.equal(1);
    read(91, 3_000);
    expect(read(91, 3_000)).to.equal(0);
    expect(read(91, 2_800), 'a fall of the runtime').to.equal(1);
  });

  it('is requested when a latched FSD is gone', () => {
    expect(keptBy('', reading('FSD OL'), line)).to.equal(true);
    expect(keptBy('', line, line)).to.equal(false);
  });

  it('is requested at a self test', () => {
    expect(keptBy('', line, reading('OL TEST'))).to.equal(true);
  });

  it('is requested when one more reading meets a threshold', () => {
    const short = reading('OB', { runtimeSeconds: 100 });
    expect(keptBy('delay=10m', battery, battery, short)).to.equal(true);
    expect(keptBy('delay=10m', battery, battery, short, short, short)).to.equal(false);
  });

  it('is requested when OFF beside OL is known to stand always, and not when it is known not to', () => {
    const off = reading('OL OFF');
    // Readings of 1 s, and a hold of 2 s.
    expect(keptBy('', off, off, off, off)).to.equal(true);
    expect(keptBy('', line, line, line, line)).to.equal(false);
    expect(keptBy('', line, line, line, line, line, off)).to.equal(true);
  });

  it('is requested when a battery must be replaced', () => {
    expect(keptBy('', line, reading('OL RB'))).to.equal(true);
  });

  it('is requested when a voltage leaves its band', () => {
    const volts = (inputVolts: number) => reading('OL', { inputVolts, nominalVolts: 230 });
    expect(keptBy('', volts(230), volts(200))).to.equal(true);
    expect(keptBy('', volts(230), volts(231))).to.equal(false);
  });

  it('is requested when the grace period of a lost UPS ends', () => {
    const stepper = new Stepper(settingsOf('ups a tolerance=3 grace=1m'));
    stepper.polls('a', line, 1).polls('a', failed, 10);
    stepper.effects.length = 0;
    stepper.wait(80_000);
    expect(stepper.events).to.deep.equal(['a CONNECTION_LOST']);
    expect(stepper.effects.map(({ kind }) => kind)).to.include('saveSnapshot');
  });

  it('is requested at a self test by the daemon, and when a sequence ends or is found', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', line, 3);
    const asks = (input: Parameters<Stepper['input']>[0]) => {
      const effects = stepper.input(input);
      return effects.map((effect) =>
        effect.kind === 'saveSnapshot' && effect.first ? 'first' : effect.kind,
      );
    };
    const { at } = stepper;
    expect(asks({ kind: 'tested', at, groupId: 'a', running: true })).to.deep.equal(['saveSnapshot']);
    const read = { charge: true, runtime: true };
    expect(asks({ kind: 'gaugesRecalled', at, groupId: 'a', read })).to.deep.equal(['saveSnapshot']);
    expect(stepper.input({ kind: 'forcedShutdown', at, groupId: 'a', state: 'asked' })).to.deep.equal([
      { kind: 'saveSnapshot', first: true },
    ]);
    expect(asks({ kind: 'openSequenceFound', at, groupId: 'a', request, sinceUnixSeconds: 1 })).to.deep.equal(
      ['saveSnapshot'],
    );
    expect(asks({ kind: 'sequenceEnded', at, groupId: 'a', cancelled: false })).to.deep.equal([
      'saveSnapshot',
    ]);
  });

  it('is requested in an outage for every fall of the charge, and not for readings that change nothing', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB'), 3);
    requests(stepper);
    stepper.polls('a', reading('OB'), 10);
    expect(requests(stepper), 'OB').to.equal(0);
    stepper.polls('a', reading('OB', { chargePercent: 90 }), 2);
    expect(requests(stepper), 'a charge').to.equal(1);
    stepper.polls('a', reading('OB', { chargePercent: 89 }), 2);
    expect(requests(stepper), 'a fall').to.equal(1);
    stepper.poll('a', reading('OFF'));
    expect(requests(stepper), 'OFF').to.equal(1);
    stepper.polls('a', reading('OFF'), 10);
    expect(requests(stepper), 'OFF again').to.equal(0);
  });

  it('is requested when the failsafe acts, and not while time passes after it', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB'), 2);
    requests(stepper);
    stepper.wait(30_000);
    expect(requests(stepper)).to.equal(1);
    stepper.wait(30_000);
    expect(requests(stepper)).to.equal(0);
  });

  it('is requested for failed polls only while they can still decide something', () => {
    const stepper = new Stepper(settingsOf('ups a grace=off')).polls('a', reading('OL'), 1);
    requests(stepper);
    stepper.polls('a', { kind: 'failed', detail: 'DATA_STALE', message: '' }, 3);
    expect(requests(stepper)).to.equal(3);
    stepper.polls('a', { kind: 'failed', detail: 'DATA_STALE', message: '' }, 10);
    expect(requests(stepper)).to.equal(0);
    stepper.polls('a', reading('OB'), 2);
    requests(stepper);
    stepper.polls('a', { kind: 'failed', detail: 'DATA_STALE', message: '' }, 5);
    expect(requests(stepper), 'on battery each one').to.equal(5);
  });

  it('is requested when the quorum of a group changes, or when a member shows something new', () => {
    const rack = settingsOf('ups a\nups b\ngroup rack members=a,b');
    const stepper = new Stepper(rack).polls('a', reading('OL'), 1).polls('b', reading('OL'), 1);
    requests(stepper);
    stepper.poll('a', reading('OL', { chargePercent: 100 }));
    expect(requests(stepper), 'it has a gauge').to.equal(1);
    stepper.wait(1_000);
    expect(requests(stepper), 'the quorum holds now').to.equal(1);
    stepper.wait(3_000);
    expect(requests(stepper)).to.equal(0);
    stepper.poll('a', reading('OL', { chargePercent: 100 }));
    expect(requests(stepper)).to.equal(0);
    stepper.poll('a', reading('OL', { inputVolts: 190, nominalVolts: 230 }));
    expect(requests(stepper), 'the voltage').to.equal(1);
    stepper.poll('a', reading('OL', { inputVolts: 190, nominalVolts: 230 }));
    expect(requests(stepper)).to.equal(0);
    stepper.poll('a', reading('OL OVER', { inputVolts: 190, nominalVolts: 230 }));
    expect(requests(stepper), 'a word').to.equal(1);
    stepper.poll('a', reading('OL OVER', { inputVolts: 190, nominalVolts: 230 }));
    expect(requests(stepper), 'its second showing').to.equal(1);
    stepper.poll('a', reading('OL OVER', { inputVolts: 190, nominalVolts: 230 }));
    expect(requests(stepper)).to.equal(0);
  });
});
