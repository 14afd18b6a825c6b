import { expect } from 'chai';
import { settled } from '../../fixtures/fake-time.js';
import { Machine, passes, plan } from './recording-machine.js';

describe('the count of restarts in the record', () => {
  const group = plan?.group ?? '';

  it('is not known before the disk was read, and for a group without a record', async () => {
    const machine = new Machine();
    const recovery = machine.starts();
    expect(recovery.restarts([group])).to.equal(null);
    await passes(machine, recovery);
    expect(recovery.restarts([group])).to.equal(0);
    expect(recovery.restarts([group, 'another'])).to.equal(null);
    expect(recovery.restarts([]), 'nobody has asked').to.equal(null);
  });

  it('is on the disk when it is kept, and in the record of the next boot', async () => {
    const machine = new Machine();
    const recovery = machine.starts();
    await passes(machine, recovery);
    recovery.countRestarts([group], 1);
    let isKept = false;
    void recovery.untilSynced().then(() => (isKept = true));
    await settled();
    expect(isKept).to.equal(true);
    await passes(machine, recovery);
    expect(recovery.restarts([group]), 'it stays').to.equal(1);
    const next = machine.boots();
    await passes(machine, next);
    expect(next.restarts([group])).to.equal(1);
  });

  it('is not kept while the disk fails', async () => {
    const machine = new Machine();
    const recovery = machine.starts();
    await passes(machine, recovery);
    machine.isDown = true;
    recovery.countRestarts([group], 1);
    let isKept = false;
    void recovery.untilSynced().then(() => (isKept = true));
    await passes(machine, recovery);
    expect(isKept).to.equal(false);
  });

  it('waits for the records of its own groups alone: that of another may be too large', async () => {
    const machine = new Machine();
    machine.others = ['another'];
    machine.refused.add('another');
    const recovery = machine.starts();
    await passes(machine, recovery);
    recovery.countRestarts([group], 1);
    const kept: string[] = [];
    void recovery.untilSynced([group]).then(() => kept.push('its own'));
    void recovery.untilSynced().then(() => kept.push('all'));
    await passes(machine, recovery);
    expect(kept).to.deep.equal(['its own']);
    expect(recovery.trouble, 'it is said all the same').to.match(/the record of another is not on the disk/);
    machine.refused.clear();
    await passes(machine, recovery, 6);
    expect([kept, recovery.trouble]).to.deep.equal([['its own', 'all'], '']);
  });

  it('is not kept while the record of its own group is refused', async () => {
    const machine = new Machine();
    machine.others = ['another'];
    const recovery = machine.starts();
    await passes(machine, recovery);
    machine.refused.add(group);
    recovery.countRestarts([group], 1);
    let isKept = false;
    void recovery.untilSynced([group]).then(() => (isKept = true));
    await passes(machine, recovery);
    expect(isKept).to.equal(false);
  });
});
