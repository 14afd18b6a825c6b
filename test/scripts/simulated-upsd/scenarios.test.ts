import { expect } from 'chai';
import type { ScenarioName } from '../../../scripts/simulated-upsd/scenarios.js';
import { isScenarioName, scenarioNames, scenarios } from '../../../scripts/simulated-upsd/scenarios.js';
import { SimulatedUps } from '../../../scripts/simulated-upsd/simulated-ups.js';

/** Each status of a scenario, in order. */
function statusesOf(name: ScenarioName): string[] {
  let now = 0;
  const ups = new SimulatedUps({ name: 'u', noise: 0, scenario: scenarios[name] }, () => now);
  const seen: string[] = [];
  for (; now < scenarios[name].lengthSeconds; now += 1) {
    ups.look();
    const status = (ups.store.quoted('ups.status') ?? '').slice(1, -1);
    if (seen.at(-1) !== status) seen.push(status);
  }
  return seen;
}

describe('the scenario', () => {
  it('mains stays on line power', () => expect(statusesOf('mains')).to.deep.equal(['OL']));

  it('outage drains the battery to its end and recharges it afterwards', () => {
    expect(statusesOf('outage')).to.deep.equal([
      'OL',
      'OB DISCHRG',
      'OB DISCHRG LB',
      'OL CHRG LB',
      'OL CHRG',
    ]);
  });

  it('brownout boosts, goes to battery, boosts, trims and recovers', () => {
    const words = statusesOf('brownout').map((status) => status.replace(' CHRG', ''));
    expect(words).to.deep.equal(['OL', 'OL BOOST', 'OB DISCHRG', 'OL BOOST', 'OL TRIM', 'OL']);
  });

  it('self-test goes to battery with TEST only', () => {
    expect(statusesOf('self-test')).to.deep.equal(['OL', 'TEST OB DISCHRG', 'OL CHRG']);
  });

  it('flapping goes to battery eight times', () => {
    expect(statusesOf('flapping').filter((status) => status.startsWith('OB'))).to.have.length(8);
  });

  it('dying-battery fails its test and goes off in the outage', () => {
    const seen = statusesOf('dying-battery');
    expect(seen).to.include('ALARM OB DISCHRG LB RB');
    expect(seen).to.include('ALARM OB LB RB OFF');
  });

  it('fsd raises FSD on battery and drops it after the outage', () => {
    const seen = statusesOf('fsd');
    expect(seen).to.include('FSD OB DISCHRG');
    expect(seen.at(-1)).to.equal('OL CHRG');
  });

  it('may show another word instead of OB and OL', () => {
    let now = 0;
    const events = scenarios.outage.events.map((event) => ({ ...event, sourceWord: 'OFF' }));
    const ups = new SimulatedUps(
      { name: 'u', noise: 0, scenario: { ...scenarios.outage, events } },
      () => now,
    );
    ups.look();
    expect(ups.store.quoted('ups.status')).to.equal('"OFF"');
    for (; now < 200; now += 1) ups.look();
    expect(ups.store.quoted('ups.status')).to.equal('"OFF DISCHRG"');
  });

  for (const name of ['outage', 'brownout', 'dying-battery', 'fsd'] as const)
    it(`${name} leaves a minute between two outages, so that the daemon does not resume the first`, () => {
      const speed = 20;
      let now = 0;
      const ups = new SimulatedUps({ name: 'u', noise: 0, scenario: scenarios[name] }, () => now);
      const outages: number[] = [];
      for (; now < 2 * scenarios[name].lengthSeconds; now += 1) {
        ups.look();
        const words = (ups.store.quoted('ups.status') ?? '').slice(1, -1).split(' ');
        if (words.includes('OB') && !words.includes('TEST')) outages.push(now);
      }
      const pauses = outages.slice(1).map((at, index) => at - (outages[index] ?? at));
      expect(Math.max(...pauses) / speed).to.be.above(60);
    });

  for (const name of scenarioNames)
    it(`${name} has ordered times and starts from a known state`, () => {
      const times = scenarios[name].events.map((happening) => happening.atSeconds);
      expect(times).to.deep.equal([...times].sort((a, b) => a - b));
      expect(scenarios[name].events[0]).to.include({ atSeconds: 0, link: 'ok', fsd: false });
      expect(scenarios[name].lengthSeconds).to.be.greaterThan(times.at(-1) ?? 0);
    });

  it('starts again at its end', () => {
    let now = 0;
    const ups = new SimulatedUps({ name: 'u', noise: 0, scenario: scenarios.outage }, () => now);
    now = scenarios.outage.lengthSeconds + 101;
    ups.look();
    expect(ups.store.value('ups.status')).to.equal('OB DISCHRG');
    expect(ups.next()?.says).to.equal('the power returns');
  });

  it('can be selected by its name', () => {
    expect(isScenarioName('outage')).to.equal(true);
    expect(isScenarioName('toString')).to.equal(false);
  });
});
