// The snapshot: each change that must survive a restart requests one.
import { expect } from 'chai';
import type { PollOutcome } from '../../../supervisor/policy/inputs.js';
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

describe('a snapshot', () => {
  it('is requested at the start of an outage and at its confirmed end', () => {
    expect(keptBy('', line, battery)).to.equal(true);
    expect(keptBy('', line, battery, battery)).to.equal(false);
    expect(keptBy('', battery, line, line)).to.equal(true);
    expect(keptBy('', battery, line, line, line)).to.equal(false);
  });

  it('is requested when a latched FSD is gone', () => {
    expect(keptBy('', reading('FSD OL'), line)).to.equal(true);
    expect(keptBy('', line, line)).to.equal(false);
  });

  it('is requested at a self test', () => {
    expect(keptBy('', line, reading('OL TEST'))).to.equal(true);
  });

  it('is requested at each charge on battery', () => {
    const charge = reading('OB', { chargePercent: 90 });
    expect(keptBy('', charge, charge, charge)).to.equal(true);
  });

  it('is requested when one more reading meets a threshold', () => {
    const short = reading('OB', { runtimeSeconds: 100 });
    expect(keptBy('delay=10m', battery, battery, short)).to.equal(true);
    expect(keptBy('delay=10m', battery, battery, short, short, short)).to.equal(false);
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
    const asks = (input: Parameters<Stepper['input']>[0]) => stepper.input(input).map(({ kind }) => kind);
    const { at } = stepper;
    expect(asks({ kind: 'tested', at, groupId: 'a', running: true })).to.deep.equal(['saveSnapshot']);
    expect(asks({ kind: 'openSequenceFound', at, group: 'a', request, sinceUnixSeconds: 1 })).to.deep.equal([
      'saveSnapshot',
    ]);
    expect(asks({ kind: 'sequenceEnded', at, group: 'a', cancelled: false })).to.deep.equal(['saveSnapshot']);
  });
});
