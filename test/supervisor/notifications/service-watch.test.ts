import { expect } from 'chai';
import type { ServiceState } from '../../../shared/protocol/notify.js';
import { ServiceWatch } from '../../../supervisor/notifications/service-watch.js';

const state = (id: string, failures: number): ServiceState => ({
  id,
  pending: failures,
  failures,
  fault: failures === 0 ? '' : `${id} is down`,
});

describe('the watch of notification services', () => {
  const reportedIds = (watch: ServiceWatch, ...states: readonly ServiceState[]): string[] =>
    watch.reported(states).map(({ state: { id }, through }) => `${id} through ${through.join()}`);

  it('reports a service at its third failure, once, through those that work', () => {
    const watch = new ServiceWatch();
    const tellings = [1, 2, 3, 4, 9].map((failures) =>
      reportedIds(watch, state('a', failures), state('b', 0)),
    );
    expect(tellings).to.deep.equal([[], [], ['a through b'], [], []]);
  });

  it('reports again after the service has worked', () => {
    const watch = new ServiceWatch();
    reportedIds(watch, state('a', 3), state('b', 0));
    reportedIds(watch, state('a', 0), state('b', 0));
    expect(reportedIds(watch, state('a', 3), state('b', 0))).to.deep.equal(['a through b']);
  });

  it('reports nothing while every service fails, and later the one that stays down', () => {
    const watch = new ServiceWatch();
    expect(reportedIds(watch, state('a', 5), state('b', 5))).to.deep.equal([]);
    // The network is back; a has not been tried since.
    expect(reportedIds(watch, state('a', 5), state('b', 0))).to.deep.equal([]);
    expect(reportedIds(watch, state('a', 6), state('b', 0))).to.deep.equal(['a through b']);
  });

  it('shows the fault of a service that fails, by its name', () => {
    const watch = new ServiceWatch();
    watch.reported([state('a', 3), state('b', 2)]);
    const services = ['a', 'b', 'c'].map((id) => ({ id, name: `name of ${id}` }));
    expect(watch.telemetryOf(services)).to.deep.equal([
      { name: 'name of a', pending: 3, fault: 'a is down' },
      { name: 'name of b', pending: 2, fault: '' },
      { name: 'name of c', pending: 0, fault: '' },
    ]);
    expect(watch.pending).to.equal(5);
  });
});
