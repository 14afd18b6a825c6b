// The privileges of worker processes, and workers that share a process.
import { execFileSync } from 'node:child_process';
import { readlinkSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import type { Hosting } from '../../../supervisor/supervision/worker-spec.js';
import { workerCommandLine } from '../../../supervisor/supervision/worker-command.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import { skipFor } from '../../fixtures/skip.js';
import { fifoPath } from '../../fixtures/workers/misbehaviour.js';
import type { EchoHandle } from './harness.js';
import { Harness } from './harness.js';
import { processesOf, read, statusOf } from './processes.js';
import { lostIn } from '../../fixtures/losses.js';
import { isAlive } from '../../fixtures/processes.js';
import { hasLength, is, until } from '../../fixtures/until.js';

/** Of an answer that must come. */
const patientMs = 20_000;
const asRoot = process.getuid?.() === 0;

describe('a worker process', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  const pidOf = (user: string | null): Promise<number> => pidIn({ kind: 'process', user });
  const pidIn = async (hosting: Hosting): Promise<number> => {
    const handle = harness.supervision.start(harness.spec('worker', hosting));
    await harness.ready(handle);
    const [pid, ...others] = processesOf(process.pid);
    expect(others).to.deep.equal([]);
    return pid ?? 0;
  };

  it('has no capabilities, can gain none and inherits none', async () => {
    const pid = await pidOf(null);
    expect(statusOf(pid, 'NoNewPrivs')).to.equal('1');
    expect(statusOf(pid, 'CapInh')).to.match(/^0+$/);
    expect(statusOf(pid, 'CapEff')).to.match(/^0+$/);
    // Only root can empty the bounding set; without new privileges a user cannot use it.
    if (asRoot) expect(statusOf(pid, 'CapBnd')).to.match(/^0+$/);
  });

  it('that writes as root keeps that account and one capability, can gain none, and has no network', async function () {
    const pid = await pidIn({ kind: 'process', user: null, writesAsRoot: true });
    expect(statusOf(pid, 'NoNewPrivs')).to.equal('1');
    skipFor(this, !asRoot && 'without root it has no capability and keeps the network');
    expect(statusOf(pid, 'Uid')).to.equal('0 0 0 0');
    expect(statusOf(pid, 'Groups')).to.equal('');
    // CAP_DAC_OVERRIDE.
    for (const set of ['CapPrm', 'CapEff', 'CapBnd'])
      expect(statusOf(pid, set), set).to.equal('0000000000000002');
    for (const set of ['CapInh', 'CapAmb']) expect(statusOf(pid, set), set).to.match(/^0+$/);
    const addresses = execFileSync('nsenter', ['-t', String(pid), '-n', 'ip', '-o', 'address'], {
      encoding: 'utf8',
    });
    expect(addresses).to.equal('');
  });

  it('that writes as root runs with the network where the machine lets it have no other', function () {
    skipFor(this, !asRoot && 'only root can leave the network');
    const line = workerCommandLine({
      entry: '',
      heapLimitMb: 1,
      account: null,
      nodePath: '/bin/true',
      writesAsRoot: true,
    });
    const before = line.slice(0, line.indexOf('/bin/true'));
    const networkAs = (...prefix: readonly string[]): string => {
      const [program = '', ...args] = [...prefix, ...before, 'readlink', '/proc/self/ns/net'];
      return execFileSync(program, args, { encoding: 'utf8' }).trim();
    };
    const own = readlinkSync('/proc/self/ns/net');
    expect(networkAs()).not.to.equal(own);
    expect(networkAs('setpriv', '--bounding-set=-sys_admin')).to.equal(own);
  });

  it('is killed before the supervisor when memory is short', async () => {
    const pid = await pidOf(null);
    expect(read(`/proc/${String(pid)}/oom_score_adj`)).to.equal('500\n');
  });

  it('has its own process group, / as its directory and a minimal environment', async () => {
    process.env['RIDETHROUGH_TEST_SECRET'] = 'not for workers';
    const pid = await pidOf(null);
    delete process.env['RIDETHROUGH_TEST_SECRET'];
    const group = read(`/proc/${String(pid)}/stat`)
      ?.split(') ')[1]
      ?.split(' ')[2];
    expect(group).to.equal(String(pid));
    const names = read(`/proc/${String(pid)}/environ`)
      ?.split('\0')
      .map((entry) => entry.split('=')[0]);
    expect(names).to.include.members(['PATH', 'LANG', 'HOME', 'RIDETHROUGH_SUPERVISOR']);
    expect(names).not.to.include('RIDETHROUGH_TEST_SECRET');
  });

  it('runs under its own user and groups when the supervisor is root', async function () {
    const account = readAccounts().get('nobody');
    skipFor(this, !asRoot && 'only root can start a worker as another user');
    if (account === undefined) throw new Error('there is no nobody');
    const pid = await pidOf('nobody');
    const id = (number: number): string => Array.from({ length: 4 }, () => String(number)).join(' ');
    expect(statusOf(pid, 'Uid')).to.equal(id(account.uid));
    expect(statusOf(pid, 'Gid')).to.equal(id(account.gid));
    expect(statusOf(pid, 'Groups')).to.equal('');
  });

  it('runs without its user when that user is missing, and the log reports it once', async function () {
    skipFor(this, !asRoot && 'only root can start a worker as another user');
    const handle = harness.supervision.start(
      harness.spec('worker', { kind: 'process', user: 'ridethrough-nobody' }),
    );
    await harness.ready(handle);
    await harness.hurt(handle, 'exit');
    const said = harness.records.filter(({ message }) =>
      message.startsWith('the user ridethrough-nobody does not exist'),
    );
    expect(said).to.have.length(1);
  });
});

