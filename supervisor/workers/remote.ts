// The remote worker: logs in to servers and shuts them down. It prepares when a UPS goes on battery, and keeps its
// configuration while a sequence runs.
import { remoteContract } from '../../shared/protocol/remote.js';
import type {
  GuestAnswer,
  GuestOrder,
  LookRound,
  RemoteSettings,
  TargetCheck,
  TargetOutcome,
  TargetStep,
} from '../../shared/protocol/remote.js';
import type { EventBody, Outcome } from '../../shared/protocol/contract.js';
import { failureOf } from '../../shared/protocol/contract.js';
import type { RemoteWork } from '../../shared/domain/actions/remote-work.js';
import type { StoppedGuest } from '../../shared/domain/recovery/guest.js';
import { maxGuests } from '../../shared/domain/recovery/guest.js';
import type { Plan } from '../../shared/domain/outage/plan.js';
import type { ServerPhase } from '../../shared/domain/outage/server-time.js';
import type { Configuration, RemoteServerConfiguration } from '../config/configuration/configuration.js';
import { remoteServersOf, remoteTargetsOf } from '../config/derive/ssh-access.js';
import type { AwaitOff } from '../sequence/phases/off-waits.js';
import type { ShutDownTarget } from '../sequence/phases/remote-servers.js';
import type { Supervision } from '../supervision/supervision.js';
import type { WorkerSpec } from '../supervision/worker-spec.js';
import { earlyLogins } from './logins.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

type KnownServer = EventBody<typeof remoteContract, 'servers.known'>['servers'][number];

/** Starts name lookups; nothing waits for them. */
const prepareMs = 5_000;
/** For the link, after the time that the worker has for a round of looks. */
const lookMarginMs = 1_000;
/** For the login before the work of a request about guests. */
const loginMarginMs = 60_000;
/** The maximum backoff: each server has a deadline in seconds, which the usual backoff would use up. */
const maxBackoffMs = 2_000;
/**
 * Hundreds of concurrent connections, each with the last output of its target; still far below the memory of a machine.
 */
const memoryLimitMb = 500;

/** What one request may report of a machine: each guest, its name, and that HA keeps it. A worker in other hands sends more. */
const maxFoundOfRun = 3 * maxGuests;

interface Run {
  readonly found: (guests: readonly StoppedGuest[]) => void;
  left: number;
}

type Took = (server: string, phase: ServerPhase, seconds: number) => void;

/** By the step of a target (shared/protocol/remote.ts). */
const measured: Readonly<Partial<Record<string, ServerPhase>>> = {
  connect: 'login',
  'final command': 'command',
};

const noServerFailure = failureOf('NOT_FOUND', 'no server is configured');

export function remoteSettings(configuration: Configuration): RemoteSettings {
  return { servers: remoteTargetsOf(configuration) };
}

/** Its own process: data from a server must not reach the pollers. */
export function remoteSpec(
  configuration: Configuration,
  onEvent: WorkerSpec<typeof remoteContract>['onEvent'],
): WorkerSpec<typeof remoteContract> {
  return workerSpec(remoteContract, {
    hosting: { kind: 'process', user: configuration.supervisor.workerUsers.ssh },
    memoryLimitMb,
    maxBackoffMs,
    settings: remoteSettings(configuration),
    onEvent,
    asks: {},
  });
}

export class RemoteWorker extends SingleWorker<typeof remoteContract> {
  readonly #sequenceRuns: () => boolean;
  readonly #changed: () => void;
  readonly #took: Took;
  /** What the worker has found without a login, by name. It survives the worker until a later answer. */
  #known: ReadonlyMap<string, KnownServer> = new Map();
  /** Names of the configured servers. */
  #configured: ReadonlySet<string> = new Set();
  #wakeMacs: ReadonlyMap<string, string | null> = new Map();
  #pingTrouble: string | null = null;
  /** By group: the servers that its sequence logs in to. */
  readonly #loggedIn = new Map<string, readonly string[]>();
  /** Requests of `target.shutdown` without an answer, by number. */
  readonly #runs = new Map<number, Run>();
  #lastRun = 0;
  /** A configuration loaded while a sequence runs; applied after it. */
  #next: Configuration | undefined;

  /** `changed`: called when `#known` has changed; `took` with every measurement. */
  constructor(
    supervision: Pick<Supervision, 'start'>,
    sequenceRuns: () => boolean,
    changed: () => void = () => undefined,
    took: Took = () => undefined,
  ) {
    super(remoteContract, supervision);
    this.#sequenceRuns = sequenceRuns;
    this.#changed = changed;
    this.#took = took;
  }

  /**
   * Why the daemon cannot log in to the server, as far as is known without a login: its key, or its name has no
   * address. Null: no problem is known. Undefined: the worker has not reported yet.
   */
  problemOf({ name, host, privateKey, keyWarning }: RemoteServerConfiguration): string | null | undefined {
    if (privateKey === null) return keyWarning ?? 'there is no key to log in with';
    const known = this.#known.get(name);
    return known?.host === host ? known.trouble : undefined;
  }

  /** While a sequence runs, the configuration waits. */
  apply(configuration: Configuration): void {
    if (this.#sequenceRuns()) {
      this.#next = configuration;
      return;
    }
    this.#next = undefined;
    const spec = remoteSpec(configuration, {
      'servers.known': ({ servers, pingTrouble }) => {
        this.#pingTrouble = pingTrouble;
        this.#serversKnown(servers);
      },
      'target.off': ({ server, afterMs }) => {
        if (this.isConfigured(server)) this.#took(server, 'off', afterMs / 1000);
      },
      'guests.found': ({ run, guests }) => this.#found(run, guests),
    });
    this.#wakeMacs = new Map(remoteServersOf(configuration).map(({ name, wakeMac }) => [name, wakeMac]));
    this.#configured = new Set(spec.settings.servers.map(({ server }) => server));
    if (spec.settings.servers.length === 0) this.#pingTrouble = null;
    this.#known = new Map([...this.#known].filter(([server]) => this.#configured.has(server)));
    this.configure(spec, spec.settings.servers.length > 0);
  }

