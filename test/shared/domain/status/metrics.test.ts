// What of a reading becomes a sample of the history: accepted values only.
import { expect } from 'chai';
import { metrics, metricValuesOf } from '../../../../shared/domain/status/metrics.js';
import type { MetricName } from '../../../../shared/domain/status/metrics.js';
import { upsRow } from '../../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from '../../../supervisor/policy/stream.js';

type Numbers = Parameters<typeof reading>[1];

/** Polls one UPS, and returns the samples of the last poll. */
class Kept {
  readonly #stepper: Stepper;

  constructor(hold = '0s') {
    this.#stepper = new Stepper(settingsOf(`ups a confirmations=1 hold=${hold}`));
  }

  after(words: string, numbers: Numbers = {}): Partial<Record<MetricName, number | null>> | null {
    const outcome = reading(words, numbers);
    if (outcome.kind !== 'reading') throw new Error('not a reading');
    this.#stepper.poll('a', outcome);
    const values = metricValuesOf(outcome.reading, upsRow(this.#stepper.state, 'a'));
    return values && Object.fromEntries(metrics.map(({ name }, at) => [name, values[at] ?? null]));
  }
}

describe('the history row of a reading', () => {
  it('has no value in doubt', () => {
    const kept = new Kept('8s');
    kept.after('OL', { chargePercent: 90, runtimeSeconds: 3000 });
    expect(kept.after('OB', { chargePercent: 20, runtimeSeconds: 3000 })).to.include({
      charge: null,
      runtime: 3000,
    });
    expect(kept.after('OB', { chargePercent: 19, runtimeSeconds: 1500 })).to.include({
      charge: 19,
      runtime: null,
    });
  });

  it('has every quantity of the reading', () => {
    const kept = new Kept().after('OL', {
      chargePercent: 97.5,
      runtimeSeconds: 1200,
      loadPercent: 12,
      inputVolts: 230,
      outputVolts: 229,
      batteryVolts: 27.1,
      inputHertz: 50,
      outputHertz: 49.9,
      temperatureCelsius: 31,
      realPowerWatts: 140,
    });
    expect(kept).to.deep.equal({
      charge: 97.5,
      runtime: 1200,
      load: 12,
      voltage: 230,
      output_voltage: 229,
      battery_voltage: 27.1,
      frequency: 50,
      output_frequency: 49.9,
      temperature: 31,
      real_power: 140,
      depletion: null,
    });
  });

  it('has no charge or runtime of 0 on line power, nor in the outage after it until one above 0 was read', () => {
    const kept = new Kept();
    expect(kept.after('OL', { chargePercent: 0, runtimeSeconds: 0, loadPercent: 7 })).to.include({
      charge: null,
      runtime: null,
      load: 7,
    });
    expect(kept.after('OB', { chargePercent: 0, runtimeSeconds: 0 })).to.include({
      charge: null,
      runtime: null,
    });
    expect(kept.after('OB', { runtimeSeconds: 300 })).to.include({ runtime: 300 });
    expect(kept.after('OB', { runtimeSeconds: 0 })).to.include({ runtime: 0 });
  });

  it('is empty while the status is WAIT or empty', () => {
    const kept = new Kept();
    kept.after('OL', { chargePercent: 90 });
    expect(kept.after('WAIT', { chargePercent: 90 })).to.equal(null);
    expect(kept.after('', { chargePercent: 90 })).to.equal(null);
  });
});
