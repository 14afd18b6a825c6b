// What this process knows of the host it acts on: how to reach its mounts, which container it is in itself, and whose
// rootless containers it may have. Found at start, but for what /proc and a tmpfs say of the moment.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { CommandLine } from '../../shared/domain/plan.js';
import { errorMessage } from '../../shared/domain/error-message.js';
import { commandPath } from './search-path.js';
import type { Account, Accounts } from './accounts.js';

export interface HostFacts {
  /** The words before a command that must see the mounts of the host; empty when we see them ourselves. */
  readonly mountsPrefix: CommandLine;
  /** Of the container this daemon runs in; null outside of one. It must not stop itself. */
  readonly ownContainerId: string | null;
  /** People with an account on this machine, by name: uid 1000 and above. */
  readonly users: ReadonlyMap<string, Account>;
  /** Where programs are looked for. */
  readonly path: string;
  /** Who has a runtime directory (/run/user) or runs containers of its own just now, by uid. */
  readonly present: () => UsersPresent;
  /** To be said at start; null when there is nothing to say. */
  readonly trouble: string | null;
}

export interface UsersPresent {
  readonly withRuntimeDirectory: ReadonlySet<number>;
  readonly withContainers: ReadonlySet<number>;
}

/** Where the facts are; other places in tests. */
export interface HostFactsDependencies {
  readonly accounts: Accounts;
  readonly pid: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly readLink: (path: string) => string;
  readonly readFile: (path: string) => string;
}

/** login.defs: people begin here, and nobody is 65534. */
const firstUser = 1000;
const nobody = 65_534;

/** The view of the running process. */
export function detectHost(accounts: Accounts): HostFacts {
  return hostView({
    accounts,
    pid: process.pid,
    environment: process.env,
    readLink: (path) => readlinkSync(path),
    readFile: (path) => readFileSync(path, 'utf8'),
  });
}

export function hostView(sources: HostFactsDependencies): HostFacts {
  const loginUsers = [...sources.accounts].filter(([, { uid }]) => uid >= firstUser && uid !== nobody);
  return {
    ...mountsOf(sources),
    ownContainerId: ownContainer(sources),
    users: new Map(loginUsers),
    path: commandPath(sources.environment['PATH']),
    present: usersPresent,
  };
}

/**
 * A unit of systemd with a view of its own (ProtectSystem= and the like) has every mount as a copy: unmounting there
 * changes nothing on the host. Only then the namespace of PID 1 is entered. Started in any other way, whoever gave us
 * a namespace of our own meant it.
 */
function mountsOf({
  pid,
  environment,
  readLink,
}: HostFactsDependencies): Pick<HostFacts, 'mountsPrefix' | 'trouble'> {
  // systemd.exec(5): the process that systemd itself has started.
  if (environment['SYSTEMD_EXEC_PID'] !== String(pid)) return { mountsPrefix: [], trouble: null };
  try {
    const own = readLink('/proc/self/ns/mnt') === readLink('/proc/1/ns/mnt');
    return { mountsPrefix: own ? [] : ['nsenter', '--target', '1', '--mount', '--'], trouble: null };
  } catch (error) {
    // EACCES: looking at PID 1 takes CAP_SYS_PTRACE, which a unit of somebody's own may lack.
    const cause = errorMessage(error);
    const trouble =
      `the host's mounts cannot be seen from this unit (${cause}): unmounts and podman would act on a copy of them; ` +
      'give the unit CAP_SYS_PTRACE CAP_SYS_CHROOT CAP_SYS_ADMIN, as ridethrough.service does';
    return { mountsPrefix: [], trouble };
  }
}

/** Docker and podman bind files of the container's own directory, which is named by its id, into every container. */
function ownContainer({ readFile }: HostFactsDependencies): string | null {
  try {
    const mounts = readFile('/proc/self/mountinfo');
    const file = '(?:hostname|hosts|resolv\\.conf|userdata/(?:hostname|hosts|resolv\\.conf|\\.containerenv))';
    return new RegExp(`/([0-9a-f]{64})/${file} `).exec(mounts)?.[1] ?? null;
  } catch {
    // No /proc: then there is no container of ours to find either.
    return null;
  }
}

/** Read from a tmpfs and from /proc, which answer whatever disks do. */
function usersPresent(): UsersPresent {
  return {
    withRuntimeDirectory: new Set(entriesOf('/run/user').map(Number)),
    withContainers: new Set(entriesOf('/proc').filter(watchesContainer).flatMap(ownerOf)),
  };
}

/** Podman leaves one process of this name behind for every container that runs. */
function watchesContainer(pid: string): boolean {
  if (!/^\d+$/.test(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'conmon\n';
  } catch {
    // It has ended since the listing.
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
    // Not on every machine: nobody is there.
    return [];
  }
}
