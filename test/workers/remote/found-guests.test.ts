import { expect } from 'chai';
import type { StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { guestKey } from '../../../shared/domain/recovery/guest.js';
import { FoundGuests, guestOf } from '../../../workers/remote/found-guests.js';
import { FakeTime } from '../../fixtures/fake-time.js';

const uuid = '6695eb01-f6a4-8304-79aa-97f2502e193f';

function rig() {
  const time = new FakeTime();
  const reports: (readonly StoppedGuest[])[] = [];
  const warnings: string[] = [];
  const found = new FoundGuests({
    report: (guests) => reports.push(guests),
    warn: (problem) => warnings.push(problem),
    setTimer: time.setTimer,
  });
  return { found, reports, warnings, time };
}

describe('a guest that a script names', () => {
  it('has its engine, its id, its name and the user of a rootless podman', () => {
    expect(guestOf('\tdocker\tc1\t\tweb')).to.deep.equal({
      engine: 'docker',
      id: 'c1',
      name: 'web',
      user: null,
    });
    expect(guestOf('\tpodman\tc1\t1000\tweb')).to.include({ engine: 'podman', user: '1000' });
    expect(guestOf(`\tlibvirt\t${uuid}\t\tmail server`)).to.include({ id: uuid, name: 'mail server' });
    expect(guestOf('\tproxmox_ha\tvm:101\t\tweb')).to.include({ engine: 'proxmox_ha', id: 'vm:101' });
  });

  it('has its id for a name until it has one, and where its name cannot be shown', () => {
    for (const name of ['', 'a\u001b[31mb', 'x'.repeat(257), 'a\tb'])
      expect(guestOf(`\tproxmox_vm\t101\t\t${name}`)).to.include({ id: '101', name: '101' });
  });

  it('is none where its id could be anything but an id', () => {
    for (const line of [
      '',
      '\t',
      'docker',
      '\tdocker\t',
      '\tdocker\t-v',
      '\tdocker\tc1 c2',
      '\tdocker\t$(reboot)',
      '\tlibvirt\tweb',
      '\tproxmox_vm\t101;',
      '\tproxmox_vm\t--all',
      '\tproxmox_ha\tvm:101 --state',
      '\tproxmox_ha\t101',
      '\tkvm\t101',
      '\tconstructor\t101',
      '\tdocker\tc1\troot\tweb',
      '\tpodman\tc1\t-u\tweb',
    ])
      expect(guestOf(line), JSON.stringify(line)).to.equal(null);
  });

  it('is the same one for HA and for its tool', () => {
    const known = { name: 'web', user: null };
    const key = (engine: StoppedGuest['engine'], id: string) => guestKey({ engine, id, ...known });
    expect(key('proxmox_ha', 'vm:101')).to.equal(key('proxmox_vm', '101'));
    expect(key('proxmox_ha', 'ct:101')).to.equal(key('proxmox_ct', '101'));
    expect(key('proxmox_vm', '101')).not.to.equal(key('proxmox_ct', '101'));
  });
});

describe('what a step found running', () => {
  it('is reported 50 ms after its first line, and not only at the end of the stop', async () => {
    const { found, reports, time } = rig();
    found.add('\tdocker\tc1');
    found.add('\tdocker\tc2');
    expect(reports).to.deep.equal([]);
    await time.pass(50);
    expect(reports.map((guests) => guests.map(({ id }) => id))).to.deep.equal([['c1', 'c2']]);
    await time.pass(1_000);
    expect(reports).to.have.length(1);
  });

  it('is reported at once at the end, and with the name that came after the id', () => {
    const { found, reports } = rig();
    found.add('\tdocker\tc1');
    found.add('\tdocker\tc1\t\tweb');
    found.flush();
    found.flush();
    expect(reports.map((guests) => guests.map(({ name }) => name))).to.deep.equal([['c1', 'web']]);
  });

  it('is at most a thousand: what does not fit is told once, and later names of the first ones still count', () => {
    const { found, reports, warnings } = rig();
    for (let count = 0; count < 3_000; count += 1) found.add(`\tproxmox_vm\t${String(count)}`);
    found.add('\tproxmox_vm\t0\t\tweb');
    found.flush();
    const all = reports.flat();
    expect(all).to.have.length(1_001);
    expect(all.at(-1)).to.include({ id: '0', name: 'web' });
    expect(Math.max(...reports.map(({ length }) => length))).to.be.at.most(100);
    expect(warnings).to.have.length(1);
  });
});
