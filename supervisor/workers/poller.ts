// One poller per UPS: starts, reconfigures and stops pollers as the configuration says, without disturbing the others.
import type { PollReport, PollerSettings, UpsPolled } from '../../shared/protocol/poller.js';
import { pollerContract } from '../../shared/protocol/poller.js';
import type { NumberedReading } from '../../shared/protocol/reading-change.js';
import { applyChange } from '../../shared/protocol/reading-change.js';
import type { Configuration, UpsConfiguration } from '../config/configuration/configuration.js';
import { feedsHost } from '../config/derive/host-feed.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { SetFsd } from '../sequence/phases/nut-secondaries.js';
import type { CutOutput } from '../sequence/phases/ups-output.js';
import type { Supervision } from '../supervision/supervision.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';
import type { ManagedWorker } from './managed-worker.js';
import { workerSpec } from './managed-worker.js';

/** One process takes as many UPSes as a core polls every second with three quarters of it to spare. */
const upsesPerProcess = 250;
/** A process adds its pollers one after the other; one that hangs meanwhile is silent. */
const startDeadlineMs = 60_000;

/**
 * The maximum backoff of a crashing poller. With the usual 30 s, a few crashes would leave a UPS on battery unseen for
 * longer than the failsafe delay (15 s) and shut a healthy host down.
 */
const maxBackoffMs = 2_000;

/** Polls of one moment share the wakes of all processes on their way; more than these would make each other late. */
const upsesPerMoment = 50;
const momentEveryMs = 50;

/** UPSes that feed this host have the first moment of the interval for themselves: nothing is before them on the way. */
function pollOffsetMs(configuration: Configuration, ups: UpsConfiguration): number {
  if (feedsHost(configuration, ups)) return 0;
  const others = Math.max(1, Math.floor(ups.policy.checkIntervalMs / momentEveryMs) - 1);
  return (1 + (Math.floor(configuration.ups.indexOf(ups) / upsesPerMoment) % others)) * momentEveryMs;
}

export function pollerSettings(
  configuration: Configuration,
  ups: UpsConfiguration,
  isLoginHeld = true,
): PollerSettings {
  const { nut } = configuration;
  const { policy, address, readLogin, role, control, output, selfTest } = ups;
  return {
    name: policy.name,
    groupId: policy.groupId,
    ups: address.ups,
    host: address.host,
    port: address.port,
    transport: policy.transport,
    checkIntervalMs: policy.checkIntervalMs,
    pollOffsetMs: pollOffsetMs(configuration, ups),
    pollDeadlineMs: policy.pollDeadlineMs,
    tls: { mode: nut.tls, caPem: nut.caPem, pinSha256: nut.pinSha256, client: nut.client },
    readLogin,
    sharesConnection: nut.connections === 'per_server',
    control:
      control === null
        ? null
        : {
            ...control,
            allowedCommands: [...control.allowedCommands],
            allowedVariables: [...control.allowedVariables],
          },
    selfTest: selfTest.login === null ? null : { ...selfTest.login, command: selfTest.command },
    output,
    role: role === null || readLogin === null ? null : { kind: role, ...readLogin, isHeld: isLoginHeld },
  };
}

function pollerName(groupId: string): string {
  return `poller:${groupId}`;
}

type IsOnBattery = (groupId: string) => boolean;

interface PollerLink {
  readonly process: string;
  /** The last reading, to which the next one is the difference. */
  last: NumberedReading | null;
  readonly handle: WorkerHandle<typeof pollerContract>;
}

export class Pollers implements ManagedWorker {
  readonly label = 'pollers';
  readonly #supervision: Supervision;
  readonly #polled: (groupId: string, poll: UpsPolled) => void;
  readonly #isOnBattery: IsOnBattery;
  readonly #byUps = new Map<string, PollerLink>();
  /** UPSes whose poller is stopping: its name is not free yet. */
  readonly #ending = new Set<string>();
  #configuration: Configuration | undefined;
  /** By UPS: why the login of its role is not held. */
  readonly #loginTrouble = new Map<string, string>();
  /** UPSes at whose servers this host has logged out, until the outage is over. */
  readonly #loggedOut = new Set<string>();

