import { expect } from 'chai';
import type { PollOutcome } from '../../../../supervisor/policy/base/inputs.js';
import { voltageAt, voltageText } from '../../../../supervisor/policy/view/quality-words.js';
import { reading, settingsOf, Stepper } from '../stream.js';

/** Line power with these phases. */
function phases(...volts: readonly number[]): PollOutcome {
  const names = ['input.L1-N.voltage', 'input.L2-N.voltage', 'input.L3-N.voltage'];
  const variables = Object.fromEntries(volts.map((one, index) => [String(names[index]), String(one)]));
  return { ...reading('OL', { nominalVolts: 230 }), variables } as PollOutcome;
}

function details({ effects }: Stepper, type: string): readonly string[] {
  return effects.flatMap((one) => (one.kind === 'recordEvent' && one.type === type ? [one.detail] : []));
}

describe('a message about the voltage of three phases', () => {
  it('names the lowest phase where it is too low, and the highest where it is too high', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', phases(231, 229, 230), 2);
    stepper.polls('a', phases(231, 200, 230), 1).polls('a', phases(231, 229, 256), 1);
    expect(details(stepper, 'BROWNOUT_DETECTED')).to.deep.equal(['input voltage 200 V (L2-N)']);
    expect(details(stepper, 'OVER_VOLTAGE_DETECTED')).to.deep.equal(['input voltage 256 V (L3-N)']);
  });

  it('names the lowest phase where it is normal again', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', phases(231, 229, 230), 10);
    stepper.polls('a', phases(231, 229, 256), 35);
    stepper.polls('a', phases(231, 229, 240), 1);
    expect(details(stepper, 'VOLTAGE_NORMALIZED')).to.deep.equal(['229 V (L2-N) after 35 s']);
  });
});

describe('a message about a lost phase', () => {
  it('names the phases that are lost or back, with their voltages, and the highest', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', phases(231, 229, 230), 2);
    stepper.polls('a', phases(231, 1, 0), 12).polls('a', phases(231, 229, 0), 1);
    expect(details(stepper, 'PHASE_LOST')).to.deep.equal([
      'L2-N 1 V, L3-N 0 V, while another phase has 231 V',
    ]);
    expect(details(stepper, 'PHASE_RESTORED')).to.deep.equal(['L2-N 229 V']);
  });
});

describe('a voltage in words', () => {
  it('has a phase only where there are several, and is none where the UPS shows none', () => {
    const single = { highestVolts: 231, lowestVolts: 231, nominalVolts: 230, phases: [] };
    const at = voltageAt(single, 'LOW');
    expect(at).to.deep.equal({ volts: 231, phase: null });
    expect(at && voltageText(at)).to.equal('231 V');
    expect(voltageAt({ ...single, lowestVolts: null }, 'LOW')).to.equal(null);
    expect(voltageAt({ ...single, highestVolts: null }, 'HIGH')).to.equal(null);
  });
});
