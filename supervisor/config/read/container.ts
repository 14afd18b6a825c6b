// Detects whether this daemon runs in a container, where its own power-off would not reach the host. Runs in the reader.
import { existsSync, readlinkSync } from 'node:fs';

/** File system access; tests replace it. */
export interface ContainerSigns {
  readonly exists: (path: string) => boolean;
  readonly readLink: (path: string) => string;
}

/** linux/proc_ns.h: the inode numbers of the kernel's initial namespaces, the same on every machine. */
const firstNamespaces = [
  ['uts', 'uts:[4026531838]'],
  ['ipc', 'ipc:[4026531839]'],
  ['pid', 'pid:[4026531836]'],
] as const;

/**
 * See specification/sequence.md#in-a-container. Where the host's systemd is reachable, the daemon can power off the host from
 * here, in a container or not. `/.dockerenv` alone proves little: images made into virtual machines keep the file. In a virtual
 * machine every namespace is the kernel's first; a container has at least one of its own, even where it shares the host's
 * processes.
 */
export function isContainer(
  environment: NodeJS.ProcessEnv,
  { exists, readLink }: ContainerSigns = { exists: existsSync, readLink: (path) => readlinkSync(path) },
): boolean {
  if (exists('/run/systemd/system')) return false;
  if ((environment['KUBERNETES_SERVICE_HOST'] ?? '') !== '') return true;
  // Before podman 4.6 a container with a tmpfs on /run, as with --read-only, has no such file (containers/podman#18531).
  if (environment['container'] === 'podman') return true;
  // On a tmpfs, which is empty after a boot: the file cannot come from an image.
  if (exists('/run/.containerenv')) return true;
  return exists('/.dockerenv') && firstNamespaces.some(([name, first]) => isOwn(name, first, readLink));
}

function isOwn(name: string, first: string, readLink: ContainerSigns['readLink']): boolean {
  try {
    return readLink(`/proc/self/ns/${name}`) !== first;
  } catch {
    // The kernel does not have this kind of namespace.
    return false;
  }
}