  /** `isOnBattery`: whether the UPS was on battery when it was last seen. */
  constructor(
    supervision: Supervision,
    polled: (groupId: string, poll: UpsPolled) => void,
    isOnBattery: IsOnBattery = () => false,
  ) {
    this.#supervision = supervision;
    this.#polled = polled;
    this.#isOnBattery = isOnBattery;
  }

  /**
   * Starts, reconfigures and stops pollers to match `configuration`. The poller of a UPS that stays goes on
   * polling.
   */
  apply(configuration: Configuration): void {
    this.#configuration = configuration;
    const wanted = new Map(inOrder(configuration, this.#isOnBattery).map((ups) => [ups.policy.groupId, ups]));
    for (const [groupId, { handle }] of this.#byUps) {
      if (!wanted.has(groupId)) this.#end(groupId, handle);
    }
    for (const [groupId, ups] of wanted) {
      // Its old poller is stopping; a new one starts after that.
      if (this.#ending.has(groupId)) continue;
      const running = this.#byUps.get(groupId);
      if (running !== undefined) {
        running.handle.reconfigure(this.#settingsOf(configuration, ups));
        continue;
      }
      const process = this.#processFor(ups, configuration);
      const { net: user } = configuration.supervisor.workerUsers;
      const spec = workerSpec(pollerContract, {
        name: pollerName(groupId),
        hosting: { kind: 'member', process, user },
        silenceMs: Infinity,
        startDeadlineMs,
        maxBackoffMs,
        settings: this.#settingsOf(configuration, ups),
        onEvent: {
          'ups.polled': (report) => this.#reported(groupId, report),
          'login.changed': ({ isHeld, why }) => {
            if (isHeld) this.#loginTrouble.delete(groupId);
            else this.#loginTrouble.set(groupId, why);
          },
        },
        asks: {},
      });
      const handle = this.#supervision.start(spec);
      this.#byUps.set(groupId, { process, handle, last: null });
    }
  }

  #reported(groupId: string, { outcome, ...times }: PollReport): void {
    if (outcome.kind === 'failed') {
      this.#polled(groupId, { ...times, outcome });
      return;
    }
    const poller = this.#byUps.get(groupId);
    if (poller === undefined) return;
    poller.last = applyChange(poller.last, outcome.change);
    // A difference to a reading that is not here is no reading.
    if (poller.last === null) this.#configureAgain(groupId);
    else this.#polled(groupId, { ...times, outcome: { kind: 'reading', ...poller.last } });
  }

  #settingsOf(configuration: Configuration, ups: UpsConfiguration): PollerSettings {
    return pollerSettings(configuration, ups, !this.#loggedOut.has(ups.policy.groupId));
  }

  /** What this host had to do on these UPSes is done: their primaries need not wait for it. Null: on all. */
  logOut(groupIds: readonly string[] | null): void {
    for (const groupId of groupIds ?? this.#byUps.keys()) {
      if (this.#loggedOut.has(groupId)) continue;
      this.#loggedOut.add(groupId);
      if (this.#hasRole(groupId)) this.#configureAgain(groupId);
    }
  }

  /** By UPS with a role: why this host is not logged in; those that have logged out after their work are left out. */
  get loginTrouble(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#loginTrouble].filter(([groupId]) => this.#hasRole(groupId) && !this.#loggedOut.has(groupId)),
    );
  }

  get loggedOut(): ReadonlySet<string> {
    return this.#loggedOut;
  }

  /** The outage is over. */
  logIn(groupId: string): void {
    if (this.#loggedOut.delete(groupId) && this.#hasRole(groupId)) this.#configureAgain(groupId);
  }

  #hasRole(groupId: string): boolean {
    const ups = this.#configuration?.ups.find(({ policy }) => policy.groupId === groupId);
    return ups !== undefined && ups.role !== null;
  }

  /** Settings, even unchanged ones, make the next reading whole. */
  #configureAgain(groupId: string): void {
    const ups = this.#configuration?.ups.find(({ policy }) => policy.groupId === groupId);
    const poller = this.#byUps.get(groupId);
    if (ups !== undefined && this.#configuration !== undefined)
      poller?.handle.reconfigure(this.#settingsOf(this.#configuration, ups));
  }

  /** Cuts the output of the UPS, as configured; settles within `deadlineMs`. */
  cutOutput(groupId: string, deadlineMs: number): ReturnType<CutOutput> {
    const poller = this.#byUps.get(groupId);
    if (poller !== undefined) return poller.handle.request('output.off', {}, deadlineMs);
    return notConfigured();
  }

  /** Sets FSD at the server of the UPS; settles within `deadlineMs`. */
  setFsd(groupId: string, hostsyncMs: number, deadlineMs: number): ReturnType<SetFsd> {
    const poller = this.#byUps.get(groupId);
    if (poller !== undefined) return poller.handle.request('fsd.set', { hostsyncMs }, deadlineMs);
    return notConfigured();
  }

  /**
   * UPSes that feed this host have a process of their own. The others share one, a further one for each 250, at most
   * `maxPollers`. UPSes that share a connection share a process. A running poller never moves.
   */
  #processFor(ups: UpsConfiguration, configuration: Configuration): string {
    const { ups: all, nut } = configuration;
    const group =
      nut.connections === 'per_server' ? all.filter((one) => serverOf(one) === serverOf(ups)) : [ups];
    if (group.some((one) => feedsHost(configuration, one))) return 'nut-local';
    const running = group.map(({ policy }) => this.#byUps.get(policy.groupId)?.process);
    const shared = running.find((process) => process !== undefined && process !== 'nut-local');
    if (shared !== undefined) return shared;
    const processes = Array.from({ length: nut.maxPollers }, (_, index) => `nut-${String(index + 1)}`);
    const counts = processes.map(
      (name) => [...this.#byUps.values()].filter((poller) => poller.process === name).length,
    );
    const free = counts.findIndex((count) => count < upsesPerProcess);
    return processes[free === -1 ? counts.indexOf(Math.min(...counts)) : free] ?? '';
  }

  #end(groupId: string, handle: PollerLink['handle']): void {
    this.#loginTrouble.delete(groupId);
    this.#byUps.delete(groupId);
    this.#ending.add(groupId);
    void handle.stop().then(() => {
      this.#ending.delete(groupId);
      if (this.#configuration !== undefined) this.apply(this.#configuration);
    });
  }

  /** The poller of a UPS; undefined for none. */
  of(groupId: string): PollerLink['handle'] | undefined {
    return this.#byUps.get(groupId)?.handle;
  }

  /** Pollers that are stopping and start again afterwards: their UPS was configured again. */
  get restarting(): readonly string[] {
    const wanted = this.#configuration?.ups.map(({ policy }) => policy.groupId) ?? [];
    return wanted.filter((groupId) => this.#ending.has(groupId)).map(pollerName);
  }

  get names(): readonly string[] {
    return [...this.#byUps.keys()].map(pollerName);
  }
}

function notConfigured(): Promise<Outcome<never>> {
  const message = 'the UPS is no longer configured';
  return Promise.resolve({ ok: false, error: { code: 'NOT_FOUND', message } });
}

const serverOf = ({ address }: UpsConfiguration): string => `${address.host} ${String(address.port)}`;

/**
 * Those that feed this host first. Then those on battery: a daemon that restarts in an outage must see them before the
 * failsafe delay has passed.
 */
function inOrder(configuration: Configuration, isOnBattery: IsOnBattery): readonly UpsConfiguration[] {
  const rank = (ups: UpsConfiguration): number =>
    feedsHost(configuration, ups) ? 0 : isOnBattery(ups.policy.groupId) ? 1 : 2;
  return [...configuration.ups].sort((a, b) => rank(a) - rank(b));
}
