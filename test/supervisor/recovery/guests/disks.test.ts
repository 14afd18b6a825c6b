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
  });

  for (const row of [
    ' network   disk     vda      libvirt-pool/vm1',
    // NBD without an export has no name.
    ' network   disk     vda      -',
    ' file      disk     vda      -',
    ' dir       disk     vda      /srv/fat',
    ' nvme      disk     vda      nvme://0000:01:00.0/1',
    ' vhostuser   disk   vda      /run/spdk.sock',
    ' block     disk     vda      /dev/mapper/san-vm1',
    ' volume    disk     vda      pool/vm1',
    ' block     lun      sda      /dev/disk/by-path/ip-192.0.2.7:3260-iscsi-x-lun-1',
  ])
    it(`may be in use elsewhere: ${row.trim()}`, () => {
      expect(disksIn(table(row))).to.have.property('ok', false);
    });

  it('are all to be local: one that may not be is enough', () => {
    const listing = table(' file      disk     vda      /a.img', ' network   disk     vdb      -');
    expect(disksIn(listing)).to.have.property(
      'why',
      'its disk vdb (network) is on no file system of this host',
    );
  });

  it('are not taken for local where there is none, or a row is not understood', () => {
    const cdrom = ' file      cdrom    sda      /live.iso';
    for (const listing of ['', table(), table(cdrom, ' dir       floppy   fda      /tmp')])
      expect(disksIn(listing))
        .to.have.property('why')
        .that.matches(/^libvirt lists no disk of it/);
    for (const row of ['file', 'file      disk', 'file   drive   vda   /a.img'])
      expect(disksIn(table(' file      disk     vdb      /b.img', row)), row).to.have.property('ok', false);
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
