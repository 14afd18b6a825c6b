import { expect } from 'chai';
import { Pollers, pollerSettings } from '../../../supervisor/workers/poller.js';
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

  /** The processes of a fleet, each with the number of its pollers. */
  const placesOf = async (others: number, nut = ''): Promise<readonly string[]> => {
    const simulation = new Simulation();
    const names = Array.from({ length: others }, (_, index) => `u${String(index)}`);
    const tables = [...names.map((name) => ups(name)), ups('local', true)];
    new Pollers(simulation.supervision, () => undefined).apply(configurationFrom(nut + tables.join('')));
    for (const process of simulation.processes) await simulation.makeReady(process);
    return simulation.processes.map(({ name, received }) => {
      const started = received.filter((frame) => frame.name === 'member.start');
      return `${name} ${String(started.length)}`;
    });
  };

  it('have a process for those that feed this host and one for all others', async () => {
    expect(await placesOf(9)).to.deep.equal(['host:nut-local 1', 'host:nut-1 9']);
  });

  it('have a further process for each 250, until there are nut.max_pollers', async () => {
    expect(await placesOf(251)).to.deep.equal(['host:nut-local 1', 'host:nut-1 250', 'host:nut-2 1']);
    expect(await placesOf(502, '[nut]\nmax_pollers = 2\n')).to.deep.equal([
      'host:nut-local 1',
      'host:nut-1 251',
      'host:nut-2 251',
    ]);
  });

  it('share the process of this host where they share a connection with a UPS that feeds it', async () => {
    const shared = '[nut]\nconnections = "per_server"\n';
    expect(await placesOf(9, shared)).to.deep.equal(['host:nut-local 10']);
  });

  it('start with the one that feeds this host', () => {
    expect(orderOf([])).to.deep.equal(['c', 'a', 'b', 'd']);
  });

  const rack =
    ups('a') +
    ups('b') +
    ups('c') +
    `[[redundancy_groups]]\nname = "rack"\nups_sources = ["b@127.0.0.1", "c@127.0.0.1"]\nis_local = true\n`;

  it('treat the members of the group of this host as feeding it: process, order, first moment', async () => {
    const simulation = new Simulation();
    const configuration = configurationFrom(rack);
    new Pollers(simulation.supervision, () => undefined).apply(configuration);
    for (const process of simulation.processes) await simulation.makeReady(process);
    const membersOf = simulation.processes.map(({ name, received }) => [
      name,
      received.filter((frame) => frame.name === 'member.start').length,
    ]);
    expect(membersOf).to.deep.equal([
      ['host:nut-local', 2],
      ['host:nut-1', 1],
    ]);
    expect(simulation.supervision.workers.map(({ name }) => name)).to.deep.equal([
      'poller:b-127.0.0.1',
      'poller:c-127.0.0.1',
      'poller:a-127.0.0.1',
    ]);
    const offsets = configuration.ups.map((one) => pollerSettings(configuration, one).pollOffsetMs);
    expect(offsets).to.deep.equal([50, 0, 0]);
  });

  it('start next with those that were on battery in the last state of the previous daemon', () => {
    expect(orderOf(['d-127.0.0.1', 'c-127.0.0.1'])).to.deep.equal(['c', 'd', 'a', 'b']);
  });
});
