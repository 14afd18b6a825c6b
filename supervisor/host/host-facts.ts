// Facts about this host: how to reach its mounts, the container this process runs in, and the users with containers.
// Determined at start, except for `usersPresent`, which reads /proc and a tmpfs and never a disk.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { CommandLine } from '../../shared/domain/commands/command-line.js';
import { commandPath } from '../../shared/runtime/search-path.js';
import type { Account, Accounts } from './accounts.js';

export interface HostFacts {
  /** Goes before a command that must see the mounts of the host; empty when this process sees them. */
  readonly mountsPrefix: CommandLine;
  /** The container this daemon runs in, which it must not stop; null outside a container. */
  readonly ownContainerId: string | null;
  /** Login users of this machine by name: uid 1000 and above. */
  readonly users: ReadonlyMap<string, Account>;
  /** PATH for commands. */
  readonly path: string;
  /** The users with a runtime directory (/run/user) or running containers now, by uid. */
  readonly usersPresent: () => UsersPresent;
  /** Logged at start; null when there is none. */
  readonly warning: string | null;
}

export interface UsersPresent {
  readonly withRuntimeDirectory: ReadonlySet<number>;
  readonly withContainers: ReadonlySet<number>;
}

/** Sources of the facts; tests give others. */
export interface HostSources {
  readonly accounts: Accounts;
  readonly pid: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly readLink: (path: string) => string;
  readonly readFile: (path: string) => string;
}

/** login.defs: UID_MIN; the user nobody is 65534. */
const firstUser = 1000;
const nobody = 65_534;

/** The facts of the running process. */
export function detectHost(accounts: Accounts): HostFacts {
  return hostFacts({
    accounts,
    pid: process.pid,
    environment: process.env,
    readLink: (path) => readlinkSync(path),
    readFile: (path) => readFileSync(path, 'utf8'),
  });
}

export function hostFacts(sources: HostSources): HostFacts {
  const loginUsers = [...sources.accounts].filter(([, { uid }]) => uid >= firstUser && uid !== nobody);
  return {
    ...mountsOf(sources),
    ownContainerId: ownContainer(sources),
    users: new Map(loginUsers),
    path: commandPath(sources.environment['PATH']),
    usersPresent: usersPresent,
  };
}

/**
 * A systemd unit with ProtectSystem= or similar has its own mount namespace, where an unmount changes nothing on the host.
 * Only then commands enter the namespace of PID 1. Started in another way, an own namespace is intended.
 */
function mountsOf({ pid, environment, readLink }: HostSources): Pick<HostFacts, 'mountsPrefix' | 'warning'> {
  // systemd.exec(5): the pid of the process that systemd started.
  if (environment['SYSTEMD_EXEC_PID'] !== String(pid)) return { mountsPrefix: [], warning: null };
  try {
    const isHostView = readLink('/proc/self/ns/mnt') === readLink('/proc/1/ns/mnt');
    return { mountsPrefix: isHostView ? [] : ['nsenter', '--target', '1', '--mount', '--'], warning: null };
  } catch (error) {
    // EACCES: reading the link of PID 1 needs CAP_SYS_PTRACE, which a custom unit may lack.
    const cause = errorMessage(error);
    const warning =
      `the host's mounts cannot be seen from this unit (${cause}): unmounts and podman would act on a copy of them; ` +
      'give the unit CAP_SYS_PTRACE CAP_SYS_CHROOT CAP_SYS_ADMIN, as ridethrough.service does';
    return { mountsPrefix: [], warning };
  }
}

/** Docker and podman bind-mount files of the container's directory, whose name is its id, into every container. */
function ownContainer({ readFile }: HostSources): string | null {
  try {
    const mounts = readFile('/proc/self/mountinfo');
    const file = '(?:hostname|hosts|resolv\\.conf|userdata/(?:hostname|hosts|resolv\\.conf|\\.containerenv))';
    return new RegExp(`/([0-9a-f]{64})/${file} `).exec(mounts)?.[1] ?? null;
  } catch {
    // Without /proc there are no Linux containers.
    return null;
  }
}

/** Reads a tmpfs and /proc, which never wait for a disk. */
function usersPresent(): UsersPresent {
  return {
    withRuntimeDirectory: new Set(entriesOf('/run/user').map(Number)),
    withContainers: new Set(entriesOf('/proc').filter(isConmon).flatMap(ownerOf)),
  };
}

/** Podman keeps one process of this name for every running container. */
function isConmon(pid: string): boolean {
  if (!/^\d+$/.test(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'conmon\n';
  } catch {
    // The process has ended since the listing.
    return false;
  }
}

function ownerOf(pid: string): readonly number[] {
  const owner = statSync(`/proc/${pid}`, { throwIfNoEntry: false });
  return owner === undefined ? [] : [owner.uid];
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // The directory does not exist on every machine.
    return [];
  }
}
