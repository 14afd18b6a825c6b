import { expect } from 'chai';
import { echoContract, plainSlice } from '../../fixtures/workers/echo.js';
import { Simulation } from './simulated.js';

describe('the memory of a host process', () => {
  const hosting = async (threads: number) => {
    const simulation = new Simulation();
    for (let number = 1; number <= threads; number += 1)
      simulation.supervision.start({
        name: `poller-${String(number)}`,
        contract: echoContract,
        entry: '',
        hosting: { kind: 'thread', process: 'nut-1', entry: 'poller', user: null },
        silenceMs: 60_000,
        startDeadlineMs: 60_000,
        stopDeadlineMs: 3000,
        memoryLimitMb: 300,
        slice: plainSlice,
        onEvent: { 'number.counted': () => undefined, 'number.changed': () => undefined },
        serve: { double: () => Promise.reject(new Error('nobody asks')) },
      });
    await simulation.settle();
    return simulation;
  };
  const holding = async (simulation: Simulation, megabytes: number) => {
    simulation.newest.megabytes = megabytes;
    await simulation.pass(250);
    return simulation.losses.some(({ reason }) => reason === 'host-lost');
  };

  it('may be what a single poller may take', async () => {
    expect(await holding(await hosting(1), 299)).to.equal(false);
    expect(await holding(await hosting(1), 301)).to.equal(true);
  });

  it('grows with its threads: a hundred UPSes in four processes are no leak', async () => {
    // Measured: 25 pollers in one process take 410 MB.
    expect(await holding(await hosting(25), 600)).to.equal(false);
    expect(await holding(await hosting(25), 1_200)).to.equal(true);
  });
});
