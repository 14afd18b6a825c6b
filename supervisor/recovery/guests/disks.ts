// Whether the disks of a libvirt guest are on a local file system of this host: one that is not may be in use by a guest that runs
// elsewhere by now. Pure.
import { singleLine } from '../../../shared/domain/base/single-line.js';

/** As `stat -f -c %T` names them. Others are shared, or may be. */
const local = new Set(
  'ext2/ext3 ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs tmpfs overlayfs ramfs'.split(' '),
);

export type Disks =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** What libvirt lists no disk of boots from elsewhere: the network, a passed-through device, a file system (LXC). */
const noDisk = 'libvirt lists no disk of it: what it boots from may be in use elsewhere';

/** Lines of `virsh domblklist --details`: type, device, target, source. `-` is a source without a name, as of NBD. */
export function disksIn(listing: string): Disks {
  const paths: string[] = [];
  for (const line of listing.split('\n')) {
    const row = line.trim();
    if (row === '' || /^(?:Type\s+Device\s+Target\s+Source|-+)$/.test(row)) continue;
    const [, type = '', device = '', target = '', source = ''] =
      /^(\S+)\s+(\S+)\s+(\S+)(?:\s+(\S.*))?$/.exec(row) ?? [];
    if (device === 'cdrom' || device === 'floppy') continue;
    if (device !== 'disk' && device !== 'lun')
      return { ok: false, why: `one of its disks is not understood: ${singleLine(row)}` };
    if (type !== 'file' || !source.startsWith('/'))
      return { ok: false, why: `its disk ${target} (${type}) is on no file system of this host` };
    paths.push(source);
  }
  return paths.length === 0 ? { ok: false, why: noDisk } : { ok: true, paths };
}

/** `types`: the lines of `stat`, one for each path. Null: all are local. */
export function foreignDisk(paths: readonly string[], types: readonly string[]): string | null {
  const at = paths.findIndex((_, place) => !local.has(types[place] ?? ''));
  if (at < 0) return null;
  return `its disk ${paths[at] ?? ''} is on ${types[at] ?? 'an unknown file system'}, which other machines may use too`;
}
