// The container this very process runs in, if it does: an action that stops all containers of a host must not stop the
// one that still has to give the host its final command.
import { readFileSync } from 'node:fs';

/** The whole id; null outside a container, and in one whose engine does not tell. */
export function ownContainer(mountinfo = readMounts()): string | null {
  // Docker and Podman lay files of the container's own folder, named by its id, over its /etc.
  const file = /\/([0-9a-f]{64})\/(?:userdata\/)?(?:hostname|hosts|resolv\.conf|\.containerenv) /;
  return file.exec(mountinfo)?.[1] ?? null;
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    // Without /proc there is nothing to be known; the host is then brought down as any other.
    return '';
  }
}
