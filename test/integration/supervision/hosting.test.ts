// The privileges of worker processes, and threads that share a host process.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import { fifoPath } from '../../fixtures/workers/misbehaviour.js';
import { Harness, until } from './harness.js';
import { processLives, processesOf, read, statusOf } from './processes.js';

const asRoot = process.getuid?.() === 0;

describe('a worker process', function () {
  this.timeout(30_000);
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  const pidOf = async (user: string | null): Promise<number> => {
    const handle = harness.supervision.start(harness.spec('worker', { kind: 'process', user }));
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
    if (!asRoot || account === undefined) this.skip();
    const pid = await pidOf('nobody');
    const id = (number: number): string => Array.from({ length: 4 }, () => String(number)).join(' ');
    expect(statusOf(pid, 'Uid')).to.equal(id(account.uid));
    expect(statusOf(pid, 'Gid')).to.equal(id(account.gid));
    expect(statusOf(pid, 'Groups')).to.equal('');
  });

  it('runs without its user when that user is missing, and the log reports it once', async function () {
    if (!asRoot) this.skip();
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

describe('a host process', function () {
  this.timeout(30_000);
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  it('exists from the first to the last thread that names it', async () => {
    const handles = ['a', 'b', 'c'].map((name) => harness.thread(name, name === 'c' ? 'two' : 'one'));
    await harness.ready(...handles);
    const processes = processesOf(process.pid);
    expect(processes).to.have.length(2);
    await Promise.all(handles.map((handle) => handle.stop()));
    await until('both gone', 2000, () => !processes.some(processLives));
  });

  it('starts again for a thread that comes after the last', async () => {
    const first = harness.thread('first', 'one');
    await harness.ready(first);
    await first.stop();
    const second = harness.thread('second', 'one');
    await harness.ready(second);
    expect(await second.request('echo', { text: 'here' }, 1000)).to.have.property('ok', true);
  });

  it('keeps its other threads when one of them spins', async () => {
    const handles = [harness.thread('hit', 'one'), harness.thread('other', 'one')] as const;
    await harness.ready(...handles);
    await harness.hurt(handles[0], 'spin');
    expect(handles[1].restarts).to.equal(0);
  });

  describe('with several workers in one thread', () => {
    const lane = 'one/1';
    const threadsOf = (pid: number): number => readdirSync(`/proc/${String(pid)}/task`).length;

    it('starts one thread for all of them', async () => {
      await harness.ready(harness.thread('first', 'one', {}, lane));
      const [pid = 0] = processesOf(process.pid);
      const before = threadsOf(pid);
      const further = ['second', 'third', 'fourth'].map((name) => harness.thread(name, 'one', {}, lane));
      await harness.ready(...further);
      expect(threadsOf(pid)).to.equal(before);
      for (const handle of further)
        expect(await handle.request('echo', { text: 'here' }, 1000)).to.have.property('ok', true);
    });

    it('stops one worker without the others', async () => {
      const [leaving, staying] = [
        harness.thread('leaving', 'one', {}, lane),
        harness.thread('staying', 'one', {}, lane),
      ];
      await harness.ready(leaving, staying);
      await leaving.stop();
      expect(await staying.request('echo', { text: 'here' }, 1000)).to.have.property('ok', true);
      expect(staying.restarts).to.equal(0);
      const again = harness.thread('leaving', 'one', {}, lane);
      await harness.ready(again);
    });

    it('reports a worker that closed its link, and keeps the others', async () => {
      const handles = ['hit', 'other'].map((name) => harness.thread(name, 'one', {}, lane));
      await harness.ready(...handles);
      const [hit, other] = handles;
      if (hit !== undefined) await harness.hurt(hit, 'close-link');
      expect(harness.losses.map(({ message }) => message)).to.deep.equal(['it closed its link']);
      expect(other?.restarts).to.equal(0);
    });

    it('loses them together when one spins, and restarts all within 3 s', async () => {
      const handles = ['hit', 'other'].map((name) => harness.thread(name, 'one', {}, lane));
      await harness.ready(...handles);
      const [hit] = handles;
      if (hit !== undefined) await harness.hurt(hit, 'spin');
      await harness.ready(...handles);
      expect(handles.map(({ restarts }) => restarts)).to.deep.equal([1, 1]);
    });

    it('does not count the flood of one worker against the others', async () => {
      const handles = ['hit', 'other'].map((name) => harness.thread(name, 'one', {}, lane));
      await harness.ready(...handles);
      const [hit] = handles;
      if (hit !== undefined) await harness.hurt(hit, 'flood-frames');
      await harness.ready(...handles);
      const said = harness.losses.filter(({ name }) => name === 'other');
      expect(said).to.have.length(1);
      expect(said[0]?.message).to.contain('another worker of its thread was ended');
    });

    it('moves a worker that floods again to its own thread, and keeps the others in theirs', async () => {
      const hit = harness.thread('hit', 'one', {}, lane);
      const other = harness.thread('other', 'one', {}, lane);
      await harness.ready(hit, other);
      for (let flood = 0; flood < 3; flood += 1) {
        await harness.hurt(hit, 'flood-frames');
        await harness.ready(other);
      }
      expect(other.restarts).to.equal(2);
      const [pid = 0] = processesOf(process.pid);
      const before = threadsOf(pid);
      await harness.ready(harness.thread('third', 'one', {}, lane));
      expect(threadsOf(pid)).to.equal(before);
    });

    it('gives each its own thread when the culprit of a crash is unknown, without a backoff', async () => {
      const hit = harness.thread('hit', 'one', {}, lane);
      const other = harness.thread('other', 'one', {}, lane);
      await harness.ready(hit, other);
      for (let crash = 0; crash < 2; crash += 1) {
        const { loss } = await harness.hurt(hit, 'throw');
        expect(loss.reason).to.equal('thread-lost');
        await harness.ready(other);
      }
      const said = harness.records.filter(({ message }) => message.startsWith('lost the worker'));
      expect(said).to.have.length(4);
      for (const { message } of said) expect(message).to.match(/it restarts now$/);
      const { loss } = await harness.hurt(hit, 'throw');
      expect(loss.reason).to.equal('ended');
      expect(other.restarts).to.equal(2);
    });
  });

  describe('with a thread stuck in native code', () => {
    before(() => execFileSync('mkfifo', [fifoPath(process.pid)]));
    after(() => rmSync(fifoPath(process.pid)));

    it('is killed; its other threads are not at fault and restart without a backoff', async () => {
      const hit = harness.thread('hit', 'one');
      const other = harness.thread('other', 'one');
      await harness.ready(hit, other);
      for (let round = 0; round < 2; round += 1) {
        await harness.hurt(hit, 'read-fifo');
        await harness.ready(other);
      }
      const said = harness.records.filter(({ message }) => message.startsWith('lost the worker other'));
      expect(said).to.have.length(2);
      for (const { message } of said) expect(message).to.match(/host-lost.*it restarts now$/);
    });

    it('and stopped as a whole is killed, and its threads restart', async () => {
      const handles = [harness.thread('a', 'one'), harness.thread('b', 'one')];
      await harness.ready(...handles);
      const [pid = 0] = processesOf(process.pid);
      process.kill(pid, 'SIGSTOP');
      await until('both lost', 5000, () => handles.every(({ restarts }) => restarts === 1));
      await harness.ready(...handles);
      expect(processLives(pid)).to.equal(false);
    });
  });
});
