// Whether the disks of a libvirt guest are on a local file system of this host: one that is not may be in use by a guest that runs
// elsewhere by now. Pure.

/** As `stat -f -c %T` names them. Others are shared, or may be. */
const local = new Set(
  'ext2/ext3 ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs tmpfs overlayfs ramfs'.split(' '),
);

export type Disks =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** Lines of `virsh domblklist --details`: type, device, target, source. */
export function disksIn(listing: string): Disks {
  const paths: string[] = [];
  for (const line of listing.split('\n')) {
    const [, type, device, target, source] = /^\s*(\S+)\s+(disk|lun)\s+(\S+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    if (type === undefined || device === undefined || source === undefined || source === '-') continue;
    if (type !== 'file' || !source.startsWith('/'))
      return { ok: false, why: `its disk ${target ?? ''} (${type}) is on no file system of this host` };
    paths.push(source);
  }
  return { ok: true, paths };
}

/** `types`: the lines of `stat`, one for each path. Null: all are local. */
export function foreignDisk(paths: readonly string[], types: readonly string[]): string | null {
  const at = paths.findIndex((_, place) => !local.has(types[place] ?? ''));
  if (at < 0) return null;
  return `its disk ${paths[at] ?? ''} is on ${types[at] ?? 'an unknown file system'}, which other machines may use too`;
}
