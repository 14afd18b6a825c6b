// The remote worker: logs in to servers and shuts them down. It is prepared for an outage ahead of need, and keeps the
// access it has while a sequence runs.
import { remoteContract } from '../../shared/protocol/remote.js';
import type { RemoteSlice } from '../../shared/protocol/remote.js';
import type { EventBody } from '../../shared/protocol/contract.js';
import type { Configuration, RemoteServerConfiguration } from '../config/configuration/configuration.js';
import { sshAccessOf } from '../config/derive/ssh-access.js';
import type { ShutDownTarget } from '../sequence/phases/remote-servers.js';
import type { Supervision } from '../supervision/supervision.js';
import type { WorkerSpec } from '../supervision/worker-spec.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

type KnownServer = EventBody<typeof remoteContract, 'servers.known'>['servers'][number];

/** Looking names up is begun, not waited for. */
const prepareMs = 5_000;
/**
 * It is back soon, however often it crashes: each server has a deadline, counted in seconds, and the usual backoff would
 * use it up while nothing is wrong any more.
 */
const maxBackoffMs = 2_000;
/** Hundreds of connections at once, each with what a target has said last; still far below what a machine has. */
const memoryLimitMb = 500;

export function remoteSlice(configuration: Configuration): RemoteSlice {
  return { servers: sshAccessOf(configuration) };
}

/** A process of its own: what comes from a server it logs in to must not reach the pollers. */
export function remoteSpec(
  configuration: Configuration,
  onEvent: WorkerSpec<typeof remoteContract>['onEvent'],
): WorkerSpec<typeof remoteContract> {
  return workerSpec(remoteContract, {
    hosting: { kind: 'process', user: configuration.supervisor.workerUsers.ssh },
    memoryLimitMb,
    maxBackoffMs,
    slice: remoteSlice(configuration),
    onEvent,
    serve: {},
  });
}

export class RemoteWorker extends SingleWorker<typeof remoteContract> {
  readonly #sequenceRuns: () => boolean;
  readonly #changed: () => void;
  /** As the worker knows them without a login, by name. It outlives the worker: only a later answer says otherwise. */
  #known: ReadonlyMap<string, KnownServer> = new Map();
  /** Of the configured servers. */
  #configured: ReadonlySet<string> = new Set();
  /** Loaded while a sequence ran, which is to find the servers as it knows them. */
  #next: Configuration | undefined;

  /** `changed`: what is known of the servers has changed. */
  constructor(
    supervision: Pick<Supervision, 'start'>,
    sequenceRuns: () => boolean,
    changed: () => void = () => undefined,
  ) {
    super(remoteContract, supervision);
    this.#sequenceRuns = sequenceRuns;
    this.#changed = changed;
  }

  /**
   * Why the daemon cannot log in to the server, known without a login: its key, or a name without any address. Null: neither
   * is known to be wrong. Undefined: the worker has said nothing of it yet.
   */
  problemOf({ name, host, privateKey, keyWarning }: RemoteServerConfiguration): string | null | undefined {
    if (privateKey === null) return keyWarning ?? 'there is no key to log in with';
    const known = this.#known.get(name);
    return known?.host === host ? known.trouble : undefined;
  }

  /** While a sequence runs, the configuration becomes the next one. */
  apply(configuration: Configuration): void {
    if (this.#sequenceRuns()) {
      this.#next = configuration;
      return;
    }
    this.#next = undefined;
    const spec = remoteSpec(configuration, { 'servers.known': ({ servers }) => this.#heard(servers) });
    this.#configured = new Set(spec.slice.servers.map(({ server }) => server));
    this.#known = new Map([...this.#known].filter(([server]) => this.#configured.has(server)));
    this.configure(spec, spec.slice.servers.length > 0);
  }

  /** A UPS has gone on battery. */
  prepare(): void {
    void this.request('prepare', {}, prepareMs);
  }

  readonly shutDown: ShutDownTarget = (work, budgetMs) => this.#ask('target.shutdown', work, budgetMs);

  /** A drill: logs in and asks whether the commands could be run. */
  readonly check: ShutDownTarget = (work, budgetMs) => this.#ask('target.check', work, budgetMs);

  #heard(servers: readonly KnownServer[]): void {
    // A worker that makes names up must not fill this process with them.
    const own = servers.filter(({ server }) => this.#configured.has(server));
    this.#known = new Map([...this.#known, ...own.map((one) => [one.server, one] as const)]);
    this.#changed();
  }

  #ask(
    what: 'target.shutdown' | 'target.check',
    ...[work, budgetMs]: Parameters<ShutDownTarget>
  ): ReturnType<ShutDownTarget> {
    if (this.isStarted) return this.request(what, { work, budgetMs }, budgetMs);
    const message = 'no server is configured any more';
    return Promise.resolve({ ok: false, error: { code: 'NOT_FOUND', message } });
  }

  tick(): void {
    if (this.#next !== undefined) this.apply(this.#next);
  }
}
