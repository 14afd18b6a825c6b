import { expect } from 'chai';
import { Pollers } from '../../supervisor/pollers.js';
import { configurationFrom } from './config/loading.js';
import { Simulation } from './supervision/simulated.js';

describe('the pollers of a fleet', () => {
  const ups = (name: string, local = false): string =>
    `[[ups]]\nname = "${name}@127.0.0.1"\nis_local = ${String(local)}\n`;
  const fleet = configurationFrom(`${ups('a')}${ups('b')}${ups('c', true)}${ups('d')}`);
  const orderOf = (onBattery: readonly string[]): readonly string[] => {
    const { supervision } = new Simulation();
    new Pollers(
      supervision,
      () => undefined,
      () => new Set(onBattery),
    ).apply(fleet);
    return supervision.workers.map(({ name }) => name.replace(/^poller:(.).*/, '$1'));
  };

  it('start with the one that feeds this host', () => {
    expect(orderOf([])).to.deep.equal(['c', 'a', 'b', 'd']);
  });

  it('start those next that were on battery when a daemon before this one saw them last', () => {
    expect(orderOf(['d-127.0.0.1', 'c-127.0.0.1'])).to.deep.equal(['c', 'd', 'a', 'b']);
  });
});
