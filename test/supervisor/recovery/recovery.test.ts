import { expect } from 'chai';
import type { Recovery } from '../../../supervisor/recovery/recovery.js';
import { RecoveryRecord } from '../../../shared/domain/recovery/record.js';
import { recordBytes } from '../../../supervisor/recovery/record-bytes.js';
import { Machine, noAnswer, passes, plan, sequenceOf, up } from './recording-machine.js';

const nasOf = (recovery: Recovery) => recovery.records.get(plan?.group ?? '')?.targets[0];

describe('the record of who was up', () => {
  it('is on the disk soon after each change, once for each, as one that it reads again', async () => {
    const machine = new Machine();
    const recovery = machine.starts();
    await passes(machine, recovery);
    expect(machine.keeps).to.have.length(1);
    expect(recovery.isSynced()).to.equal(true);
    machine.onBattery = true;
    recovery.update();
    let isWaiting = true;
    void recovery.untilSynced().then(() => (isWaiting = false));
    expect([isWaiting, recovery.isSynced()], 'handed over, not on the disk').to.deep.equal([true, false]);
    await passes(machine, recovery);
    expect(isWaiting).to.equal(false);
    await recovery.untilSynced();
    expect(machine.keeps).to.have.length(2);
    for (const text of machine.keeps) expect(RecoveryRecord.is(JSON.parse(text))).to.equal(true);
    expect(recovery.isSynced()).to.equal(true);
  });

  it('is made text alone when it has changed, and not with all others', async () => {
    const machine = new Machine();
    machine.others = ['a', 'b'];
    const recovery = machine.starts();
    await passes(machine, recovery);
    const bytes = () => new Map([...recovery.records].map(([group, record]) => [group, recordBytes(record)]));
    const before = bytes();
    machine.look = noAnswer;
    await passes(machine, recovery);
    const after = bytes();
    const changed = [...after.keys()].filter((group) => after.get(group) !== before.get(group));
    expect(changed).to.deep.equal([plan?.group]);
    expect(machine.copy).to.deep.equal({
      ...{ machineId: 'm', configFile: '/c.toml', isRecalled: true },
      records: [...recovery.records.values()],
    });
  });

  it('is another object after each change alone, by which readers know what is new', async () => {
    const machine = new Machine();
    const recovery = machine.starts();
    await passes(machine, recovery);
    const { records } = recovery;
    await passes(machine, recovery);
    expect(recovery.records).to.equal(records);
    machine.onBattery = true;
    await passes(machine, recovery);
    expect(recovery.records).not.to.equal(records);
  });

  it('is read from the copy of this boot after a restart, never from the disk', async () => {
    const machine = new Machine();
    const first = machine.starts();
    await passes(machine, first);
    machine.entries = sequenceOf(machine);
    await passes(machine, first);
    machine.disk.set(plan?.group ?? '', 'of another time');
    machine.look = noAnswer;
    const restarted = machine.starts();
    await passes(machine, restarted);
    expect(nasOf(restarted)).to.include({ before: 'up', command: 'maybe' });
    expect(machine.warnings).to.deep.equal([]);
  });

  it('is written again by a restarted daemon: the one before may have been killed before the disk had it', async () => {
    const machine = new Machine();
    const first = machine.starts();
    await passes(machine, first);
    machine.isDown = true;
    machine.onBattery = true;
    await passes(machine, first);
    expect(machine.disk.get(plan?.group ?? '')).to.contain('"inOutage":false');
    machine.isDown = false;
    const restarted = machine.starts();
    expect(restarted.isSynced()).to.equal(false);
    await passes(machine, restarted);
    expect(machine.disk.get(plan?.group ?? '')).to.contain('"inOutage":true');
    expect(restarted.isSynced()).to.equal(true);
  });

  it('has on the next boot what was up and on battery as maybe commanded, until it is up again', async () => {
    const machine = new Machine();
    await passes(machine, machine.starts());
    machine.onBattery = true;
    await passes(machine, machine.starts());
    machine.look = noAnswer;
    const booted = machine.boots();
    await passes(machine, booted);
    expect(nasOf(booted)).to.include({ before: 'up', command: 'maybe', isOff: true });
    machine.look = up;
    await passes(machine, booted);
    expect(nasOf(booted)).to.include({ before: 'up', command: 'none', isOff: false });
  });

  it('has on the next boot nothing to bring back of a night on line power', async () => {
    const machine = new Machine();
    await passes(machine, machine.starts());
    machine.look = noAnswer;
    const booted = machine.boots();
    await passes(machine, booted);
    expect(nasOf(booted)).to.include({ before: 'unknown', command: 'none' });
  });

  it('is not replaced on the disk before it was read', async () => {
    const machine = new Machine();
    machine.onBattery = true;
    await passes(machine, machine.starts());
    const before = machine.disk.get(plan?.group ?? '');
    machine.isDown = true;
    machine.look = noAnswer;
    const booted = machine.boots();
    await passes(machine, booted, 5);
    expect(machine.disk.get(plan?.group ?? '')).to.equal(before);
    expect(booted.trouble).to.match(/cannot be read: it is gone/);
    const again = machine.starts();
    machine.isDown = false;
    await passes(machine, again, 5);
    expect(nasOf(again), 'a restart in between has not lost it').to.include({ command: 'maybe' });
    expect(again.trouble).to.equal('');
  });

  it('numbers grow over boots', async () => {
    const machine = new Machine();
    machine.onBattery = true;
    await passes(machine, machine.starts());
    const number = () => (JSON.parse(machine.disk.get(plan?.group ?? '') ?? '{}') as RecoveryRecord).number;
    const first = number();
    await passes(machine, machine.boots());
    expect(number()).to.be.greaterThan(first);
  });

  it('is neither read nor written while another daemon has it', async () => {
    const machine = new Machine();
    machine.locked = false;
    const recovery = machine.starts();
    await passes(machine, recovery, 5);
    expect(machine.keeps).to.deep.equal([]);
    expect(recovery.trouble).to.equal(
      'nothing is recorded, and nothing that a shutdown stops is started again: another daemon has it',
    );
    expect([...recovery.records.keys()], 'nobody acts by it').to.deep.equal([]);
    machine.locked = true;
    await passes(machine, recovery);
    expect([recovery.records.size, recovery.trouble]).to.deep.equal([1, '']);
  });

  it('of this boot is used while another daemon has the disk', async () => {
    const machine = new Machine();
    await passes(machine, machine.starts());
    machine.locked = false;
    const restarted = machine.starts();
    await passes(machine, restarted);
    expect(restarted.records.size).to.equal(1);
  });

  it('is on the disk for whoever waits also where nothing was to be written but the disk to be read', async () => {
    const machine = new Machine();
    machine.isDown = true;
    const recovery = machine.starts();
    await passes(machine, recovery);
    let isWaiting = true;
    void recovery.untilSynced().then(() => (isWaiting = false));
    machine.isDown = false;
    await passes(machine, recovery);
    expect([isWaiting, recovery.trouble]).to.deep.equal([false, '']);
  });

  it('says why it is not on the disk, until it is', async () => {
    const machine = new Machine();
    const recovery = machine.starts();
    await passes(machine, recovery);
    machine.isDown = true;
    machine.onBattery = true;
    await passes(machine, recovery, 6);
    expect(recovery.trouble).to.match(/is not on the disk: it is gone/);
    machine.isDown = false;
    await passes(machine, recovery, 3);
    expect(recovery.trouble).to.equal('');
  });
});
