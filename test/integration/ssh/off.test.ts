// Whether a server is off, found by the real worker on a network of namespaces with real sshd.
import { expect } from 'chai';
import type { OffCheck, RemoteTarget, TargetOutcome } from '../../../shared/protocol/remote.js';
import { skipFor } from '../../fixtures/skip.js';
import type { Machine } from '../../fixtures/namespaces.js';
import { Network, networkProblem } from '../../fixtures/namespaces.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { is, until } from '../../fixtures/until.js';
import { accessTo, workOn } from './remote-parts.js';
import { RemoteProcess } from './remote-process.js';

interface Off {
  readonly off: boolean;
  readonly afterMs: number;
  readonly reason: string;
}

describe('a commanded server', () => {
  let network: Network;
  let own: Machine;
  const sshds: PrivateSshd[] = [];
  let worker: RemoteProcess | undefined;
  const targets: RemoteTarget[] = [];

  beforeEach(function () {
    skipFor(this, networkProblem());
    network = new Network();
    own = network.machine('daemon');
  });

  afterEach(async () => {
    worker?.stop();
    await Promise.all(sshds.splice(0).map((sshd) => sshd.stop()));
    targets.splice(0);
    network.stop();
  });

  /** A server whose `shutdown` takes its network down after `seconds`; null: never. */
  async function server(
    name: string,
    seconds: number | null,
    check: Partial<OffCheck> = {},
  ): Promise<Machine> {
    const machine = network.machine(name);
    const sshd = await PrivateSshd.start({ machine });
    sshds.push(sshd);
    const goes =
      seconds === null ? '' : `(sleep ${String(seconds)}; /sbin/ip link set eth0 down) >/dev/null 2>&1 &`;
    sshd.tool('shutdown', `echo shutdown >> ${sshd.notes}\n${goes}`);
    const offCheck: OffCheck = {
      method: 'tcp',
      port: sshd.port,
      settleMs: 1_000,
      timeoutMs: 9_000,
      order: `office/${String(targets.length + 1)}`,
      ...check,
    };
    targets.push(accessTo(sshd, { server: name, host: machine.address, offCheck }));
    return machine;
  }

  async function start(): Promise<void> {
    worker = await RemoteProcess.start({ servers: targets }, own.prefix);
  }

  async function logIn(...servers: readonly string[]): Promise<void> {
    await worker?.request('logins.begin', { servers, atOnce: 5, holdMs: 60_000 });
    await until(
      () => sshds.filter(({ log }) => log.includes('Accepted publickey')).length,
      is(servers.length),
    );
  }

  async function command(name: string): Promise<void> {
    const work = workOn({ server: name });
    const outcome = await worker?.request<TargetOutcome>('target.shutdown', {
      run: 1,
      work,
      budgetMs: 20_000,
    });
    expect(outcome).to.include({ result: 'ok', delivered: true, sent: true });
  }

  const untilOff = (name: string, budgetMs = 20_000) =>
    worker?.request<Off>('target.awaitOff', { server: name, commandedAgoMs: 0, budgetMs });

  it('is off when it no longer answers, and the worker reports after which time', async () => {
    await server('one', 1);
    await start();
    await command('one');
    expect(await untilOff('one')).to.include({ off: true, reason: '' });
    expect(worker?.frames.some((frame) => frame.kind === 'event' && frame.name === 'target.off')).to.equal(
      true,
    );
  });

  it('is not off while its kernel refuses connections, when only its sshd has ended', async () => {
    await server('one', null);
    await start();
    await command('one');
    await sshds[0]?.down();
    expect(await untilOff('one', 6_000)).to.include({ off: false, reason: 'it still answers' });
  });

  it('is not off when the switch is dead: the server of the next order fell silent with it', async () => {
    await server('one', null);
    await server('two', null);
    await start();
    await logIn('one', 'two');
    await command('one');
    network.switchOff();
    expect(await untilOff('one')).to.include({ off: false, reason: 'the network fell silent with it' });
  });

  it('is off after the switch works again and it alone does not answer', async () => {
    await server('one', 2, { timeoutMs: 40_000 });
    await server('two', null);
    await start();
    await logIn('one', 'two');
    await command('one');
    network.switchOff();
    expect(await untilOff('one', 6_000)).to.include({ off: false });
    network.switchOn();
    expect(await untilOff('one')).to.include({ off: true });
  });

  it('is not off when the gateway fell silent with it', async () => {
    await server('one', null);
    const gateway = network.machine('gateway');
    own.ip('route', 'add', 'default', 'via', gateway.address);
    await start();
    await command('one');
    network.switchOff();
    expect(await untilOff('one')).to.include({ off: false, reason: 'the network fell silent with it' });
  });

  it('is not off while the own interface has no carrier', async () => {
    await server('one', null);
    await start();
    await command('one');
    network.cable('daemon', 'down');
    expect(await untilOff('one')).to.include({
      off: false,
      reason: 'the own interface has lost its carrier',
    });
  });

  it('is not off while this host has no route to it', async () => {
    await server('one', null);
    await start();
    await command('one');
    own.ip('route', 'del', '10.77.0.0/24');
    expect(await untilOff('one')).to.include({ off: false, reason: 'this host could not ask it' });
  });

  it('is asked on the configured port, where a refusal is an answer', async () => {
    await server('one', null, { port: 9 });
    await start();
    await command('one');
    expect(await untilOff('one', 5_000)).to.include({ off: false, reason: 'it still answers' });
  });

  it('is found off by a worker that was restarted after the command', async () => {
    await server('one', 1);
    await start();
    await command('one');
    worker?.stop();
    await start();
    expect(await untilOff('one')).to.include({ off: true });
  });
});
