import { expect } from 'chai';
import { plainSettings } from '../../fixtures/workers/echo.js';
import { Simulation } from './simulated.js';

describe('Supervision', () => {
  let simulation: Simulation;
  beforeEach(() => {
    simulation = new Simulation();
  });

  it('keeps a worker that sends heartbeats', async () => {
    const handle = await simulation.ready();
    await simulation.pass(60_000, () => simulation.newest.send({ kind: 'heartbeat' }));
    expect(handle).to.include({ state: 'ready', restarts: 0 });
  });

  it('kills a ready worker that is silent for its limit, and not before', async () => {
    const handle = await simulation.ready();
    await simulation.pass(1750);
    expect(handle.state).to.equal('ready');
    await simulation.pass(250);
    expect(simulation.losses).to.deep.equal([{ name: 'echo', reason: 'silent', atMs: 1_002_000 }]);
    expect(simulation.processes[0]?.killed).to.equal(true);
    expect(handle).to.include({ state: 'starting', restarts: 1 });
  });

  it('kills no worker for the time in which the supervisor itself was stopped', async () => {
    const handles = [await simulation.ready('a'), await simulation.ready('b')];
    simulation.clock.advance(60_000);
    simulation.supervision.tick();
    await simulation.pass(1000);
    expect(handles.map(({ state }) => state)).to.deep.equal(['ready', 'ready']);
  });

  it('does not treat the frames of a worker from that time as a flood', async () => {
    const handle = await simulation.ready();
    simulation.clock.advance(3_600_000);
    simulation.supervision.tick();
    for (let beat = 0; beat < 7200; beat += 1) simulation.newest.send({ kind: 'heartbeat' });
    await simulation.settle();
    expect(handle.state).to.equal('ready');
  });

  it('restarts a worker that dies at every start for ever, with half a minute between two starts at most', async () => {
    simulation.start();
    await simulation.pass(3_600_000, () => {
      if (!simulation.newest.killed && simulation.newest.mortal) simulation.newest.end();
    });
    // 0, 0, 1, 3, 7, 15 s and then every 30 s of the hour, each ended within a tick.
    expect(simulation.processes.length).to.be.within(115, 126);
    const last = simulation.losses.at(-1);
    expect(3_600_000 - ((last?.atMs ?? 0) - 1_000_000)).to.be.below(31_000);
  });

  it('restarts a worker with a limit of 2 s every two seconds, so that six crashes in a row end before a failsafe', async () => {
    simulation.start('poller', 2_000);
    await simulation.pass(15_000, () => {
      if (!simulation.newest.killed && simulation.newest.mortal) simulation.newest.end();
    });
    // 0, 0, 1, 3, 5, 7 s ..., each ended within a tick and noticed by the next.
    expect(simulation.processes.length).to.be.within(8, 9);
  });

  it('restarts a worker immediately that dies after a long life, however often it died before', async () => {
    const handle = await simulation.ready();
    for (let life = 1; life <= 5; life += 1) {
      await simulation.pass(61_000, () => simulation.newest.send({ kind: 'heartbeat' }));
      simulation.newest.end();
      await simulation.settle();
      expect(handle).to.include({ state: 'starting', restarts: life });
      await simulation.makeReady();
    }
  });

  it('counts short lives in a row, and starts again after a long one', async () => {
    await simulation.ready();
    for (let life = 1; life <= 3; life += 1) {
      simulation.newest.end();
      await simulation.settle();
      await simulation.pass(3_000);
      await simulation.makeReady();
    }
    await simulation.pass(61_000, () => simulation.newest.send({ kind: 'heartbeat' }));
    simulation.newest.end();
    await simulation.settle();
    expect(simulation.quickFailures).to.deep.equal([1, 2, 3, 1]);
  });

  it('never treats a frame of an earlier life as one of the present life', async () => {
    await simulation.ready();
    const [former] = simulation.processes;
    former?.end();
    await simulation.settle();
    await simulation.makeReady();
    former?.send(
      { kind: 'event', id: 1, name: 'number.counted', body: { number: 666 } },
      { kind: 'drained' },
      { kind: 'hello', protocol: 1, build: '0', pid: 100 },
    );
    await simulation.settle();
    expect(simulation.numbers).to.deep.equal([]);
    expect(simulation.losses).to.have.length(1);
  });

  it('does not wait for a process that cannot be killed', async () => {
    const handle = await simulation.ready();
    simulation.newest.mortal = false;
    await simulation.pass(2000);
    expect(handle.state).to.equal('waiting');
    await simulation.pass(1250);
    expect(simulation.processes).to.have.length(2);
    expect(simulation.records.some(({ message }) => message.includes('left to the kernel'))).to.equal(true);
    simulation.processes[0]?.end();
    await simulation.settle();
    expect(handle).to.include({ state: 'starting', restarts: 1 });
  });

  it('kills a worker whose process outgrows its limit', async () => {
    await simulation.ready();
    simulation.newest.megabytes = 201;
    await simulation.pass(250);
    expect(simulation.losses).to.have.length(1);
    expect(simulation.losses[0]).to.include({ reason: 'memory' });
  });

  it('sends a worker its newest settings, whenever they changed', async () => {
    const handle = simulation.start();
    const labels = (): unknown[] =>
      simulation.newest.received.flatMap((frame) =>
        'settings' in frame ? [(frame.settings as typeof plainSettings).label] : [],
      );
    handle.reconfigure({ ...plainSettings, label: 'during the handshake' });
    simulation.newest.hello();
    await simulation.settle();
    handle.reconfigure({ ...plainSettings, label: 'while configuring' });
    simulation.newest.send({ kind: 'ready' });
    await simulation.settle();
    handle.reconfigure({ ...plainSettings, label: 'while ready' });
    await simulation.settle();
    expect(labels()).to.deep.equal(['during the handshake', 'while configuring', 'while ready']);
    simulation.newest.end();
    await simulation.settle();
    await simulation.makeReady();
    expect(labels()).to.deep.equal(['while ready']);
  });

  it('acknowledges every second event of which the newest counts at once, and others once a second', async () => {
    await simulation.ready();
    const acknowledged = () => simulation.newest.received.filter(({ kind }) => kind === 'acknowledge');
    simulation.newest.send(
      { kind: 'event', id: 3, name: 'number.changed', body: { number: 1 } },
      { kind: 'event', id: 5, name: 'number.counted', body: { number: 2 } },
    );
    await simulation.settle();
    expect(acknowledged()).to.deep.equal([]);
    simulation.newest.send({ kind: 'event', id: 8, name: 'number.changed', body: { number: 3 } });
    await simulation.settle();
    expect(acknowledged()).to.deep.equal([{ kind: 'acknowledge', id: 8 }]);
    expect(simulation.numbers).to.deep.equal([1, 2, 3]);
    simulation.newest.send({ kind: 'event', id: 9, name: 'number.counted', body: { number: 4 } });
    await simulation.pass(750, () => simulation.newest.send({ kind: 'heartbeat' }));
    expect(acknowledged()).to.have.length(1);
    await simulation.pass(250);
    expect(acknowledged()[1]).to.deep.equal({ kind: 'acknowledge', id: 9 });
  });

  it('acknowledges queued events when the worker has half of its credit left', async () => {
    await simulation.ready();
    for (let id = 1; id <= 40; id += 1)
      simulation.newest.send({ kind: 'event', id, name: 'number.counted', body: { number: id } });
    await simulation.settle();
    expect(simulation.newest.received).to.deep.include({ kind: 'acknowledge', id: 32 });
  });

  it('answers a request that fails by its own bug, and keeps the worker', async () => {
    const handle = await simulation.ready();
    simulation.newest.send({ kind: 'ask', id: 1, name: 'double', params: { number: 1 }, deadlineMs: 1000 });
    await simulation.settle();
    const failure = simulation.newest.received.find(({ kind }) => kind === 'failure');
    expect(failure).to.have.nested.property('error.code', 'WORKER_ERROR');
    expect(simulation.records.some(({ level }) => level === 'error')).to.equal(true);
    expect(handle.state).to.equal('ready');
  });

  it('logs the records of a worker only under the name of that worker', async () => {
    await simulation.ready();
    const record = { timestamp: 1, level: 'info', logger: 'policy', message: 'power is back' };
    simulation.newest.send({ kind: 'log', record, dropped: 3 });
    await simulation.settle();
    expect(simulation.records.find(({ message }) => message === 'power is back')).to.include({
      logger: 'echo',
    });
    expect(simulation.records.some(({ message }) => message.includes('3 records dropped'))).to.equal(true);
  });

  it('kills a worker that does not finish at the stop deadline', async () => {
    const handle = await simulation.ready();
    const stopped = handle.stop();
    expect(handle.state).to.equal('draining');
    await simulation.pass(2750);
    expect(simulation.newest.killed).to.equal(false);
    await simulation.pass(250);
    await stopped;
    expect(handle.state).to.equal('stopped');
    expect(simulation.losses).to.deep.equal([]);
    await simulation.pass(60_000);
    expect(simulation.processes).to.have.length(1);
  });

  it('takes a thousand log records of a worker at once, and a hundred a second', async () => {
    await simulation.ready();
    const record = { timestamp: 1, level: 'info', logger: 'echo', message: 'x' };
    await simulation.pass(20_000, () => {
      for (let count = 0; count < 250; count += 1)
        simulation.newest.send({ kind: 'log', record, dropped: 0 });
    });
    expect(simulation.losses).to.deep.equal([]);
    expect(simulation.records.filter(({ message }) => message === 'x').length).to.be.within(2_900, 3_100);
    expect(simulation.records.map(({ message }) => message)).to.include.members([
      'echo exceeded its log rate limit: 225 records dropped',
    ]);
  });

  it('accepts no second worker of a name while the first is not stopped', async () => {
    const handle = await simulation.ready();
    expect(() => simulation.start()).to.throw('echo');
    const stopped = handle.stop();
    simulation.newest.send({ kind: 'drained' });
    await simulation.settle();
    await stopped;
    expect(simulation.start().state).to.equal('starting');
  });

  it('stops only the named workers when several are to stop', async () => {
    const handles = [await simulation.ready('log'), await simulation.ready('api')] as const;
    const stopping = simulation.supervision.stopAll(['api'], 5000);
    simulation.newest.send({ kind: 'drained' });
    await simulation.settle();
    await stopping;
    expect(handles.map(({ state }) => state)).to.deep.equal(['ready', 'stopped']);
    expect(simulation.supervision.workers.map(({ name }) => name)).to.deep.equal(['log']);
  });
});
