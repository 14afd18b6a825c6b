import { expect } from 'chai';
import { phaseLoad, phaseRows, phaseWatts } from '../../../../shared/domain/status/phases.js';
import { readingOf } from '../../../../workers/poller/reading/reading.js';

describe('a UPS of three phases', () => {
  it('has the load of the phase that carries most, under each name that drivers use', () => {
    for (const name of ['output.#.power.percent', 'output.#.load', 'ups.#.load', 'ups.#.power.percent']) {
      const of = (phase: number, value: string) => [name.replace('#', `L${String(phase)}`), value];
      const variables = Object.fromEntries([of(1, '6.00'), of(2, '8.00'), of(3, '7.00')]) as Record<
        string,
        string
      >;
      expect(phaseLoad(variables), name).to.equal(8);
      expect(readingOf(variables).loadPercent, name).to.equal(8);
    }
    expect(phaseLoad({ 'output.L1.power.percent': 'n/a', 'output.L2.power.percent': '31' })).to.equal(31);
    expect(phaseLoad({})).to.equal(null);
  });

  it('has the sum of the real power, and none where a phase in use shows none', () => {
    const two = { 'output.L1.realpower': '3100', 'output.L2.realpower': '2900' };
    const all = { ...two, 'output.L3.realpower': '3000' };
    expect(phaseWatts(all)).to.equal(9000);
    expect(readingOf(all).realPowerWatts).to.equal(9000);
    expect(phaseWatts(two)).to.equal(null);
    expect(phaseWatts({ ...two, 'output.phases': '2' })).to.equal(6000);
  });

  it('has a row for each phase that shows anything, with where its voltage is measured', () => {
    const none = { inputAt: '', inputVoltage: null, outputAt: '', outputVoltage: null };
    expect(phaseRows({ 'input.voltage': '230', 'ups.load': '8' }, [])).to.deep.equal([]);
    const between = {
      'input.L1-L2.voltage': '399',
      'input.L2-L3.voltage': '401',
      'output.L1.voltage': '230',
    };
    expect(
      phaseRows({ ...between, 'ups.L3.load': '7', 'output.L3.realpower': 'n/a' }, ['L2-L3']),
    ).to.deep.equal([
      {
        ...{ phase: 'L1', inputAt: 'L1-L2', inputVoltage: 399, outputAt: 'L1', outputVoltage: 230 },
        ...{ load: null, realPower: null, lost: false },
      },
      {
        ...{ ...none, phase: 'L2', inputAt: 'L2-L3', inputVoltage: 401 },
        ...{ load: null, realPower: null, lost: true },
      },
      { ...none, phase: 'L3', load: 7, realPower: null, lost: false },
    ]);
  });

  it('shows the values of the whole UPS, where it has them', () => {
    const variables = {
      'ups.load': '40',
      'ups.realpower': '900',
      'output.L1.power.percent': '60',
      'output.L1.realpower': '1',
    };
    expect(readingOf(variables)).to.include({ loadPercent: 40, realPowerWatts: 900 });
  });
});
