import { expect } from 'chai';
import { loggerTo } from '../../../shared/runtime/log.js';
import { HostProcess } from '../../../supervisor/supervision/host-process.js';
import { AwakeClock } from '../../../supervisor/supervision/awake-clock.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { SimulatedProcess, Simulation } from './simulated.js';

describe('the memory of a host process', () => {
  const hosting = async () => {
    const simulation = new Simulation();
    simulation.startThread(null);
    await simulation.settle();
    return simulation;
  };
  const isLostWith = async (megabytes: number) => {
    const simulation = await hosting();
    simulation.newest.megabytes = megabytes;
    await simulation.pass(250);
    return simulation.losses.some(({ reason }) => reason === 'host-lost');
  };
  const limitOf = (pollers: number, laneOf: (number: number) => string | null): number => {
    const clock = new FakeTime();
    let threads = 0;
    const host = new HostProcess('nut-1', {
      clock,
      time: new AwakeClock(clock),
      log: loggerTo('supervisor', clock, () => undefined),
      observer: { workerReady: () => undefined, workerLost: () => undefined, log: () => undefined },
      launch: () => new SimulatedProcess(100),
      hostEntry: '',
      nextThread: () => (threads += 1),
    });
    for (let number = 1; number <= pollers; number += 1)
      host.launch({ entry: 'poller', user: null, memoryLimitMb: 300, lane: laneOf(number) });
    return host.footprint?.memoryLimitMb ?? NaN;
  };

  it('has the limit of a poller when the process has a single one', async () => {
    expect(await isLostWith(299)).to.equal(false);
    expect(await isLostWith(301)).to.equal(true);
    expect(limitOf(1, () => null)).to.equal(300);
  });

  it('has a limit that grows with the threads, so that a hundred UPSes in four processes are no leak', () => {
    // Measured: 25 pollers in one process take 410 MB.
    expect(limitOf(25, () => null)).to.be.within(600, 1_200);
  });

  it('has a limit that grows little for a poller in an existing thread', () => {
    // Measured: 250 pollers in 24 threads of one process take 280 MB.
    const laneOf = (number: number) => (number <= 16 ? null : `nut-1/${String(number % 8)}`);
    expect(limitOf(250, laneOf)).to.be.within(600, 1_500);
  });
});
