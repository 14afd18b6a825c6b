import { expect } from 'chai';
import { failedServers } from '../../../supervisor/remote-health/machine/step.js';
import { good, Machine, refused, server } from './machine.js';

const nas = { server: 'nas', place: 'root@nas:22' };
const kept = [{ ...nas, notified: true }];
const failure = 'message REMOTE_HEALTH_FAILED';
const recovery = 'message REMOTE_HEALTH_HEALTHY';

/** A restarted daemon during its first probe. */
function restarted(kept: ConstructorParameters<typeof Machine>[1], settings = {}): Machine {
  const machine = new Machine({ failureThreshold: 1, ...settings }, kept);
  machine.tick();
  return machine;
}
const messages = ({ outputLines }: Machine) => outputLines.filter((one) => one.startsWith('message'));

describe('the failed period of a server across a restart', () => {
  it('lasts from FAILED until HEALTHY, and records whether a message was sent', () => {
    const machine = restarted([]);
    expect(failedServers(machine.state)).to.deep.equal([]);
    machine.answer(refused);
    expect(failedServers(machine.state)).to.deep.equal(kept);
    machine.next(good);
    expect(failedServers(machine.state)).to.deep.equal([]);
    const silent = restarted([], { notifyOnFailure: false });
    silent.answer(refused);
    expect(failedServers(silent.state)).to.deep.equal([{ ...nas, notified: false }]);
  });

  it('has no second message, and its events state that it started before the restart', () => {
    const machine = restarted(kept);
    expect(machine.row.status).to.equal('UNKNOWN');
    const [row] = machine.answer(refused);
    expect(row).to.deep.include({
      type: 'REMOTE_HEALTH_FAILED',
      detail: 'nas: UNKNOWN -> FAILED: connection refused; it was FAILED before the daemon was restarted',
    });
    expect(messages(machine)).to.deep.equal([]);
    machine.next(good);
    expect(messages(machine)).to.deep.equal([recovery]);
  });

  it('ends with one message when the server is good again after the restart, also after a failed first probe', () => {
    for (const findings of [[good], [refused, good]]) {
      const machine = restarted(kept, { failureThreshold: 3 });
      for (const [index, finding] of findings.entries())
        if (index === 0) machine.answer(finding);
        else machine.next(finding);
      expect(messages(machine)).to.deep.equal([recovery]);
      expect(failedServers(machine.state)).to.deep.equal([]);
      machine.next(good);
      expect(messages(machine)).to.deep.equal([recovery]);
    }
  });

  it('without a message has one as soon as messages are enabled', () => {
    const machine = restarted([{ ...nas, notified: false }]);
    machine.answer(refused);
    expect(messages(machine)).to.deep.equal([failure]);
  });

  it('ends without a message when the server is removed, moved or no longer probed', () => {
    for (const other of [{ name: 'backup' }, { place: 'root@other:22' }, { probed: false }]) {
      const machine = restarted(kept, { servers: [server('nas', other)] });
      expect(failedServers(machine.state)).to.deep.equal([]);
      expect(messages(machine)).to.deep.equal([]);
    }
    const machine = restarted(kept, { servers: [server('nas', { place: 'root@other:22' })] });
    machine.answer(refused);
    expect(messages(machine)).to.deep.equal([failure]);
  });
});

describe('a message about a server while the earlier messages are unknown', () => {
  it('waits, and is not sent when it was sent before', () => {
    const machine = restarted(null);
    machine.answer(refused);
    expect(machine.outputLines).to.deep.equal(['event REMOTE_HEALTH_FAILED']);
    machine.take({ kind: 'recalled', failed: kept });
    expect(messages(machine)).to.deep.equal([]);
    expect(failedServers(machine.state)).to.deep.equal(kept);
  });

  it('waits, and is sent when it was not sent before', () => {
    const machine = restarted(null);
    machine.answer(refused);
    machine.take({ kind: 'recalled', failed: [] });
    expect(messages(machine)).to.deep.equal([failure]);
    machine.tick(60_000);
    expect(messages(machine)).to.deep.equal([failure]);
  });

  it('waits for 30 s at most', () => {
    const machine = restarted(null);
    machine.answer(refused);
    machine.tick(29_000);
    expect(messages(machine)).to.deep.equal([]);
    machine.tick(1_000);
    expect(messages(machine)).to.deep.equal([failure]);
    machine.take({ kind: 'recalled', failed: kept });
    expect(messages(machine)).to.deep.equal([failure]);
  });

  it('about its recovery is sent when an earlier failure becomes known', () => {
    const machine = restarted(null);
    machine.answer(good);
    expect(messages(machine)).to.deep.equal([]);
    machine.take({ kind: 'recalled', failed: kept });
    expect(messages(machine)).to.deep.equal([recovery]);
    machine.take({ kind: 'recalled', failed: kept });
    expect(messages(machine)).to.deep.equal([recovery]);
  });

  it('about its recovery is not sent again when the earlier messages become known too late', () => {
    const machine = restarted(null);
    machine.tick(30_000);
    machine.answer(refused);
    machine.next(good);
    machine.take({ kind: 'recalled', failed: kept });
    expect(messages(machine)).to.deep.equal([failure, recovery]);
  });
});
