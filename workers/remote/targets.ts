// The configured servers and the work under way on them: any number in parallel, independent of each other.
import type { RemoteWork } from '../../shared/domain/plan.js';
import type { EventBody } from '../../shared/protocol/contract.js';
import type {
  RemoteSettings,
  SshAccess,
  TargetOutcome,
  remoteContract,
} from '../../shared/protocol/remote.js';
import { checkTarget } from '../ssh/check-target.js';
import { unresolvedName, unusableKey } from '../ssh/open-session.js';
import { outcomeOf } from '../ssh/outcome.js';
import type { ShutdownDependencies } from './shutdown-target.js';
import { TargetShutdown } from './shutdown-target.js';

/** Errors of the servers that are known before a login: the body of `servers.known`. */
export type KnownServers = EventBody<typeof remoteContract, 'servers.known'>;

/** Longest message of the SSH library about a key, with its prefix. */
const maxTroubleLength = 512;

export class Targets {
  readonly #deps: ShutdownDependencies;
  readonly #report: (known: KnownServers) => void;
  #reported = '';
  #servers: ReadonlyMap<string, SshAccess> = new Map();
  readonly #running = new Set<TargetShutdown>();

  /** `report` gets the known errors after each change. */
  constructor(
    settings: RemoteSettings,
    deps: ShutdownDependencies,
    report: (known: KnownServers) => void = () => undefined,
  ) {
    this.#deps = deps;
    this.#report = report;
    deps.addresses.onAnswer = () => this.#reportKnown();
    this.configure(settings);
  }

  /** Work under way continues with its settings. */
  configure({ servers }: RemoteSettings): void {
    this.#servers = new Map(servers.map((access) => [access.server, access]));
    this.#deps.addresses.watch(servers.map(({ host }) => host));
    // The operator may have corrected a name before the reload.
    this.#deps.addresses.retry();
    // In advance, so that the keys are parsed and the host keys are in memory.
    for (const { privateKey } of servers) if (privateKey !== null) this.#deps.keys.usable(privateKey);
    this.#readHostKeys();
    this.#reportKnown();
  }

  /** Looks names up and reads host keys again, in the background. */
  refresh(): void {
    this.#deps.addresses.refresh();
    this.#readHostKeys();
  }

  /** Looks up names that were never resolved, in the background. */
  retry(): void {
    this.#deps.addresses.retry();
  }

  async shutDown(work: RemoteWork, budgetMs: number): Promise<TargetOutcome> {
    const access = this.#servers.get(work.server);
    if (access === undefined) return stranger(work.server);
    const shutdown = new TargetShutdown(work, access, this.#deps, budgetMs);
    this.#running.add(shutdown);
    const outcome = await shutdown.run();
    this.#running.delete(shutdown);
    return outcome;
  }

  async check(work: RemoteWork, budgetMs: number): Promise<TargetOutcome> {
    const access = this.#servers.get(work.server);
    return access === undefined ? stranger(work.server) : checkTarget(work, access, this.#deps, budgetMs);
  }

  end(): void {
    for (const shutdown of this.#running) shutdown.abandon();
  }

  #reportKnown(): void {
    const known = [...this.#servers.values()].flatMap((access) => {
      const trouble = this.#troubleOf(access);
      return trouble === undefined ? [] : [{ server: access.server, host: access.host, trouble }];
    });
    const text = JSON.stringify(known);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#report({ servers: known });
  }

  /** Undefined while it is unknown. */
  #troubleOf({ server, host, privateKey, keyTrouble }: SshAccess): string | null | undefined {
    const key = privateKey === null ? null : this.#deps.keys.usable(privateKey);
    const trouble =
      key === null
        ? (keyTrouble ?? 'no key is configured')
        : key.ok
          ? null
          : unusableKey(server, key.trouble);
    if (trouble !== null) return trouble.slice(0, maxTroubleLength);
    const isKnown = this.#deps.addresses.isKnown(host);
    if (isKnown === undefined) return undefined;
    return isKnown ? null : unresolvedName(host).slice(0, maxTroubleLength);
  }

  #readHostKeys(): void {
    const files = new Set([...this.#servers.values()].map(({ knownHostsFile }) => knownHostsFile));
    for (const file of files) void this.#deps.knownHosts.refresh(file);
  }
}

function stranger(server: string): TargetOutcome {
  const detail = `no server ${server} is configured`;
  const step = { what: 'connect', result: 'failed', durationMs: 0, detail } as const;
  return outcomeOf([step], { delivered: false, failure: 'failed' });
}
