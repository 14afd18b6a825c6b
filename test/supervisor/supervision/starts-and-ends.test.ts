import { expect } from 'chai';
import { Simulation } from './simulated.js';

describe('A worker that starts', () => {
  let simulation: Simulation;
  beforeEach(() => {
    simulation = new Simulation();
    simulation.start();
  });
  const reasons = () => simulation.losses.map(({ reason }) => reason);

  for (const [what, change] of [
    ['of another process', { pid: 4711 }],
    ['of another protocol', { protocol: 1 }],
  ] as const) {
    it(`is killed for a hello ${what}, before it has its settings`, async () => {
      const [first] = simulation.processes;
      first?.send({ ...first.helloFrame, ...change });
      await simulation.settle();
      expect(reasons()).to.deep.equal(['violation']);
      expect(first).to.deep.include({ killed: true, received: [] });
    });
  }

  it('is killed when it says no hello, or does not become ready, within its deadline', async () => {
    await simulation.pass(4750);
    expect(reasons()).to.deep.equal([]);
    await simulation.pass(250);
    expect(reasons()).to.deep.equal(['start-overdue']);
    simulation.newest.hello();
    await simulation.pass(4750, () => simulation.newest.send({ kind: 'heartbeat' }));
    expect(reasons()).to.have.length(1);
    await simulation.pass(250);
    expect(reasons()).to.deep.equal(['start-overdue', 'start-overdue']);
  });
});

describe('A worker that ends', () => {
  let simulation: Simulation;
  beforeEach(() => {
    simulation = new Simulation();
  });

  it('is killed when it closes its link and runs on', async () => {
    await simulation.ready();
    const [first] = simulation.processes;
    first?.closeLink();
    await simulation.settle();
    expect(simulation.losses).to.deep.equal([]);
    await simulation.pass(250);
    expect(simulation.losses[0]).to.include({ reason: 'link-closed' });
    expect(first?.killed).to.equal(true);
  });

  it('ends before the next in the given order begins to', async () => {
    const [log, api] = [await simulation.ready('log'), await simulation.ready('api')];
    const [logProcess, apiProcess] = simulation.processes;
    const stopping = simulation.supervision.stopAll(['api', 'log'], 5000);
    await simulation.settle();
    expect([api.state, log.state]).to.deep.equal(['draining', 'ready']);
    apiProcess?.send({ kind: 'drained' });
    await simulation.settle();
    expect([api.state, log.state]).to.deep.equal(['stopped', 'draining']);
    logProcess?.send({ kind: 'drained' });
    await stopping;
  });

  it('is killed at the deadline of all, also where its own is later', async () => {
    await simulation.ready();
    const stopping = simulation.supervision.stopAll(['echo'], 1000);
    await simulation.pass(750);
    expect(simulation.newest.killed).to.equal(false);
    await simulation.pass(250);
    expect(simulation.newest.killed).to.equal(true);
    await stopping;
  });
});