  isConfigured(server: string): boolean {
    return this.#configured.has(server);
  }

  /** A UPS has gone on battery. */
  prepare(): void {
    void this.request('prepare', {}, prepareMs);
  }

  /** Why `off_check = "ping"` cannot work here; null: no reason is known. */
  get pingTrouble(): string | null {
    return this.#pingTrouble;
  }

  /** A sequence has started: the logins begin, so that each command is one round trip when its turn comes. */
  sequenceStarted(plan: Plan | undefined): void {
    if (plan === undefined || plan.dryRun || !this.isStarted) return;
    const { servers, atOnce } = earlyLogins(plan);
    if (servers.length === 0) return;
    this.#loggedIn.set(plan.group, servers);
    const holdMs = plan.boundSeconds * 1000;
    void this.request('logins.begin', { servers: [...servers], atOnce, holdMs }, prepareMs);
  }

  sequenceEnded(group: string): void {
    const servers = this.#loggedIn.get(group);
    if (servers === undefined) return;
    this.#loggedIn.delete(group);
    void this.request('logins.end', { servers: [...servers] }, prepareMs);
  }

  readonly shutDown: ShutDownTarget = (work, budgetMs, found) => {
    if (!this.isStarted) return Promise.resolve(noServerFailure);
    this.#lastRun += 1;
    const run = this.#lastRun;
    this.#runs.set(run, { found, left: maxFoundOfRun });
    const outcome = this.request('target.shutdown', { work, budgetMs, run }, budgetMs);
    return this.#measured(work, outcome, false).finally(() => this.#runs.delete(run));
  };

  readonly awaitOff: AwaitOff = (server, commandedAgoMs, budgetMs) =>
    this.isStarted
      ? this.request('target.awaitOff', { server, commandedAgoMs, budgetMs }, budgetMs)
      : Promise.resolve(noServerFailure);

  /** For a drill: logs in and checks whether the commands could be run. */
  check(work: RemoteWork, budgetMs: number): Promise<Outcome<TargetCheck>> {
    const wakeMac = this.#wakeMacs.get(work.server) ?? null;
    return this.isStarted
      ? this.#measured(work, this.request('target.check', { work, budgetMs, wakeMac }, budgetMs), true)
      : Promise.resolve(noServerFailure);
  }

  /** What became of guests that were stopped on the server. Never rejects. */
  lookAtGuests(server: string, order: GuestOrder): Promise<Outcome<readonly GuestAnswer[]>> {
    return this.#askAboutGuests('guests.look', server, order);
  }

  /** Starts guests over the login of a look before. Never rejects. */
  startGuests(server: string, order: GuestOrder): Promise<Outcome<readonly GuestAnswer[]>> {
    return this.#askAboutGuests('guests.start', server, order);
  }

  /** Nothing more is started on it. */
  endGuests(server: string): void {
    void this.request('guests.end', { servers: [server] }, prepareMs);
  }

  async #askAboutGuests(
    what: 'guests.look' | 'guests.start',
    server: string,
    order: GuestOrder,
  ): Promise<Outcome<readonly GuestAnswer[]>> {
    if (!this.isStarted) return noServerFailure;
    const outcome = await this.request(what, { server, order }, order.budgetMs + loginMarginMs);
    if (!outcome.ok) return outcome;
    // A compromised worker must not speak of guests that nobody asked for.
    return { ok: true, value: outcome.value.answers.filter(({ place }) => place < order.guests.length) };
  }

  /** Asks each server once whether it is up, without a login. Never rejects. */
  look(servers: readonly string[], withinMs: number): Promise<Outcome<LookRound>> {
    return this.isStarted
      ? this.request('looks', { servers, withinMs }, withinMs + lookMarginMs)
      : Promise.resolve(noServerFailure);
  }

  #serversKnown(servers: readonly KnownServer[]): void {
    // A compromised worker must not fill this process with invented names.
    const own = servers.filter(({ server }) => this.isConfigured(server));
    this.#known = new Map([...this.#known, ...own.map((one) => [one.server, one] as const)]);
    this.#changed();
  }

  /** A request that has its answer reports nothing. */
  #found(number: number, guests: readonly StoppedGuest[]): void {
    const run = this.#runs.get(number);
    if (run === undefined || run.left < guests.length) return;
    run.left -= guests.length;
    run.found(guests);
  }

  async #measured<T extends TargetOutcome>(
    { server }: RemoteWork,
    outcome: Promise<Outcome<T>>,
    isDrill: boolean,
  ): Promise<Outcome<T>> {
    const ended = await outcome;
    if (ended.ok) this.#measure(server, ended.value.steps, isDrill);
    return ended;
  }

  /** A drill only checks the final command. */
  #measure(server: string, steps: readonly TargetStep[], isDrill: boolean): void {
    for (const { what, result, durationMs } of steps) {
      const phase = measured[what];
      if (phase !== undefined && result === 'ok' && !(isDrill && phase === 'command'))
        this.#took(server, phase, durationMs / 1000);
    }
  }

  tick(): void {
    if (this.#next !== undefined) this.apply(this.#next);
  }
}