describe('a process with members', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  /** Two members of a process, ready. */
  const pair = async (): Promise<readonly [EchoHandle, EchoHandle]> => {
    const handles = [harness.member('hit', 'one'), harness.member('other', 'one')] as const;
    await harness.ready(...handles);
    return handles;
  };
  const lossesOf = (name: string): readonly string[] =>
    harness.losses.filter((loss) => loss.name === name).map(({ reason }) => reason);
  const saidOf = (name: string): readonly string[] =>
    harness.records.map(({ message }) => message).filter((message) => lostIn(message).includes(name));
  /** A new process starts when the old one is killed, which the kernel ends in its own time. */
  const processesAre = (count: number): Promise<unknown> =>
    until(() => processesOf(process.pid), hasLength(count)).catch((error: unknown) => {
      throw new Error(JSON.stringify(harness.losses), { cause: error });
    });

  it('exists from the first to the last member that names it', async () => {
    const handles = ['a', 'b', 'c'].map((name) => harness.member(name, name === 'c' ? 'two' : 'one'));
    await harness.ready(...handles);
    const processes = processesOf(process.pid);
    expect(processes).to.have.length(2);
    await Promise.all(handles.map((handle) => handle.stop()));
    await until(() => !processes.some(isAlive));
  });

  it('starts again for a member that comes after the last', async () => {
    const first = harness.member('first', 'one');
    await harness.ready(first);
    await first.stop();
    const second = harness.member('second', 'one');
    await harness.ready(second);
    expect(await second.request('echo', { text: 'here' }, patientMs)).to.have.property('ok', true);
  });

  it('stops one member without the others', async () => {
    const [leaving, staying] = await pair();
    await leaving.stop();
    expect(await staying.request('echo', { text: 'here' }, patientMs)).to.have.property('ok', true);
    expect(staying.restarts).to.equal(0);
    await harness.ready(harness.member('hit', 'one'));
    await processesAre(1);
  });

  it('reports a member that closed its link, and keeps the others', async () => {
    const [hit, other] = await pair();
    await harness.hurt(hit, 'close-link');
    expect(harness.losses.map(({ message }) => message)).to.deep.equal(['it closed its link']);
    expect(other.restarts).to.equal(0);
  });

  for (const [fault, reason] of [
    ['spin', 'silent'],
    ['throw', 'ended'],
    ['flood-paced', 'flood'],
  ] as const) {
    it(`restarts with its members on ${fault} of one, and is rid of that one the second time`, async () => {
      const [hit, other] = await pair();
      for (let round = 0; round < 3; round += 1) {
        await harness.hurt(hit, fault);
        await harness.ready(hit, other);
        await processesAre(round === 0 ? 1 : 2);
      }
      expect(lossesOf('hit')).to.deep.equal([reason, reason, reason]);
      expect(lossesOf('other')).to.deep.equal(['host-lost', 'host-lost']);
      for (const said of saidOf('other')) expect(said).to.match(/restart in a new process: other$/);
    });
  }

  it('that is killed from outside is the fault of no member that is known: all restart without a backoff', async () => {
    const handles = await pair();
    const [pid = 0] = processesOf(process.pid);
    process.kill(pid, 'SIGKILL');
    await until(() => handles.every(({ restarts }) => restarts === 1));
    await harness.ready(...handles);
    expect(harness.records.filter(({ message }) => message.startsWith('lost '))).to.have.length(1);
    expect(saidOf('hit')).to.deep.equal(saidOf('other'));
    await processesAre(1);
  });

  it('that is stopped is killed, and its members restart', async () => {
    const handles = await pair();
    const [pid = 0] = processesOf(process.pid);
    process.kill(pid, 'SIGSTOP');
    await until(() => handles.every(({ restarts }) => restarts === 1));
    await harness.ready(...handles);
    await until(() => isAlive(pid), is(false));
  });

  describe('with a member stuck in native code', () => {
    before(() => execFileSync('mkfifo', [fifoPath(process.pid)]));
    after(() => rmSync(fifoPath(process.pid)));

    it('is killed; its other members are not at fault and restart without a backoff', async () => {
      const [hit, other] = await pair();
      for (let round = 0; round < 2; round += 1) {
        await harness.hurt(hit, 'read-fifo');
        await harness.ready(other);
      }
      expect(lossesOf('hit')).to.deep.equal(['silent', 'silent']);
      expect(saidOf('other')).to.have.length(2);
      for (const said of saidOf('other')) expect(said).to.match(/restart in a new process: other$/);
    });
  });
});
