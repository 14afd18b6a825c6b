// What a snapshot keeps of a UPS, and what is made of one of an earlier version.
import { expect } from 'chai';
import { noBatteryTime } from '../../../supervisor/policy/power/battery-time.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { restored, snapshotOf } from '../../../supervisor/policy/snapshot.js';
import type { UpsState } from '../../../supervisor/policy/state/ups-state.js';
import { reading, settingsOf, Stepper } from './stream.js';

const settings = settingsOf('ups a');
const good = { chargePercent: 90, runtimeSeconds: 3_000 };

/** The UPS before and after a restart; `changed` makes its snapshot one of an earlier version. */
function restart(
  polls: readonly (readonly [PollOutcome, number])[],
  changed: (ups: Record<string, unknown>) => void = () => undefined,
): readonly [UpsState, UpsState] {
  const stepper = new Stepper(settings);
  for (const [outcome, count] of polls) stepper.polls('a', outcome, count);
  const kept = JSON.parse(JSON.stringify(snapshotOf(stepper.state))) as { ups: Record<string, unknown>[] };
  kept.ups.forEach(changed);
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

  it('without the time that the battery gave has that of its outage', () => {
    const forget = (ups: Record<string, unknown>) => delete ups['batteryTime'];
    const [outage, after] = restart([[reading('OB', good), 10]], forget);
    if (outage.line.kind !== 'outage') throw new Error('no outage');
    const sinceMs = outage.line.clock.startedMs;
    expect(after.batteryTime).to.deep.equal({ ...noBatteryTime, use: 'gives', sinceMs });
    expect(restart([[reading('OL', good), 3]], forget)[1].batteryTime).to.deep.equal(noBatteryTime);
  });

  it('without gauges has none, but knows a runtime that was 0 on line power', () => {
    const gauge = (runtimeSeconds: number) =>
      restart([[reading('OL', { ...good, runtimeSeconds }), 3]], (ups) => delete ups['gauges'])[1].readings
        .gauges.runtime;
    expect(gauge(0)).to.deep.equal({ hasRead: false, zeroMs: 0 });
    expect(gauge(3_000)).to.deep.equal({ hasRead: false, zeroMs: null });
  });
});
