// What a snapshot keeps of a UPS.
import { expect } from 'chai';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { restored, snapshotOf } from '../../../supervisor/policy/snapshot.js';
import type { UpsState } from '../../../supervisor/policy/state/ups-state.js';
import { reading, settingsOf, Stepper } from './stream.js';

const settings = settingsOf('ups a');
const good = { chargePercent: 90, runtimeSeconds: 3_000 };

/** The UPS before and after a restart. */
function restart(polls: readonly (readonly [PollOutcome, number])[]): readonly [UpsState, UpsState] {
  const stepper = new Stepper(settings);
  for (const [outcome, count] of polls) stepper.polls('a', outcome, count);
  const kept: unknown = JSON.parse(JSON.stringify(snapshotOf(stepper.state)));
  const back = restored(kept, settings, stepper.at);
  const [before] = stepper.state.ups;
  if (!back.ok || before === undefined) throw new Error('the snapshot is refused');
  const [after] = back.value.ups;
  if (after === undefined) throw new Error('no UPS');
  return [before, after];
}

describe('the snapshot of a UPS', () => {
  it('keeps the time that the battery gave, and that the UPS has gauges', () => {
    const [before, after] = restart([
      [reading('OB', good), 60],
      [reading('OL', { ...good, chargePercent: 80 }), 3],
    ]);
    expect(before.batteryTime.sumMs).to.be.greaterThan(0);
    expect(after.batteryTime).to.deep.equal(before.batteryTime);
    expect(before.readings.gauges.charge.hasRead).to.equal(true);
    expect(after.readings.gauges).to.deep.equal(before.readings.gauges);
  });

  it('keeps of the variables what the holds depend on', () => {
    const driver = { 'driver.name': 'snmp-ups', 'driver.parameter.pollinterval': '5' };
    const outcome = { ...reading('OL', good), variables: { ...driver, 'ups.mfr': 'x' } } as PollOutcome;
    expect(restart([[outcome, 1]])[1].readings.variables).to.deep.equal(driver);
  });
});
