// Whether this daemon runs in a container, where a power-off of its own would not reach the host. Looked at while the
// configuration is read.
import { existsSync, readlinkSync } from 'node:fs';

/** Where the signs are; other ones in tests. */
export interface ContainerSigns {
  readonly exists: (path: string) => boolean;
  readonly readLink: (path: string) => string;
}

/** linux/proc_ns.h: the numbers of the kernel's first namespaces, the same on every machine. */
const firstNamespaces = [
  ['uts', 'uts:[4026531838]'],
  ['ipc', 'ipc:[4026531839]'],
  ['pid', 'pid:[4026531836]'],
] as const;

/**
 * See specification/sequence.md#in-a-container. Where the host's systemd is in reach, the host can be powered off from
 * here, in a container or not. `/.dockerenv` alone proves little: images made into virtual machines keep the file. In a
 * virtual machine every namespace is the kernel's first; a container has at least one of its own, even where it shares
 * the host's processes.
 */
export function isContainer(
  environment: NodeJS.ProcessEnv,
  { exists, readLink }: ContainerSigns = { exists: existsSync, readLink: (path) => readlinkSync(path) },
): boolean {
  if (exists('/run/systemd/system')) return false;
  if ((environment['KUBERNETES_SERVICE_HOST'] ?? '') !== '') return true;
  // On a tmpfs, which every machine that boots begins anew: the file is no remnant.
  if (exists('/run/.containerenv')) return true;
  return exists('/.dockerenv') && firstNamespaces.some(([name, first]) => isOwn(name, first, readLink));
}

function isOwn(name: string, first: string, readLink: ContainerSigns['readLink']): boolean {
  try {
    return readLink(`/proc/self/ns/${name}`) !== first;
  } catch {
    // A kernel without this kind of namespace: nothing has one of its own.
    return false;
  }
}
