import { expect } from 'chai';
import { RemoteWorker } from '../../../supervisor/workers/remote.js';
import { remoteWork } from '../../fixtures/plans.js';
import { configurationFrom, withServer } from '../config/loading.js';
import { Simulation } from '../supervision/simulated.js';

describe('the remote worker of the supervisor', () => {
  it('is asked to shut a thousand servers down at once', async () => {
    const simulation = new Simulation();
    const remote = new RemoteWorker(simulation.supervision, () => false);
    remote.apply(configurationFrom(withServer));
    await simulation.makeReady();
    const refusals: string[] = [];
    for (let count = 0; count < 1_000; count += 1)
      void remote.shutDown(remoteWork(`server-${String(count)}`), 60_000).then((outcome) => {
        if (!outcome.ok) refusals.push(outcome.error.message);
      });
    await simulation.settle();
    expect(refusals).to.deep.equal([]);
    const asked = simulation.newest.received.filter(({ name }) => name === 'target.shutdown');
    expect(asked).to.have.length(1_000);
  });
});
