import { expect } from 'chai';
import type { Finding } from '../../../supervisor/remote-health/machine/state.js';
import { good, Machine, refused, server } from './machine.js';

const unreachable: Finding = {
  ok: false,
  reason: 'this machine has no network: no route to 192.0.2.9:22 (ENETUNREACH)',
  obstacle: null,
  ownNetwork: true,
};
const three = ['nas', 'hypervisor', 'router'];

describe('the network of this host', () => {
  const machineOf = (settings = {}, kept: [] | null = []) =>
    new Machine({ servers: three.map((name) => server(name)), failureThreshold: 1, ...settings }, kept);
  /** Each of them is probed and gives this result; the messages that follow. */
  const all = (machine: Machine, ...findings: readonly Finding[]): readonly string[] => {
    machine.tick(machine.state.memory.kind === 'awaited' ? 0 : 66_000);
    return three.flatMap((name, index) =>
      machine
        .answer(findings[index] ?? unreachable, name)
        .flatMap((effect) => (effect.kind === 'notify' ? [effect.text] : [])),
    );
  };
  const statuses = (machine: Machine) => machine.state.servers.map(({ health }) => health.kind);

  it('is one message when it is lost and one when it is back, while each server is FAILED', () => {
    const machine = machineOf();
    expect(all(machine, good, good, good)).to.deep.equal([]);
    expect(all(machine)).to.deep.equal([
      'The remote server nas (root@192.0.2.9) and all behind the same network could not be shut down now: this machine has no' +
        ' network: no route to 192.0.2.9:22 (ENETUNREACH). In an outage their shutdown is still tried, but they may lose power' +
        ' while they run. Check the cable, the switch and the addresses of this machine. Servers with this cause are not' +
        ' reported one by one.',
    ]);
    expect(statuses(machine)).to.deep.equal(['FAILED', 'FAILED', 'FAILED']);
    expect(all(machine)).to.deep.equal([]);
    const [back, ...more] = all(machine, good, good, good);
    expect(back).to.match(/^This machine has its network again: .*nas/);
    expect(more).to.deep.equal([]);
    expect(machine.outputLines.filter((line) => line === 'event REMOTE_HEALTH_FAILED')).to.have.length(3);
  });

  it('hides no server that still fails when it is back, and no second loss', () => {
    const machine = machineOf();
    all(machine);
    const [back, dead, ...more] = all(machine, good, refused, unreachable);
    expect(back).to.include('has its network again');
    expect(dead).to.match(/hypervisor .*could not be shut down now: .*connection refused/);
    expect(more.join()).to.match(/router .*and all behind the same network/);
    const last = all(machine, good, good, good);
    expect(last).to.have.length(2);
    expect(last[0]).to.match(/hypervisor .* can be logged in to again/);
    expect(last[1]).to.match(/network again: .*router/);
  });

  it('leaves a server that had failed before to its own messages', () => {
    const machine = machineOf();
    const [own] = all(machine, refused, good, good);
    expect(own).to.include('nas');
    expect(all(machine)).to.have.length(1);
    expect(all(machine, good, good, good).map((text) => text.slice(0, 21))).to.deep.equal([
      'The remote server nas',
      'This machine has its ',
    ]);
  });

  it('is one message also when it waited for what the previous daemon had stored', () => {
    const machine = machineOf({}, null);
    expect(all(machine)).to.deep.equal([]);
    const released = machine.take({ kind: 'recalled', failed: [] });
    expect(released.map((effect) => effect.kind)).to.deep.equal(['notify']);
  });

  it('is no message when messages about failures are disabled', () => {
    const machine = machineOf({ notifyOnFailure: false, notifyOnRecovery: false });
    expect([...all(machine), ...all(machine), ...all(machine, good, good, good)]).to.deep.equal([]);
  });
});
