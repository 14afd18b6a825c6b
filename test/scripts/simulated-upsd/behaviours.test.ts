import { expect } from 'chai';
import type { BehaviourName } from '../../../scripts/simulated-upsd/behaviours.js';
import { scenarios } from '../../../scripts/simulated-upsd/scenarios.js';
import { SimulatedUps } from '../../../scripts/simulated-upsd/simulated-ups.js';

/** The power fails at 100 s. */
class Watched {
  #now = 0;
  readonly #ups: SimulatedUps;

  constructor(...behaviours: readonly BehaviourName[]) {
    const spec = { name: 'u', noise: 0, scenario: scenarios.outage, behaviours } as const;
    this.#ups = new SimulatedUps(spec, () => this.#now);
  }

  /** Each value that is shown in these seconds, in order and without repetitions. */
  shown(variable: string, from: number, to: number): readonly string[] {
    const seen: string[] = [];
    for (this.#now = from; this.#now < to; this.#now += 1) {
      this.#ups.look();
      const value = this.#ups.link === 'ok' ? (this.#ups.store.value(variable) ?? 'none') : this.#ups.link;
      if (seen.at(-1) !== value) seen.push(value);
    }
    return seen;
  }
}

describe('a simulated UPS that', () => {
  it('has no behaviour shows its physics', () => {
    expect(new Watched().shown('battery.charge', 0, 220)).to.have.length.above(8);
    expect(new Watched().shown('ups.status', 0, 220)).to.deep.equal(['OL', 'OB DISCHRG']);
  });

  it('holds its values shows each for as long as its driver says, and the status at once', () => {
    const ups = new Watched('held');
    expect(ups.shown('battery.runtime', 121, 149)).to.have.length(1);
    expect(ups.shown('driver.parameter.pollfreq', 149, 150)).to.deep.equal(['30']);
    expect(ups.shown('battery.runtime', 150, 240)).to.have.length(3);
    expect(new Watched('held').shown('ups.status', 0, 104)).to.deep.equal(['OL', 'OB DISCHRG']);
  });

  it('lies shows 0 for a second on battery, and for a sample of a driver that holds it', () => {
    expect(new Watched('lying').shown('battery.charge', 0, 100)).to.deep.equal(['100']);
    const zeros = (...names: readonly BehaviourName[]): number => {
      const ups = new Watched(...names);
      let count = 0;
      for (let second = 101; second < 221; second += 1)
        count += Number(ups.shown('battery.charge', second, second + 1)[0] === '0');
      return count;
    };
    expect(zeros('lying')).to.equal(2);
    expect(zeros('lying', 'held')).to.equal(41);
  });

  it('has a coarse gauge shows its steps alone', () => {
    expect(new Watched('gauge-25').shown('battery.charge', 0, 1060)).to.deep.equal(['100', '75', '50', '25']);
    expect(new Watched('gauge-20').shown('battery.charge', 0, 1060)).to.have.length(5);
    expect(new Watched('no-gauge').shown('battery.charge', 0, 1060)).to.deep.equal(['0']);
  });

  it('flickers shows OL in between', () =>
    expect(new Watched('flicker').shown('ups.status', 101, 110)).to.deep.equal([
      'OL',
      'OB DISCHRG',
      'OL',
      'OB DISCHRG',
      'OL',
      'OB DISCHRG',
    ]));

  it('has OL with OB shows it at all times', () =>
    expect(new Watched('ol-ob').shown('ups.status', 0, 110)).to.deep.equal(['OL OB', 'OL OB DISCHRG']));

  it('has a stale driver is refused for 30 s of an outage', () => {
    const link = new Watched('stale').shown('ups.status', 0, 320);
    expect(link).to.deep.equal(['OL', 'OB DISCHRG', 'stale', 'OB DISCHRG', 'stale']);
  });

  it('has three phases shows nothing of them together', () => {
    const ups = new Watched('three-phases');
    expect(ups.shown('input.voltage', 0, 2)).to.deep.equal(['none']);
    expect(ups.shown('ups.load', 2, 4)).to.deep.equal(['none']);
    expect(ups.shown('input.L2-N.voltage', 4, 99)).to.deep.equal(['230.0']);
    expect(ups.shown('output.L3.power.percent', 99, 100)).to.deep.equal(['45']);
    expect(new Watched('three-phases', 'lost-phase').shown('input.L2-N.voltage', 0, 90)).to.deep.equal([
      '230.0',
      '0.0',
    ]);
    expect(new Watched('three-phases', 'lost-phase').shown('input.L1-N.voltage', 0, 90)).to.deep.equal([
      '230.0',
    ]);
  });
});
