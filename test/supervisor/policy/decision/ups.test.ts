// What a reading means for one UPS where it depends on the readings before it.
import { expect } from 'chai';
import type { PollOutcome } from '../../../../supervisor/policy/base/inputs.js';
import { upsRow } from '../../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from '../stream.js';

describe('a reading of a UPS', () => {
  it('names a phase that never had a voltage as lost only where input.phases counts it', () => {
    const volts = { 'input.L1-N.voltage': '0', 'input.L2-N.voltage': '230', 'input.L3-N.voltage': '231' };
    const events = (variables: Record<string, string>) => {
      const outcome: PollOutcome = { ...reading('OL'), variables: { ...volts, ...variables } } as PollOutcome;
      return new Stepper(settingsOf('ups a')).polls('a', outcome, 15).events;
    };
    expect(events({})).to.deep.equal([]);
    expect(events({ 'input.phases': '3' })).to.deep.equal(['a PHASE_LOST']);
  });

  it('says once that LB is contradicted, also where LB was counted before it was', () => {
    const good = { chargePercent: 100, runtimeSeconds: 3_000 };
    const stepper = new Stepper(settingsOf('ups a flag-delay=1m')).polls('a', reading('OB', good), 3);
    stepper.polls('a', reading('OB LB RB', good), 2);
    stepper.polls('a', reading('OB LB', good), 5);
    expect(stepper.events.filter((event) => event.includes('CONTRADICTED'))).to.deep.equal([
      'a LOW_BATTERY_CONTRADICTED',
    ]);
  });

  it('leaves the depletion as it is where its charge is in doubt after a jump that counts', () => {
    const stepper = new Stepper(settingsOf('ups a delay=0s rate=100 low=1'));
    const rate = (chargePercent: number, count: number) => {
      stepper.polls('a', reading('OB', { chargePercent }), count);
      return upsRow(stepper.state, 'a').depletionRate;
    };
    for (const [charge, count] of [
      [100, 5],
      [99, 30],
      [98, 5],
    ] as const)
      rate(charge, count);
    // The hold of the charge is 8 s.
    const known = rate(85, 12);
    expect(known).to.be.greaterThan(0);
    expect(rate(70, 1)).to.equal(known);
  });
});
