import { expect } from 'chai';
import type { Recovery } from '../../../supervisor/recovery/recovery.js';
import type { RecoveryRecord } from '../../../shared/domain/recovery/record.js';
import { recordVersion } from '../../../shared/domain/recovery/record.js';
import { Machine, noAnswer, passes, plan, sequenceOf } from './recording-machine.js';

const nasOf = (recovery: Recovery) => recovery.records.get(plan?.group ?? '')?.targets[0];

describe('a record of who was up', () => {
  for (const [what, change, why] of [
    ['another configuration file', { configFile: '/d.toml' }, /is of the configuration file \/c.toml/],
    ['another machine', { machineId: 'n' }, /is of another machine/],
  ] as const)
    it(`of this boot is not taken over with ${what}, and said`, async () => {
      const machine = new Machine();
      const first = machine.starts();
      machine.entries = sequenceOf(machine);
      await passes(machine, first);
      expect(nasOf(first)).to.include({ command: 'maybe' });
      Object.assign(machine, { identity: change, entries: [], look: noAnswer, disk: new Map() });
      const other = machine.starts();
      expect(other.records.size).to.equal(0);
      expect(other.isRecalled, 'nor is what it says of the disk').to.equal(false);
      await passes(machine, other);
      expect(nasOf(other)).to.include({ command: 'none' });
      expect(machine.warnings).to.have.length(1);
      expect(machine.warnings[0]).to.match(why);
      await passes(machine, machine.starts());
      expect(machine.warnings, 'its own copy is used').to.have.length(1);
    });

  it('of this boot and another version is not used, and said; what is on the disk is read', async () => {
    const machine = new Machine();
    const first = machine.starts();
    await passes(machine, first);
    machine.entries = sequenceOf(machine);
    await passes(machine, first);
    machine.look = noAnswer;
    machine.copy = { isRecalled: true, records: [] };
    const next = machine.starts();
    await passes(machine, next);
    expect(nasOf(next)).to.include({ before: 'up', command: 'maybe' });
    expect(machine.warnings).to.have.length(1);
    expect(machine.warnings[0]).to.match(/copy of the recovery record .* is not used/);
  });

  for (const [what, identity, why] of [
    ['another machine', { machineId: 'n' }, 'it is of another machine'],
    ['another file', { configFile: '/d.toml' }, 'it is of the configuration file /c.toml'],
  ] as const)
    it(`of ${what} is not used, and set aside before it is replaced`, async () => {
      const machine = new Machine();
      machine.onBattery = true;
      await passes(machine, machine.starts());
      const before = machine.disk.get(plan?.group ?? '');
      machine.identity = identity;
      machine.look = noAnswer;
      const booted = machine.boots();
      await passes(machine, booted);
      expect(nasOf(booted)).to.include({ command: 'none' });
      expect(machine.asides).to.deep.equal([[why, before]]);
      expect(machine.disk.get(plan?.group ?? ''), 'that of this boot is there now').to.contain('boot 1+');
    });

  it('that is not used stays where it is until it can be set aside', async () => {
    const machine = new Machine();
    await passes(machine, machine.starts());
    const before = machine.disk.get(plan?.group ?? '');
    machine.identity = { machineId: 'n' };
    machine.isAsideRefused = true;
    const booted = machine.boots();
    await passes(machine, booted, 5);
    expect(machine.disk.get(plan?.group ?? '')).to.equal(before);
    expect(booted.trouble).to.match(/is not on the disk: it is gone/);
    machine.isAsideRefused = false;
    await passes(machine, booted, 5);
    expect(machine.asides).to.have.length(1);
    expect([booted.trouble, booted.isSynced()]).to.deep.equal(['', true]);
  });

  it('of another version is not used, and set aside, though it has every field', async () => {
    const machine = new Machine();
    await passes(machine, machine.starts());
    const group = plan?.group ?? '';
    const record = JSON.parse(machine.disk.get(group) ?? '') as RecoveryRecord;
    machine.disk.set(group, JSON.stringify({ ...record, version: recordVersion - 1 }));
    await passes(machine, machine.boots());
    expect(machine.asides[0]?.[0]).to.equal(
      `it is of version ${String(recordVersion - 1)}, and this daemon reads version ${String(recordVersion)}`,
    );
  });

  it('that is no record is not used, whatever it is', async () => {
    for (const text of ['', '{', 'null', '[]', '{"version":1}', '{"version":3}', '7']) {
      const machine = new Machine();
      machine.disk.set(plan?.group ?? '', text);
      const recovery = machine.starts();
      await passes(machine, recovery);
      expect(nasOf(recovery), text).to.include({ command: 'none' });
      expect(
        machine.asides.map(([, content]) => content),
        text,
      ).to.deep.equal([text]);
    }
  });
});
