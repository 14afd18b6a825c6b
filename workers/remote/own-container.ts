// The id of the container of this process, if any. An action that stops all containers of a host must not stop this one, which
// still has to send the final command.
import { readFileSync } from 'node:fs';

/** The full id; null outside a container, and where the engine does not reveal it. */
export function ownContainer(mountinfo = readMounts()): string | null {
  // Docker and Podman mount files from the folder of the container, which has its id, over its /etc.
  const file = /\/([0-9a-f]{64})\/(?:userdata\/)?(?:hostname|hosts|resolv\.conf|\.containerenv) /;
  return file.exec(mountinfo)?.[1] ?? null;
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    // Without /proc the id is unknown; the host then shuts down as any other.
    return '';
  }
}
