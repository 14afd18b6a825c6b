import { expect } from 'chai';
import { disksIn, foreignDisk } from '../../../../supervisor/recovery/guests/disks.js';

const table = (...rows: string[]) =>
  [' Type      Device   Target   Source', '---------------------------', ...rows, ''].join('\n');

describe('the disks of a guest', () => {
  it('are the files that it writes', () => {
    const listing = table(
      ' file      disk     vda      /var/lib/libvirt/images/my vm.qcow2',
      ' file      cdrom    sda      /mnt/nfs/debian.iso',
      ' file      cdrom    sdb      -',
    );
    expect(disksIn(listing)).to.deep.equal({ ok: true, paths: ['/var/lib/libvirt/images/my vm.qcow2'] });
    expect(disksIn(table())).to.deep.equal({ ok: true, paths: [] });
  });

  for (const row of [
    ' network   disk     vda      libvirt-pool/vm1',
    ' block     disk     vda      /dev/mapper/san-vm1',
    ' volume    disk     vda      pool/vm1',
    ' block     lun      sda      /dev/disk/by-path/ip-192.0.2.7:3260-iscsi-x-lun-1',
  ])
    it(`may be in use elsewhere: ${row.trim()}`, () => {
      expect(disksIn(table(row))).to.have.property('ok', false);
    });

  it('on a file system of the network are named', () => {
    expect(foreignDisk(['/a', '/b'], ['ext2/ext3', 'zfs'])).to.equal(null);
    expect(foreignDisk(['/a', '/b'], ['xfs', 'nfs'])).to.match(
      /^its disk \/b is on nfs, which other machines/,
    );
    expect(foreignDisk(['/a'], ['ocfs2'])).to.match(/ocfs2/);
    expect(foreignDisk(['/a', '/b'], ['xfs']), 'no answer').to.match(/^its disk \/b is on an unknown/);
  });
});
