import { expect } from 'chai';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import type { StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { noGuests } from '../../../supervisor/sequence/actuator.js';
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
      void remote.shutDown(remoteWork(`server-${String(count)}`), 60_000, noGuests).then((outcome) => {
        if (!outcome.ok) refusals.push(outcome.error.message);
      });
    await simulation.settle();
    expect(refusals).to.deep.equal([]);
    const asked = simulation.newest.received.filter(({ name }) => name === 'target.shutdown');
    expect(asked).to.have.length(1_000);
  });

  it('keeps its servers while a sequence runs, and gets the others after it', () => {
    const simulation = new Simulation();
    let runs = false;
    const remote = new RemoteWorker(simulation.supervision, () => runs);
    remote.apply(configurationFrom(withServer));
    runs = true;
    remote.apply(configurationFrom(withServer.replace('"nas"', '"other"')));
    remote.tick();
    expect([remote.isConfigured('nas'), remote.isConfigured('other')]).to.deep.equal([true, false]);
    runs = false;
    remote.tick();
    expect([remote.isConfigured('nas'), remote.isConfigured('other')]).to.deep.equal([false, true]);
  });

  it('logs in to the servers of a plan when its sequence begins, and to none in a dry run', async () => {
    const simulation = new Simulation();
    const remote = new RemoteWorker(simulation.supervision, () => false);
    const configuration = configurationFrom(withServer);
    const [plan] = plansOf(configuration);
    if (plan === undefined) throw new Error('there is no plan');
    remote.apply(configuration);
    await simulation.makeReady();
    const logins = async () => {
      await simulation.settle();
      return simulation.newest.received.flatMap(({ name }) =>
        name?.startsWith('logins.') === true ? [name] : [],
      );
    };
    remote.sequenceStarted({ ...plan, dryRun: true });
    remote.sequenceEnded(plan.group);
    expect(await logins()).to.deep.equal([]);
    remote.sequenceStarted({ ...plan, dryRun: false });
    remote.sequenceEnded(plan.group);
    expect(await logins()).to.deep.equal(['logins.begin', 'logins.end']);
  });

  it('asks for looks, which fail at once while there is no worker or no server', async () => {
    const simulation = new Simulation();
    const remote = new RemoteWorker(simulation.supervision, () => false);
    expect(await remote.look(['nas'], 30_000)).to.deep.include({ ok: false });
    remote.apply(configurationFrom(withServer));
    expect(await remote.look(['nas'], 30_000)).to.have.nested.property('error.code', 'WORKER_GONE');
    await simulation.makeReady();
    const answered = remote.look(['nas'], 30_000);
    await simulation.settle();
    const asked = simulation.newest.received.find(({ name }) => name === 'looks');
    expect(asked).to.deep.include({ params: { servers: ['nas'], withinMs: 30_000 }, deadlineMs: 31_000 });
    const round = { looks: [{ server: 'nas', end: 'answer', link: 'eth0' }], gateways: [] };
    simulation.newest.send({ kind: 'answer', id: 1, result: round });
    expect(await answered).to.deep.equal({ ok: true, value: round });
  });

  it('keeps only what its worker says of configured servers', async () => {
    const simulation = new Simulation();
    const took: string[] = [];
    const remote = new RemoteWorker(
      simulation.supervision,
      () => false,
      () => undefined,
      (server) => void took.push(server),
    );
    const configuration = configurationFrom(withServer);
    remote.apply(configuration);
    await simulation.makeReady();
    const known = (server: string) => ({ server, host: '192.0.2.9', trouble: 'it has no address' });
    const event = (id: number, name: string, body: object) => ({ kind: 'event', id, name, body });
    simulation.newest.send(
      event(1, 'servers.known', { servers: [known('nas'), known('invented')], pingTrouble: null }),
      event(2, 'target.off', { server: 'nas', afterMs: 1000 }),
      event(3, 'target.off', { server: 'invented', afterMs: 1000 }),
    );
    await simulation.settle();
    expect(took).to.deep.equal(['nas']);
    const [nas] = configuration.ups[0]?.resources.remoteServers ?? [];
    if (nas === undefined) throw new Error('there is no server');
    const privateKey = { path: '/key', pem: '' } as unknown as typeof nas.privateKey;
    expect(remote.problemOf({ ...nas, privateKey })).to.equal('it has no address');
    expect(remote.problemOf({ ...nas, privateKey, name: 'invented' })).to.equal(undefined);
  });

  it('takes what its worker finds running for the request that runs, and no more than a machine may have', async () => {
    const simulation = new Simulation();
    const remote = new RemoteWorker(simulation.supervision, () => false);
    remote.apply(configurationFrom(withServer));
    await simulation.makeReady();
    const found: string[] = [];
    const take = (guests: readonly StoppedGuest[]) => void found.push(...guests.map(({ id }) => id));
    const shutDown = remote.shutDown(remoteWork('nas'), 60_000, take);
    await simulation.settle();
    const asked = simulation.newest.received.find(({ name }) => name === 'target.shutdown') as unknown as {
      readonly params: { readonly run: number };
    };
    const { run } = asked.params;
    let last = 0;
    const say = (of: number, ids: readonly string[]) => {
      const guests = ids.map((id) => ({ engine: 'docker', id, name: id, user: null }));
      simulation.newest.send({
        kind: 'event',
        id: (last += 1),
        name: 'guests.found',
        body: { run: of, guests },
      });
    };
    say(run, ['c1', 'c2']);
    say(run + 1, ['of-no-request']);
    await simulation.settle();
    expect(found).to.deep.equal(['c1', 'c2']);
    const many = Array.from({ length: 1_000 }, (_, place) => `c${String(place)}`);
    for (let time = 0; time < 4; time += 1) say(run, many);
    await simulation.settle();
    expect(found).to.have.length(2_002);
    const steps: never[] = [];
    const result = {
      result: 'ok',
      detail: '',
      delivered: true,
      sent: true,
      maybeSent: false,
      unchecked: '',
      steps,
    };
    simulation.newest.send({ kind: 'answer', id: 1, result });
    await shutDown;
    say(run, ['late']);
    await simulation.settle();
    expect(found).to.have.length(2_002);
  });
});
