import { expect } from 'chai';
import { explain } from '../../../../supervisor/policy/view/explain.js';
import { triggersWithoutData } from '../../../../supervisor/policy/power/reported-quantities.js';
import { upsOf } from '../../../../supervisor/policy/state/state.js';
import { upsRow } from '../../../../supervisor/policy/view/view.js';
import { hasNoData } from '../../../../shared/domain/ups/status-words.js';
import { readingOf } from '../../../../workers/poller/reading/reading.js';
import { assessedBattery } from '../../../fixtures/assessed-battery.js';
import { skipFor } from '../../../fixtures/skip.js';
import { deviceDumps, noDumps } from '../../../fixtures/device-dumps.js';
import { reading, settingsOf, Stepper } from '../stream.js';

const unavailable = (stepper: Stepper): readonly string[] => upsRow(stepper.state, 'a').unavailableTriggers;
const start = (settings = ''): Stepper => new Stepper(settingsOf(`ups a ${settings}`));
const known = { chargePercent: 90, runtimeSeconds: 900 };
const unknown = { chargePercent: null, runtimeSeconds: null };

describe('the triggers that a UPS has no data for', () => {
  it('are none before the first reading', () => {
    expect(unavailable(start())).to.deep.equal([]);
  });

  it('are those by charge and by runtime on a UPS that reports neither', () => {
    const stepper = start().polls('a', reading('OL', unknown), 1);
    expect(unavailable(stepper)).to.deep.equal(['LOW_BATTERY', 'CRITICAL_RUNTIME', 'DEPLETION']);
    expect(explain(stepper.state, 'a').text).to.contain('reported no charge so far, so it cannot fire');
  });

  it('leave out a trigger that is off', () => {
    expect(unavailable(start('low=0').polls('a', reading('OL', unknown), 1))).to.deep.equal([
      'CRITICAL_RUNTIME',
      'DEPLETION',
    ]);
    expect(unavailable(start('runtime=0s').polls('a', reading('OL', unknown), 1))).not.to.include(
      'CRITICAL_RUNTIME',
    );
  });

  it('do not follow from a single reading without the value', () => {
    const stepper = start().polls('a', reading('OL', known), 1).polls('a', reading('OL', unknown), 59);
    expect(unavailable(stepper)).to.deep.equal([]);
    stepper.polls('a', reading('OL', unknown), 1);
    expect(unavailable(stepper)).to.have.length(3);
    expect(explain(stepper.state, 'a').text).to.contain('reported no charge for a minute or more, so it');
    stepper.polls('a', reading('OL', known), 1);
    expect(unavailable(stepper)).to.deep.equal([]);
  });

  it('do not include the runtime of a device that reports it on battery only', () => {
    const onBattery = { chargePercent: 90, runtimeSeconds: 900 };
    const onLine = { chargePercent: 90, runtimeSeconds: null };
    const stepper = start().polls('a', reading('OL', onLine), 2);
    expect(unavailable(stepper)).to.deep.equal(['CRITICAL_RUNTIME']);
    stepper.polls('a', reading('OB', onBattery), 2).polls('a', reading('OL', onLine), 300);
    expect(unavailable(stepper)).to.deep.equal([]);
    // Also where it has reported it on line power since.
    stepper.polls('a', reading('OL', onBattery), 2).polls('a', reading('OL', onLine), 61);
    expect(unavailable(stepper)).to.deep.equal([]);
  });

  it('do not include the runtime where it is estimated, once there is an estimate', () => {
    const { state } = start().polls('a', reading('OL', unknown), 1);
    const ups = upsOf(state, 'a');
    if (ups === undefined) throw new Error('no UPS');
    const { runtimeEstimate } = assessedBattery;
    const lacked = (runtimeSource: 'ups' | 'estimated', estimate: typeof runtimeEstimate | null) =>
      triggersWithoutData({ ...ups, estimate }, { ...ups.policy.triggers, runtimeSource }).map(
        ({ name }) => name,
      );
    const all = ['LOW_BATTERY', 'CRITICAL_RUNTIME', 'DEPLETION'];
    expect(lacked('ups', runtimeEstimate)).to.deep.equal(all);
    expect(lacked('estimated', null)).to.deep.equal(all);
    expect(lacked('estimated', runtimeEstimate)).to.deep.equal(['LOW_BATTERY', 'DEPLETION']);
  });

  it('are those of each known device that its variables have no value for', function () {
    const dumps = deviceDumps().filter(({ variables }) => !hasNoData(readingOf(variables).status));
    skipFor(this, dumps.length === 0 && noDumps);
    for (const { file, variables } of dumps) {
      const values = readingOf(variables);
      const stepper = start().polls('a', reading(values.status.join(' '), values), 1);
      const { last } = upsOf(stepper.state, 'a')?.readings ?? {};
      const { chargePercent, runtimeSeconds } = last?.reading ?? values;
      expect(unavailable(stepper), file).to.deep.equal([
        ...(chargePercent === null ? ['LOW_BATTERY'] : []),
        ...(runtimeSeconds === null ? ['CRITICAL_RUNTIME'] : []),
        ...(chargePercent === null ? ['DEPLETION'] : []),
      ]);
    }
  });
});
