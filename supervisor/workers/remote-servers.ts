// The supervisor's side of the worker that logs in to servers: there when there are servers, told of an outage ahead of
// need, and left with the access it has while a sequence runs.
import type { remoteContract } from '../../shared/protocol/remote.js';
import type { EventBody } from '../../shared/protocol/contract.js';
import type { Configuration, RemoteServerConfiguration } from '../config/configuration/configuration.js';
import { remoteSpec } from './worker-specs.js';
import type { ShutDownTarget } from '../sequence/phases/remote-servers.js';
import { remoteSlice } from './worker-settings.js';
import type { Supervision } from '../supervision/supervision.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

type KnownServer = EventBody<typeof remoteContract, 'servers.known'>['servers'][number];

/** Looking names up is begun, not waited for. */
const prepareMs = 5_000;

export class RemoteServers {
  readonly #supervision: Pick<Supervision, 'start'>;
  readonly #sequenceRuns: () => boolean;
  readonly #changed: () => void;
  /** As the worker knows them without a login, by name. It outlives the worker: only a later answer says otherwise. */
  #known: ReadonlyMap<string, KnownServer> = new Map();
  /** Of the configured servers. */
  #names: ReadonlySet<string> = new Set();
  #worker: WorkerHandle<typeof remoteContract> | undefined;
  /** Loaded while a sequence ran, which is to find the servers as it knows them. */
  #next: Configuration | undefined;

  /** `changed`: what is known of the servers has changed. */
  constructor(
    supervision: Pick<Supervision, 'start'>,
    sequenceRuns: () => boolean,
    changed: () => void = () => undefined,
  ) {
    this.#supervision = supervision;
    this.#sequenceRuns = sequenceRuns;
    this.#changed = changed;
  }

  /**
   * Why the daemon cannot log in to the server, known without a login: its key, or a name without any address. Null: neither
   * is known to be wrong. Undefined: the worker has said nothing of it yet.
   */
  troubleOf({ name, host, privateKey, keyWarning }: RemoteServerConfiguration): string | null | undefined {
    if (privateKey === null) return keyWarning ?? 'there is no key to log in with';
    const known = this.#known.get(name);
    return known?.host === host ? known.trouble : undefined;
  }

  /** Of the worker; none when it was never needed. */
  get names(): readonly string[] {
    return this.#worker === undefined ? [] : [this.#worker.name];
  }

  /** Makes a newly loaded configuration the running one, or the next one while a sequence runs. A worker that was needed once stays. */
  apply(configuration: Configuration): void {
    if (this.#sequenceRuns()) {
      this.#next = configuration;
      return;
    }
    this.#next = undefined;
    const slice = remoteSlice(configuration);
    this.#names = new Set(slice.servers.map(({ server }) => server));
    this.#known = new Map([...this.#known].filter(([server]) => this.#names.has(server)));
    if (this.#worker !== undefined) this.#worker.reconfigure(slice);
    else if (slice.servers.length > 0)
      this.#worker = this.#supervision.start(
        remoteSpec(configuration, {
          onEvent: { 'servers.known': ({ servers }) => this.#heard(servers) },
          serve: {},
        }),
      );
  }

  /** A UPS has gone on battery. */
  prepare(): void {
    void this.#worker?.request('prepare', {}, prepareMs);
  }

  readonly shutDown: ShutDownTarget = (work, budgetMs) => this.#ask('target.shutdown', work, budgetMs);

  /** A drill: logs in and asks whether the commands could be run. */
  readonly check: ShutDownTarget = (work, budgetMs) => this.#ask('target.check', work, budgetMs);

  #heard(servers: readonly KnownServer[]): void {
    // A worker that makes names up must not fill this process with them.
    const own = servers.filter(({ server }) => this.#names.has(server));
    this.#known = new Map([...this.#known, ...own.map((one) => [one.server, one] as const)]);
    this.#changed();
  }

  #ask(
    what: 'target.shutdown' | 'target.check',
    ...[work, budgetMs]: Parameters<ShutDownTarget>
  ): ReturnType<ShutDownTarget> {
    if (this.#worker !== undefined) return this.#worker.request(what, { work, budgetMs }, budgetMs);
    const message = 'no server is configured any more';
    return Promise.resolve({ ok: false, error: { code: 'NOT_FOUND', message } });
  }

  /** To be called every 250 ms. */
  tick(): void {
    if (this.#next !== undefined) this.apply(this.#next);
  }
}
