import { expect } from 'chai';
import type { Reading } from '../../../../shared/domain/ups/reading.js';
import { upsRow } from '../../../../supervisor/policy/view/view.js';
import { noTimeToWait } from '../../../../supervisor/policy/view/waiting.js';
import { reading, settingsOf, Stepper } from '../stream.js';

type UpsReading = readonly [ups: string, words: string, values?: Partial<Reading>];

/** The state after these readings, a second apart. */
function after(head: string, ...readings: readonly UpsReading[]) {
  const stepper = new Stepper(settingsOf(head));
  for (const [ups, words, values] of readings) stepper.polls(ups, reading(words, values), 1);
  return stepper.state;
}

describe('a wait for servers to be off', () => {
  it('has no time when the trigger was FSD, LB or FAILSAFE, whatever the UPS says', () => {
    const state = after('ups a', ['a', 'OL', { runtimeSeconds: 3000 }]);
    for (const trigger of ['FSD', 'LOW_BATTERY_FLAG', 'FAILSAFE'] as const)
      expect(noTimeToWait(state, 'a', trigger, 60, 0)).to.equal(`the trigger is ${trigger}`);
    expect(noTimeToWait(state, 'a', 'CRITICAL_RUNTIME', 60, 0)).to.equal(null);
  });

  it('has time while the runtime covers what follows', () => {
    const state = after('ups a hold=0s', ['a', 'OB', { runtimeSeconds: 120 }]);
    expect(noTimeToWait(state, 'a', 'LOW_BATTERY', 120, 0)).to.equal(null);
    expect(noTimeToWait(state, 'a', 'LOW_BATTERY', 121, 0)).to.include('of runtime left');
  });

  it('counts no runtime that is in doubt, until it was shown for longer than the hold', () => {
    const stepper = new Stepper(settingsOf('ups a hold=5s')).polls(
      'a',
      reading('OB', { runtimeSeconds: 3000 }),
      2,
    );
    stepper.polls('a', reading('OB', { runtimeSeconds: 60 }), 6);
    expect(noTimeToWait(stepper.state, 'a', 'LOW_BATTERY', 120, 0)).to.equal(null);
    stepper.polls('a', reading('OB', { runtimeSeconds: 60 }), 1);
    expect(noTimeToWait(stepper.state, 'a', 'LOW_BATTERY', 120, 0)).to.include('of runtime left');
  });

  it('ends with LB on battery and with FSD', () => {
    const runtimeSeconds = 3000;
    const low = after('ups a', ['a', 'OB LB', { runtimeSeconds }]);
    expect(noTimeToWait(low, 'a', 'LOW_BATTERY', 60, 0)).to.match(/LB/);
    const forced = after('ups a', ['a', 'OL', { runtimeSeconds }], ['a', 'OL FSD', { runtimeSeconds }]);
    expect(noTimeToWait(forced, 'a', 'LOW_BATTERY', 60, 0)).to.match(/FSD/);
    // Latched: the first reading of the boot has it.
    const latched = after('ups a', ['a', 'OL FSD', { runtimeSeconds }]);
    expect(noTimeToWait(latched, 'a', 'LOW_BATTERY', 60, 0)).to.match(/FSD/);
    const charging = after('ups a', ['a', 'OL LB', { runtimeSeconds: 30 }]);
    expect(noTimeToWait(charging, 'a', 'LOW_BATTERY', 60, 0)).to.equal(null);
  });

  it('goes on with a charge below its threshold while the runtime is enough', () => {
    const low = ['a', 'OB', { chargePercent: 10, runtimeSeconds: 3000 }] as const;
    const state = after('ups a hold=0s delay=0s', low, low, low);
    expect(upsRow(state, 'a').triggerReason).to.equal('LOW_BATTERY');
    expect(noTimeToWait(state, 'a', 'LOW_BATTERY', 60, 0)).to.equal(null);
  });

  it('goes on with the FSD that this daemon has set for the secondaries', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB', { runtimeSeconds: 3000 }), 1);
    stepper.input({ kind: 'forcedShutdown', at: stepper.at, groupId: 'a', state: 'set' });
    stepper.polls('a', reading('OB FSD', { runtimeSeconds: 3000 }), 1);
    expect(noTimeToWait(stepper.state, 'a', 'LOW_BATTERY', 60, 0)).to.equal(null);
  });

  it('has time where the UPS reports no runtime, and none without a UPS, or without a reading 15 s after the start of the daemon', () => {
    const silent = after('ups a', ['a', 'OB', { chargePercent: 40 }]);
    expect(noTimeToWait(silent, 'a', 'LOW_BATTERY', 60, 0)).to.equal(null);
    const { clock, ...unread } = after('ups a');
    const at = (monotonicMs: number) => ({ ...unread, clock: { ...clock, monotonicMs } });
    expect(noTimeToWait(at(14_999), 'a', 'LOW_BATTERY', 60, 0)).to.equal(null);
    expect(noTimeToWait(at(15_000), 'a', 'LOW_BATTERY', 60, 0)).to.include('has not been read');
    expect(noTimeToWait(at(20_000), 'a', 'LOW_BATTERY', 60, 10_000)).to.equal(null);
    expect(noTimeToWait(after('ups a'), 'gone', 'LOW_BATTERY', 60, 0)).to.include('not configured');
  });

  it('has none once the failsafe was met in the outage, also when the UPS is read again', () => {
    const failed = { kind: 'failed', detail: 'SERVER_DOWN', message: '' } as const;
    const runtimeSeconds = 3000;
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB', { runtimeSeconds }), 1);
    stepper.polls('a', failed, 30).polls('a', reading('OB', { runtimeSeconds }), 1);
    expect(noTimeToWait(stepper.state, 'a', 'LOW_BATTERY', 60, 0)).to.match(/FAILSAFE/);
  });

  it('of a group has time while as many members have as feed its load', () => {
    const group = 'ups a hold=0s\nups b hold=0s\ngroup rack members=a,b';
    const low = ['a', 'OB LB', { runtimeSeconds: 3000 }] as const;
    const one = after(group, low, ['b', 'OB', { runtimeSeconds: 3000 }]);
    expect(noTimeToWait(one, 'redundancy-rack', 'QUORUM_LOST', 60, 0)).to.equal(null);
    const both = after(`${group} min=2`, low, ['b', 'OB', { runtimeSeconds: 3000 }]);
    expect(noTimeToWait(both, 'redundancy-rack', 'QUORUM_LOST', 60, 0)).to.match(/LB/);
    const none = after(group, low, ['b', 'OB', { runtimeSeconds: 30 }]);
    expect(noTimeToWait(none, 'redundancy-rack', 'QUORUM_LOST', 60, 0)).to.match(/LB/);
  });

  it('of a group counts on no member that cannot be read any more', () => {
    const failed = { kind: 'failed', detail: 'SERVER_DOWN', message: '' } as const;
    const stepper = new Stepper(settingsOf('ups a\nups b\ngroup rack members=a,b'));
    stepper.polls('a', reading('OL', { runtimeSeconds: 3000 }), 1);
    stepper.polls('b', reading('OB', { runtimeSeconds: 3000 }), 1);
    const noTime = (group: string) => noTimeToWait(stepper.state, group, 'QUORUM_LOST', 60, 0);
    expect(noTime('redundancy-rack')).to.equal(null);
    stepper.polls('b', reading('OB LB', { runtimeSeconds: 3000 }), 1);
    expect(noTime('redundancy-rack')).to.equal(null);
    stepper.polls('a', failed, 70);
    expect(noTime('redundancy-rack')).to.match(/a cannot be read any more/);
    // A UPS by itself was on line power when it was last seen.
    expect(noTime('a')).to.equal(null);
  });
});
