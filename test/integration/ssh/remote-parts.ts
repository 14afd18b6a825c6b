// The parts of the remote worker as worker.ts assembles them, for tests with real and misbehaving servers.
import type { PreShutdownAction, RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type { RemoteTarget, TargetOutcome } from '../../../shared/protocol/remote.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { HostAddresses } from '../../../workers/ssh/addresses.js';
import { KnownHosts } from '../../../workers/ssh/known-hosts/known-hosts.js';
import { systemLookups } from '../../../workers/ssh/lookups.js';
import { PrivateKeys } from '../../../workers/ssh/private-keys.js';
import { setTimer } from '../../../supervisor/host/timer.js';
import { attempt } from '../../../workers/remote/off/attempt.js';
import { gatewaysOf, ownAddressTo, runningLinks } from '../../../workers/ssh/own-network.js';
import { OffWatches } from '../../../workers/remote/off/watches.js';
import { Targets } from '../../../workers/remote/targets.js';
import { notWatched } from '../../fixtures/off-check.js';
import { preShutdown } from '../../fixtures/plans.js';
import type { PrivateSshd } from '../../fixtures/private-sshd.js';

export interface CreatedTargets {
  readonly targets: Targets;
  /** `level message` */
  readonly logLines: string[];
}

/** `ownContainer`: the container in which the daemon runs. */
export function createTargets(
  servers: readonly RemoteTarget[],
  ownContainer: string | null = null,
): CreatedTargets {
  const logLines: string[] = [];
  const log = loggerTo('remote', systemClock, ({ level, message }) => logLines.push(`${level} ${message}`));
  const network = {
    attempt,
    links: runningLinks,
    gateways: gatewaysOf,
    nowMs: () => performance.now(),
    setTimer,
  };
  const targets = new Targets(
    { servers: [...servers] },
    {
      log,
      addresses: new HostAddresses(systemLookups(), log),
      knownHosts: new KnownHosts(log),
      keys: new PrivateKeys(),
      ownContainer,
      off: new OffWatches({ ...network, wentOff: () => undefined }),
      looks: { ...network, ownAddressTo },
    },
  );
  return { targets, logLines };
}

/** Limits for a busy machine; a test whose server uses one up sets its own. */
const patienceSeconds = 20;

export const accessTo = (sshd: PrivateSshd, other: Partial<RemoteTarget> = {}): RemoteTarget => ({
  server: 'nas',
  host: '127.0.0.1',
  port: sshd.port,
  user: sshd.user,
  privateKey: sshd.privateKey,
  keyTrouble: null,
  knownHostsFile: sshd.knownHosts,
  hostKeyPolicy: 'accept-new',
  connectTimeoutMs: patienceSeconds * 1000,
  offCheck: notWatched,
  ...other,
});

export const workOn = (other: Partial<RemoteWork> = {}): RemoteWork => ({
  server: 'nas',
  host: '127.0.0.1',
  port: 22,
  user: 'root',
  useSudo: false,
  connectTimeoutSeconds: patienceSeconds,
  actions: [],
  final: 'shutdown -h now',
  commandTimeoutSeconds: patienceSeconds,
  ...other,
});

export const commandAction = (command: string, timeoutSeconds = 5): PreShutdownAction =>
  preShutdown('command', { command, timeoutSeconds });

/** As in the plan: connect, actions, final command, and a margin. */
export function budgetOf(work: RemoteWork, marginSeconds = 10): number {
  const actions = work.actions.reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0);
  return (work.connectTimeoutSeconds + actions + work.commandTimeoutSeconds + marginSeconds) * 1000;
}

/** Shuts the server down and returns the result. */
export function shutDown(
  servers: RemoteTarget,
  work: RemoteWork,
  marginSeconds?: number,
): Promise<TargetOutcome> {
  return createTargets([servers]).targets.shutDown(work, budgetOf(work, marginSeconds));
}
