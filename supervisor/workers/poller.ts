// One poller per UPS: starts, reconfigures and stops pollers as the configuration says, without disturbing the others.
import type { PollerSettings, UpsPolled } from '../../shared/protocol/poller.js';
import { pollerContract } from '../../shared/protocol/poller.js';
import type { Configuration, UpsConfiguration } from '../config/configuration/configuration.js';
import type { CutOutput } from '../sequence/phases/ups-output.js';
import type { Supervision } from '../supervision/supervision.js';
import type { StartPriority, WorkerHandle } from '../supervision/worker-spec.js';
import type { ManagedWorker } from './managed-worker.js';
import { workerSpec } from './managed-worker.js';
import type { Place } from './poller-placement.js';
import { placeFor } from './poller-placement.js';

/**
 * The maximum backoff of a crashing poller. With the usual 30 s, a few crashes would leave a UPS on battery unseen for
 * longer than the failsafe delay (15 s) and shut a healthy host down.
 */
const maxBackoffMs = 2_000;

export function pollerSettings(
  { nut }: Configuration,
  { policy, address, control, output }: UpsConfiguration,
): PollerSettings {
  return {
    name: policy.name,
    groupId: policy.groupId,
    ups: address.ups,
    host: address.host,
    port: address.port,
    transport: policy.transport,
    checkIntervalMs: policy.checkIntervalMs,
    pollDeadlineMs: policy.pollDeadlineMs,
    tls: { mode: nut.tls, caPem: nut.caPem, pinSha256: nut.pinSha256 },
    control:
      control === null
        ? null
        : {
            ...control,
            allowedCommands: [...control.allowedCommands],
            allowedVariables: [...control.allowedVariables],
          },
    output,
  };
}

function pollerName(groupId: string): string {
  return `poller:${groupId}`;
}

type IsOnBattery = (groupId: string) => boolean;

interface Poller {
  readonly place: Place;
  readonly handle: WorkerHandle<typeof pollerContract>;
}

export class Pollers implements ManagedWorker {
  readonly label = 'pollers';
  readonly #supervision: Supervision;
  readonly #polled: (groupId: string, poll: UpsPolled) => void;
  readonly #isOnBattery: IsOnBattery;
  readonly #byUps = new Map<string, Poller>();
  /** UPSes whose poller is stopping: its name is not free yet. */
  readonly #ending = new Set<string>();
  #configuration: Configuration | undefined;

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
   * Starts, reconfigures and stops pollers to match `configuration`. The poller of a UPS that stays keeps its thread
   * and goes on polling.
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
        running.handle.reconfigure(pollerSettings(configuration, ups));
        continue;
      }
      const occupied = [...this.#byUps.values()].map((poller) => poller.place);
      const place = placeFor(occupied, ups.policy.isLocal, configuration.nut.maxPollers);
      const { net: user } = configuration.supervisor.workerUsers;
      const spec = workerSpec(pollerContract, {
        name: pollerName(groupId),
        hosting: { kind: 'thread', ...place, entry: 'poller', user },
        maxBackoffMs,
        startPriority: () => this.#startPriority(groupId),
        settings: pollerSettings(configuration, ups),
        onEvent: { 'ups.polled': (poll) => this.#polled(groupId, poll) },
        serve: {},
      });
      const handle = this.#supervision.start(spec);
      this.#byUps.set(groupId, { place, handle });
    }
  }

  /** Cuts the output of the UPS, as configured; settles within `deadlineMs`. */
  cutOutput(groupId: string, deadlineMs: number): ReturnType<CutOutput> {
    const poller = this.#byUps.get(groupId);
    if (poller !== undefined) return poller.handle.request('output.off', {}, deadlineMs);
    const message = 'the UPS is not configured any more';
    return Promise.resolve({ ok: false, error: { code: 'NOT_FOUND', message } });
  }

  /** Evaluated at each start: whether the UPS is on battery or feeds this host may have changed. */
  #startPriority(groupId: string): StartPriority {
    const ups = this.#configuration?.ups.find(({ policy }) => policy.groupId === groupId);
    return ups === undefined ? 2 : startPriorityOf(ups, this.#isOnBattery);
  }

  #end(groupId: string, handle: Poller['handle']): void {
    this.#byUps.delete(groupId);
    this.#ending.add(groupId);
    void handle.stop().then(() => {
      this.#ending.delete(groupId);
      if (this.#configuration !== undefined) this.apply(this.#configuration);
    });
  }

  /** The poller of a UPS; undefined for none. */
  of(groupId: string): Poller['handle'] | undefined {
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

/**
 * Those that feed this host first: they get their own threads in a fleet of any size. Then those on battery: a daemon
 * that restarts in an outage must see them before the failsafe delay has passed.
 */
function inOrder({ ups }: Configuration, isOnBattery: IsOnBattery): readonly UpsConfiguration[] {
  return [...ups].sort((a, b) => startPriorityOf(a, isOnBattery) - startPriorityOf(b, isOnBattery));
}

function startPriorityOf({ policy }: UpsConfiguration, isOnBattery: IsOnBattery): StartPriority {
  return policy.isLocal ? 0 : isOnBattery(policy.groupId) ? 1 : 2;
}
