import { expect } from 'chai';
import { Simulation } from './simulated.js';

describe('A worker that shares a thread', () => {
  const lane = 'nut-1/1';
  interface ThreadOrdered {
    readonly name: string;
    readonly params: { readonly thread: number; readonly lane: string | null };
  }
  const orders = ({ processes }: Simulation): readonly ThreadOrdered['params'][] =>
    processes
      .flatMap(({ heard }) => heard as readonly unknown[] as readonly ThreadOrdered[])
      .flatMap(({ name, params }) => (name === 'thread.start' ? [params] : []));
  const backAgain = async (simulation: Simulation): Promise<void> => {
    await simulation.settle();
    await simulation.pass(4_500, () => {
      if (simulation.newest.heard.length > 0) simulation.newest.say({ kind: 'heartbeat' });
    });
  };

  it('keeps its shared thread however often its process is lost', async () => {
    const simulation = new Simulation();
    simulation.startThread(lane);
    for (let life = 1; life <= 4; life += 1) {
      await simulation.makeReady();
      expect(orders(simulation)).to.have.length(life);
      simulation.newest.end();
      await backAgain(simulation);
    }
    expect(simulation.losses.map(({ reason }) => reason)).to.deep.equal(Array(4).fill('host-lost'));
    expect(orders(simulation).map((order) => order.lane)).to.deep.equal([lane, lane, lane, lane]);
  });

  it('gets its own thread after the second crash in a row', async () => {
    const simulation = new Simulation();
    simulation.startThread(lane);
    await simulation.makeReady();
    for (let id = 1; id <= 2; id += 1) {
      const thread = orders(simulation).at(-1)?.thread;
      const body = { thread, reason: 'error', message: 'thrown on purpose' };
      simulation.newest.say({ kind: 'event', id, name: 'thread.ended', body });
      await backAgain(simulation);
      // A host without a thread ends.
      if (simulation.newest.heard.length === 0) await simulation.makeReady();
    }
    expect(orders(simulation).map((order) => order.lane)).to.deep.equal([lane, lane, null]);
  });
});
