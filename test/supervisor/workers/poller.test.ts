import { expect } from 'chai';
import { Pollers } from '../../../supervisor/workers/poller.js';
import { configurationFrom } from '../config/loading.js';
import { Simulation } from '../supervision/simulated.js';

describe('the pollers of a fleet', () => {
  const ups = (name: string, local = false): string =>
    `[[ups]]\nname = "${name}@127.0.0.1"\nis_local = ${String(local)}\n`;
  const fleet = configurationFrom(`${ups('a')}${ups('b')}${ups('c', true)}${ups('d')}`);
  const orderOf = (onBattery: readonly string[]): readonly string[] => {
    const { supervision } = new Simulation();
    new Pollers(
      supervision,
      () => undefined,
      (group) => onBattery.includes(group),
    ).apply(fleet);
    return supervision.workers.map(({ name }) => name.replace(/^poller:(.).*/, '$1'));
  };

  it('start in the order of the present urgency after their process was lost', async () => {
    const simulation = new Simulation();
    const of = (local: string): string => [...'abcdefghij'].map((name) => ups(name, name === local)).join('');
    const onBattery = new Set<string>();
    const pollers = new Pollers(
      simulation.supervision,
      () => undefined,
      (group) => onBattery.has(group),
    );
    const inOneProcess = '[nut]\nmax_pollers = 1\n';
    pollers.apply(configurationFrom(`${inOneProcess}${of('none')}`));
    await simulation.makeReady();
    await simulation.pass(2_500, () => simulation.newest.say({ kind: 'heartbeat' }));
    pollers.apply(configurationFrom(`${inOneProcess}${of('j')}`));
    onBattery.add('i-127.0.0.1');
    simulation.newest.end();
    await simulation.settle();
    // Four start before the others count as lost; four more a second later, one of them because it waited longest.
    await simulation.pass(1_000);
    const begun = simulation.supervision.workers.filter(({ restarts }) => restarts === 1);
    expect(begun.map(({ name }) => name.replace(/^poller:(.).*/, '$1')).join('')).to.equal('abcdefij');
  });

  it('start with the one that feeds this host', () => {
    expect(orderOf([])).to.deep.equal(['c', 'a', 'b', 'd']);
  });

  it('start next with those that were on battery in the last state of the previous daemon', () => {
    expect(orderOf(['d-127.0.0.1', 'c-127.0.0.1'])).to.deep.equal(['c', 'd', 'a', 'b']);
  });
});
