// What a row shows of a UPS, and which rows look the same.
import { expect } from 'chai';
import type { UpsRow } from '../../../../shared/domain/status/status-model.js';
import { isEqual } from '../../../../supervisor/policy/base/comparison.js';
import { redundancyRow, upsRow } from '../../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const good = { chargePercent: 100, runtimeSeconds: 1_500 };
const stale = { kind: 'failed', detail: 'DATA_STALE', message: '' } as const;

describe('a row', () => {
  it('shows the runtime, and leaves what goes down to the read model', () => {
    const stepper = new Stepper(settingsOf('ups a\ngroup rack members=a')).polls('a', reading('OL', good), 1);
    const nothing = { host: false, servers: [] };
    expect(upsRow(stepper.state, 'a')).to.deep.include({ runtime: 1_500, shutsDown: nothing });
    expect(redundancyRow(stepper.state, 'redundancy-rack').shutsDown).to.deep.equal(nothing);
  });

  it('says why the source of power is unknown', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL OB', good), 3);
    expect(upsRow(stepper.state, 'a').contradiction).to.equal(
      'the status has both OL and OB, and charge and runtime do not fall',
    );
  });

  it('shows how long the failsafe waits for a stale driver, where that is longer than its delay', () => {
    // 0.02 of the runtime.
    const wait = (settings: string, runtimeSeconds: number) => {
      const stepper = new Stepper(settingsOf(`ups a ${settings}`));
      stepper.polls('a', reading('OB', { ...good, runtimeSeconds }), 3).polls('a', stale, 1);
      return upsRow(stepper.state, 'a').staleWait;
    };
    expect([wait('failsafe=15s', 1_500), wait('failsafe=30s', 1_500)]).to.deep.equal([30, null]);
    expect(wait('failsafe=15s', 1_549), 'in whole seconds').to.equal(30);
    expect(wait('failsafe=0s failsafe-share=0', 1_500), 'without a share').to.equal(null);
  });
});

describe('two rows', () => {
  const row = upsRow(new Stepper(settingsOf('ups a')).polls('a', reading('OL', good), 1).state, 'a');
  const estimated = (seconds: number, errorSeconds: number): UpsRow => ({
    ...row,
    runtimeEstimate: { seconds, errorSeconds },
  });
  const without = (...unavailableTriggers: UpsRow['unavailableTriggers']): UpsRow => ({
    ...row,
    unavailableTriggers,
  });

  it('look the same only with the same estimate of the runtime and its error', () => {
    expect(isEqual(estimated(600, 60), estimated(600, 60))).to.equal(true);
    expect(isEqual(estimated(600, 60), estimated(601, 60))).to.equal(false);
    expect(isEqual(estimated(600, 60), estimated(600, 61))).to.equal(false);
    expect(isEqual(estimated(600, 60), row)).to.equal(false);
  });

  it('look the same only with the same triggers that are unavailable', () => {
    const both = without('LOW_BATTERY', 'DEPLETION');
    expect(isEqual(both, without('LOW_BATTERY', 'DEPLETION'))).to.equal(true);
    expect(isEqual(both, without('LOW_BATTERY'))).to.equal(false);
    expect(isEqual(without('LOW_BATTERY'), both)).to.equal(false);
    expect(isEqual(both, without('LOW_BATTERY', 'CRITICAL_RUNTIME'))).to.equal(false);
  });
});
