// How many readings in a row meet a trigger, and at which of them it fires.
import { expect } from 'chai';
import type { BatteryTriggerName, TriggerSettings } from '../../../../shared/domain/triggers/table.js';
import type { Facts } from '../../../../shared/domain/triggers/trigger.js';
import { upsOf } from '../../../../supervisor/policy/state/state.js';
import { confirmed, nothingConfirmed } from '../../../../supervisor/policy/trigger/trigger-confirmations.js';
import { factsOf } from '../../../../supervisor/policy/state/ups-state.js';
import { reading, settingsOf, Stepper } from '../stream.js';

function triggersOf(text: string): TriggerSettings {
  const [ups] = settingsOf(`ups a ${text}`).ups;
  if (ups === undefined) throw new Error('no UPS');
  return ups.triggers;
}

/** Of a reading on battery that meets no trigger. */
function calm(): Facts {
  const stepper = new Stepper(settingsOf('ups a')).polls(
    'a',
    reading('OB', { chargePercent: 90, runtimeSeconds: 3000 }),
    1,
  );
  const ups = upsOf(stepper.state, 'a');
  const facts = ups === undefined ? null : factsOf(ups);
  if (facts === null) throw new Error('not on battery');
  return facts;
}

/** How often each of these readings has confirmed the trigger. */
function counts(
  name: BatteryTriggerName,
  settings: TriggerSettings,
  ...readings: readonly (Partial<Facts> | null)[]
): readonly number[] {
  const facts = calm();
  let counted = nothingConfirmed;
  return readings.map((read) => {
    counted = confirmed(counted, settings, read === null ? null : { ...facts, ...read });
    return counted[name];
  });
}

const low = { chargePercent: 19.9 };
const fine = { chargePercent: 20 };
const missing = { chargePercent: null };

describe('the confirmations of a trigger', () => {
  it('are readings in a row that meet it, and no more are counted than it needs', () => {
    expect(counts('LOW_BATTERY', triggersOf('confirmations=3'), low, low, low, low)).to.deep.equal([
      1, 2, 3, 3,
    ]);
  });

  it('begin again after a reading that does not meet it, or without OB', () => {
    expect(counts('LOW_BATTERY', triggersOf(''), low, fine, low, low)).to.deep.equal([1, 0, 1, 2]);
    expect(counts('LOW_BATTERY', triggersOf(''), low, null, low, low)).to.deep.equal([1, 0, 1, 2]);
  });

  it('are neither counted nor lost by a reading without the value', () => {
    expect(counts('LOW_BATTERY', triggersOf(''), low, missing, low)).to.deep.equal([1, 1, 2]);
    expect(counts('LOW_BATTERY', triggersOf(''), missing, low)).to.deep.equal([0, 1]);
  });

  it('are none for DEPLETION and EXTENDED_TIME while the source is unknown or contradicted', () => {
    const met = { onBatteryMs: 1_800_000, batteryTimeMs: 1_800_000, depletionRate: 30 };
    for (const name of ['DEPLETION', 'EXTENDED_TIME'] as const) {
      const count = (source: Facts['source']) => counts(name, triggersOf(''), { ...met, source })[0];
      expect([count('battery'), count('unknown'), count('contradicted')]).to.deep.equal([1, 0, 0]);
    }
  });
});

describe('a trigger that is confirmed', () => {
  it('fires at the reading 30 s after the transfer, which is the end of its delay', () => {
    const stepper = new Stepper(settingsOf('ups a hold=0s delay=30s'));
    const values = { chargePercent: 10, runtimeSeconds: 3000 };
    stepper.polls('a', reading('OL', values), 1).polls('a', reading('OB', values), 30);
    expect(stepper.starts).to.deep.equal([]);
    expect(stepper.polls('a', reading('OB', values), 1).starts).to.deep.equal(['a']);
  });
});
