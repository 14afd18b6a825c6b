// What libvirt says of the end of a guest that is off. It has no date of a start, and knows how a guest ended until it restarts. Pure.

/** Of `virsh domstate --reason`. Why the guest is left alone; null: nothing speaks against its start. `isOtherBoot`: it was stopped before the boot. */
export function endedSince(state: string, isOtherBoot: boolean): string | null {
  const [, reason] = /^shut off \(([a-z ]+)\)$/.exec(state.trim()) ?? [];
  if (reason === 'migrated') return 'it was migrated to another host';
  // After a boot the reason of one that was not started since is `unknown`.
  return isOtherBoot && (reason === 'shutdown' || reason === 'destroyed')
    ? 'it was started since, and has ended again'
    : null;
}
