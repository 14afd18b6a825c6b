import { expect } from 'chai';
import { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { isEqual } from '../../../supervisor/policy/base/comparison.js';
import { upsRow } from '../../../supervisor/policy/view/view.js';
import { reading, settingsOf, Stepper } from './stream.js';

describe('the row of a UPS of three phases', () => {
  it('has one for each phase, and a lost one says so until it is back', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    const polls = (second: number, seconds: number, first = 231): UpsRow => {
      const variables = {
        ...{ 'input.L1-N.voltage': String(first), 'input.L2-N.voltage': String(second) },
        ...{ 'input.L3-N.voltage': '230', 'output.L2.power.percent': '32', 'output.L2.realpower': '3100' },
      };
      const outcome = reading('OL', { nominalVolts: 399 });
      stepper.polls('a', { ...outcome, variables } as PollOutcome, seconds);
      return upsRow(stepper.state, 'a');
    };
    expect(polls(229, 5).powerQuality.voltageState).to.equal('NORMAL');
    const lost = polls(0, 12);
    expect(UpsRow.is(lost)).to.equal(true);
    expect(lost.powerQuality.voltageState).to.equal('PHASE_LOST');
    expect(lost.phases.map((phase) => phase.lost)).to.deep.equal([false, true, false]);
    expect(lost.phases[1]).to.deep.equal({
      ...{ phase: 'L2', inputAt: 'L2-N', inputVoltage: 0, outputAt: '', outputVoltage: null },
      ...{ load: 32, realPower: 3100, lost: true },
    });
    expect(polls(0, 5, 190).powerQuality.voltageState).to.equal('LOW');
    const back = polls(229, 5);
    expect(back.powerQuality.voltageState).to.equal('NORMAL');
    expect(back.phases.some((phase) => phase.lost)).to.equal(false);
    expect(isEqual(back, polls(229, 1)) && !isEqual(back, lost)).to.equal(true);
    expect(isEqual(back, polls(228, 1))).to.equal(false);
  });
});
