import { expect } from 'chai';
import { activeMember } from '../../../shared/protocol/worker-host.js';
import type { WorkerHandle } from '../../../supervisor/supervision/worker-spec.js';
import type { EchoContract } from '../../fixtures/workers/echo.js';
import { MemberHosts } from './member-hosts.js';
import { Simulation } from './simulated.js';
import { lostIn } from '../../fixtures/losses.js';

describe('Workers that share a process', () => {
  let simulation: Simulation;
  let hosts: MemberHosts;
  let handles: readonly WorkerHandle<EchoContract>[];
  const pass = (ms: number): Promise<void> => simulation.pass(ms, () => hosts.serve());
  const start = async (...names: readonly string[]): Promise<void> => {
    handles = names.map((name) => simulation.startMember(name));
    await pass(2_000);
    expect(handles.map(({ state }) => state)).to.deep.equal(names.map(() => 'ready'));
  };
  const warnings = (): readonly string[] =>
    simulation.records.map(({ message }) => message).filter((message) => message.startsWith('lost '));
  const restarts = (): readonly number[] => handles.map((handle) => handle.restarts);

  beforeEach(() => {
    simulation = new Simulation();
    hosts = new MemberHosts(simulation);
  });

  it('start in one process', async () => {
    await start('a', 'b', 'c');
    expect(hosts.places()).to.deep.equal(['a b c']);
  });

  it('start by the hundred in one process', async () => {
    await start(...Array.from({ length: 300 }, (_, index) => `w${String(index)}`));
    expect([simulation.losses, simulation.processes.length]).to.deep.equal([[], 1]);
  });

  it('stop one by one, and the process with the last', async () => {
    await start('a', 'b');
    const [a, b] = handles;
    void a?.stop();
    await pass(1_000);
    expect([a?.state, hosts.places()]).to.deep.equal(['stopped', ['b']]);
    void b?.stop();
    await pass(1_000);
    expect([b?.restarts, b?.state, hosts.places()]).to.deep.equal([0, 'stopped', []]);
  });

  it('write one warning and one event for all that their process takes with it', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `w${String(index)}`);
    await start(...names);
    simulation.newest.end('it was ended by SIGKILL');
    await pass(2_000);
    expect(restarts()).to.deep.equal(names.map(() => 1));
    const then = `its workers restart in a new process: ${names.slice(0, 10).join(', ')} and 2 more`;
    expect(warnings()).to.deep.equal([
      `lost the process host:nut-1 (ended): it was ended by SIGKILL; ${then}`,
    ]);
    expect(simulation.lostProcesses).to.deep.equal([`host:nut-1: ended: it was ended by SIGKILL; ${then}`]);
  });

  it('write only the loss of the worker when it was alone in its process', async () => {
    await start('a');
    simulation.newest.end('it was ended by SIGKILL');
    await pass(2_000);
    expect(warnings()).to.have.length(1);
    expect([lostIn(warnings().join()), simulation.lostProcesses]).to.deep.equal([['a'], []]);
  });

  it('stop while they start, without another start of those that stay', async () => {
    handles = ['a', 'b', 'c'].map((name) => simulation.startMember(name));
    void handles[0]?.stop();
    await pass(250);
    const late = simulation.startMember('late');
    void late.stop();
    await pass(2_000);
    expect(restarts()).to.deep.equal([0, 0, 0]);
    expect([late.state, hosts.places()]).to.deep.equal(['stopped', ['b c']]);
    expect(simulation.processes).to.have.length(1);
  });

  it('restart once when one of them throws, and nobody else is at fault', async () => {
    await start('a', 'b');
    hosts.fail('a');
    await pass(2_000);
    expect(simulation.losses.map(({ name, reason }) => [name, reason])).to.have.deep.members([
      ['a', 'ended'],
      ['b', 'host-lost'],
    ]);
    expect(simulation.quickFailures).to.have.members([1, 0]);
    expect([restarts(), hosts.places()]).to.deep.equal([[1, 1], ['a b']]);
    expect(lostIn(warnings().join('\n'))).to.deep.equal(['a', 'b']);
    expect(simulation.lostProcesses).to.have.length(1);
  });

  it('keep their process when another throws for the second time: that one gets its own', async () => {
    await start('a', 'b');
    for (let round = 0; round < 2; round += 1) {
      hosts.fail('a');
      await pass(3_000);
    }
    expect(hosts.places()).to.deep.equal(['a', 'b']);
    hosts.fail('a');
    await pass(3_000);
    expect(restarts()).to.deep.equal([3, 2]);
  });

  it('blame a hang on the one that was running', async () => {
    await start('a', 'b');
    for (let round = 0; round < 2; round += 1) {
      simulation.newest.threadName = `${activeMember.name(hosts.numberOf('b'))}\n`;
      hosts.hangs = simulation.newest;
      await pass(4_000);
    }
    const losses = simulation.losses.map(({ name, reason }) => `${name} ${reason}`);
    expect(losses).to.have.members(['a host-lost', 'b silent', 'a host-lost', 'b silent']);
    expect(hosts.places()).to.deep.equal(['a', 'b']);
  });

  it('return to their process an hour after their last strike', async () => {
    await start('a', 'b');
    for (let round = 0; round < 2; round += 1) {
      hosts.fail('a');
      await pass(3_000);
    }
    await pass(3_600_000);
    hosts.kill('a');
    await pass(3_000);
    expect(hosts.places()).to.deep.equal(['a b']);
  });

  it('restart together without a backoff when their process is killed from outside', async () => {
    await start('a', 'b', 'c');
    hosts.kill('a');
    await pass(2_000);
    expect([restarts(), simulation.quickFailures]).to.deep.equal([
      [1, 1, 1],
      [0, 0, 0],
    ]);
    expect(hosts.places()).to.deep.equal(['a b c']);
  });

  it('are split in two from the second loss without a known cause on, until the cause is alone', async () => {
    const names = Array.from({ length: 64 }, (_, index) => `ups-${String(index)}`);
    await start(...names);
    let crashes = 0;
    const together: number[] = [];
    while (!hosts.places().includes('ups-17')) {
      together.push(hosts.neighbours('ups-17'));
      hosts.kill('ups-17');
      crashes += 1;
      expect(crashes).to.be.below(16);
      await pass(3_000);
    }
    expect(together.slice(0, 2), 'the first loss parts nobody').to.deep.equal([63, 63]);
    // The hash spreads 64 names, so each further crash leaves about half.
    expect(together[2]).to.be.within(16, 48);
    expect(crashes).to.be.within(5, 11);
    expect(handles.filter((handle) => handle.restarts > 2).length).to.be.below(48);
    expect(handles.map(({ state }) => state)).to.deep.equal(names.map(() => 'ready'));
  });

  it('end together with one that violates its contract, and nobody else is at fault', async () => {
    await start('a', 'b');
    hosts.say('a', { kind: 'drained' });
    await pass(2_000);
    const losses = simulation.losses.map(({ name, reason }) => `${name} ${reason}`);
    expect(losses).to.have.members(['a violation', 'b host-lost']);
    expect(simulation.quickFailures).to.have.members([1, 0]);
    expect(hosts.places()).to.deep.equal(['a b']);
  });
});
