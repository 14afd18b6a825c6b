// Looks of the real worker, on a network of namespaces with a real sshd.
import { expect } from 'chai';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LookRound, OffCheck, RemoteTarget, TargetOutcome } from '../../../shared/protocol/remote.js';
import { skipFor } from '../../fixtures/skip.js';
import type { Machine } from '../../fixtures/namespaces.js';
import { Network, networkProblem } from '../../fixtures/namespaces.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { hasLength, until } from '../../fixtures/until.js';
import { accessTo, workOn } from './remote-parts.js';
import { RemoteProcess } from './remote-process.js';

describe('a look of the remote worker', () => {
  let network: Network;
  let own: Machine;
  let gateway: Machine;
  let sshd: PrivateSshd;
  let worker: RemoteProcess | undefined;

  beforeEach(async function () {
    skipFor(this, networkProblem());
    network = new Network();
    own = network.machine('daemon');
    gateway = network.machine('gateway');
    own.ip('route', 'add', 'default', 'via', gateway.address);
    const machine = network.machine('nas');
    sshd = await PrivateSshd.start({ machine });
    sshd.tool(
      'shutdown',
      `(until [ -e ${mayGo()} ]; do sleep 0.1; done; /sbin/ip link set eth0 down) >/dev/null 2>&1 &`,
    );
    nas = target('nas', machine.address);
  });

  afterEach(async () => {
    worker?.stop();
    await sshd.stop();
    network.stop();
  });

  let nas: RemoteTarget;
  /** Once it exists, a server that was commanded goes off. */
  const mayGo = (): string => join(sshd.folder, 'may-go');

  const target = (server: string, host: string, check: Partial<OffCheck> = {}): RemoteTarget =>
    accessTo(sshd, {
      server,
      host,
      offCheck: {
        method: 'tcp',
        port: sshd.port,
        settleMs: 1_000,
        timeoutMs: 20_000,
        order: 'office/1',
        ...check,
      },
    });

  async function start(...servers: readonly RemoteTarget[]): Promise<void> {
    worker = await RemoteProcess.start({ servers: [...servers] }, own.prefix);
  }

  async function look(...servers: readonly string[]): Promise<LookRound & { readonly ms: number }> {
    const beganMs = performance.now();
    const round = await worker?.request<LookRound>('looks', { servers, withinMs: 30_000 });
    if (round === undefined) throw new Error('there is no worker');
    return { ...round, ms: performance.now() - beganMs };
  }

  const endsOf = ({ looks }: LookRound): readonly string[] => looks.map(({ end }) => end);

  it('finds a server that is up, one that is off, one without a check, and the gateway', async () => {
    await start(nas, target('gone', '10.77.0.99'), target('none', nas.host, { method: 'none' }));
    const { looks, gateways } = await look('nas', 'gone', 'none', 'other');
    expect(looks).to.deep.equal([
      { server: 'nas', end: 'answer', link: 'eth0' },
      { server: 'gone', end: 'silence', link: 'eth0' },
      { server: 'none', end: 'fault', link: null },
      { server: 'other', end: 'fault', link: null },
    ]);
    expect(gateways).to.deep.equal([{ link: 'eth0', answered: true }]);
  });

  it('logs in nowhere and stores no host key', async () => {
    await start(nas);
    expect(endsOf(await look('nas'))).to.deep.equal(['answer']);
    expect(endsOf(await look('nas'))).to.deep.equal(['answer']);
    expect(sshd.log).not.to.match(/Accepted|Authenticat|kex: /i);
    expect(existsSync(sshd.knownHosts)).to.equal(false);
  });

  it('is silent without a witness behind a dead switch, and a fault without a carrier or a route', async () => {
    await start(nas);
    network.switchOff();
    const dead = await look('nas');
    expect([...endsOf(dead), dead.gateways]).to.deep.equal(['silence', [{ link: 'eth0', answered: false }]]);
    network.switchOn();
    network.cable('daemon', 'down');
    expect(endsOf(await look('nas'))).to.deep.equal(['fault']);
    network.cable('daemon', 'up');
    await until(
      () => look('nas').then(endsOf),
      ([end]) => end === 'answer',
    );
    own.ip('route', 'flush', 'table', 'main');
    expect(endsOf(await look('nas'))).to.deep.equal(['fault']);
  });

  it('of 200 servers, all of them off, ends in some seconds', async () => {
    const servers = Array.from({ length: 200 }, (_, index) =>
      target(`s${String(index)}`, `10.77.0.${String(index + 50)}`),
    );
    await start(...servers);
    const round = await look(...servers.map(({ server }) => server));
    expect(round.looks).to.satisfy(hasLength(200));
    expect(round.ms).to.be.below(30_000);
    expect(round.gateways).to.deep.equal([{ link: 'eth0', answered: true }]);
    console.error(`      200 silent servers: ${String(Math.round(round.ms))} ms`);
  });

  it('does not wait for a name that does not resolve', async () => {
    await start(target('nameless', 'no-such-name.invalid'), nas);
    const round = await look('nameless', 'nas');
    expect(endsOf(round)).to.deep.equal(['fault', 'answer']);
  });

  it('disturbs no wait of a sequence for the server: it is found off all the same', async () => {
    await start(nas);
    const work = workOn({ server: 'nas' });
    const outcome = await worker?.request<TargetOutcome>('target.shutdown', {
      run: 1,
      work,
      budgetMs: 20_000,
    });
    expect(outcome).to.include({ result: 'ok', delivered: true });
    const off = worker?.request('target.awaitOff', { server: 'nas', commandedAgoMs: 0, budgetMs: 40_000 });
    expect(endsOf(await look('nas'))).to.deep.equal(['answer']);
    writeFileSync(mayGo(), '');
    await until(
      () => look('nas').then(endsOf),
      ([end]) => end === 'silence',
    );
    expect(await off).to.include({ off: true, reason: '' });
  });
});
