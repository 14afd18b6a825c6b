import { expect } from 'chai';
import type { WorkerHandle } from '../../../supervisor/supervision/worker-spec.js';
import type { EchoContract } from '../../fixtures/workers/echo.js';
import { Simulation } from './simulated.js';

describe('A silent worker', () => {
  let simulation: Simulation;
  let worker: WorkerHandle<EchoContract>;
  const silentMs = (): readonly number[] => simulation.losses.map(({ atMs }) => atMs - 1_000_000);

  beforeEach(async () => {
    simulation = new Simulation();
    worker = await simulation.ready();
  });

  it('that waited for a processor is not killed, and continues when it has one', async () => {
    simulation.newest.runs({ isRunnable: true });
    await simulation.pass(4_000);
    simulation.newest.runs({ ranMs: 1, waitedMs: 4_000 });
    await simulation.pass(250, () => simulation.newest.send({ kind: 'heartbeat' }));
    expect(worker).to.include({ state: 'ready', restarts: 0 });
  });

  it('that hangs after such a wait is killed 2 s after its last frame', async () => {
    simulation.newest.runs({ isRunnable: true });
    await simulation.pass(4_000);
    simulation.newest.send({ kind: 'heartbeat' });
    simulation.newest.runs({ isRunnable: false, ranMs: 1, waitedMs: 4_000 });
    await simulation.pass(2_250);
    // The frame was heard in the tick at 4,250 ms.
    expect(silentMs()).to.deep.equal([6_250]);
  });

  it('that sleeps or was stopped is killed after 2 s', async () => {
    simulation.newest.runs({ isRunnable: false });
    await simulation.pass(2_000);
    expect(silentMs()).to.deep.equal([2_000]);
  });

  it('that spins is killed by the time it consumed', async () => {
    let ticks = 0;
    await simulation.pass(6_000, () => {
      ticks += 1;
      simulation.processes[0]?.runs({ isRunnable: true, ranMs: 50 * ticks, waitedMs: 200 * ticks });
    });
    // The kernel is asked from 1,250 ms on; a fifth of the time after that is its own.
    expect(silentMs()[0]).to.equal(5_000);
  });

  it('that spins without a competitor is killed after 2 s', async () => {
    let ticks = 0;
    await simulation.pass(2_000, () => {
      ticks += 1;
      simulation.processes[0]?.runs({ isRunnable: true, ranMs: 250 * ticks });
    });
    expect(silentMs()).to.deep.equal([2_000]);
  });

  it('is not killed for the time in which one of its other threads waited for a processor', async () => {
    const asleep = { isRunnable: false, ranMs: 0, waitedMs: 0 };
    simulation.newest.threads = new Map([
      [100, asleep],
      [101, { ...asleep, isRunnable: true }],
    ]);
    await simulation.pass(4_000);
    expect(worker.state).to.equal('ready');
  });

  it('is not killed for the time that the hypervisor took from a processor', async () => {
    simulation.newest.runs({ isRunnable: false });
    simulation.stolenMs = [0, 0];
    await simulation.pass(4_000, () => (simulation.stolenMs = [0, (simulation.stolenMs[1] ?? 0) + 250]));
    expect(worker.state).to.equal('ready');
    await simulation.pass(1_000);
    expect(worker.restarts).to.equal(1);
  });

  it('is killed after 2 s where the kernel says nothing', async () => {
    await simulation.pass(2_000);
    expect(silentMs()).to.deep.equal([2_000]);
  });

  it('has as long for its start as it waited for a processor', async () => {
    const starting = simulation.start('starting');
    simulation.newest.runs({ isRunnable: true });
    await simulation.pass(6_000, () => simulation.processes[0]?.send({ kind: 'heartbeat' }));
    expect(starting.restarts).to.equal(0);
    simulation.newest.runs({ isRunnable: false });
    await simulation.pass(6_000, () => simulation.processes[0]?.send({ kind: 'heartbeat' }));
    expect(simulation.losses.map(({ name, reason }) => [name, reason])).to.deep.equal([
      ['starting', 'start-overdue'],
    ]);
  });
});
