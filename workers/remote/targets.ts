// The configured servers and the work under way on them: any number in parallel, and none waits for another.
import type { RemoteWork } from '../../shared/domain/plan.js';
import type { EventBody } from '../../shared/protocol/contract.js';
import type { RemoteSlice, SshAccess, TargetOutcome, remoteContract } from '../../shared/protocol/remote.js';
import { checkTarget } from '../ssh/check-target.js';
import { unresolvedName, unusableKey } from '../ssh/opening.js';
import { outcomeOf } from '../ssh/outcome.js';
import type { ShutdownGround } from './shutdown-target.js';
import { TargetShutdown } from './shutdown-target.js';

/** Errors of the servers that are known without a login: the body of `servers.known`. */
export type KnownServers = EventBody<typeof remoteContract, 'servers.known'>;

/** Longest message of the SSH library about a key, with its prefix. */
const longestTrouble = 512;

export class Targets {
  readonly #ground: ShutdownGround;
  readonly #tell: (known: KnownServers) => void;
  #told = '';
  #servers: ReadonlyMap<string, SshAccess> = new Map();
  readonly #running = new Set<TargetShutdown>();

  /** `tell` gets the known errors after each change. */
  constructor(
    slice: RemoteSlice,
    ground: ShutdownGround,
    tell: (known: KnownServers) => void = () => undefined,
  ) {
    this.#ground = ground;
    this.#tell = tell;
    ground.addresses.onAnswer = () => this.#tellKnown();
    this.configure(slice);
  }

  /** Work under way continues with its settings. */
  configure({ servers }: RemoteSlice): void {
    this.#servers = new Map(servers.map((access) => [access.server, access]));
    this.#ground.addresses.watch(servers.map(({ host }) => host));
    // The operator may have corrected a name before the reload.
    this.#ground.addresses.retry();
    // In advance: keys are parsed, host keys are in memory.
    for (const { privateKey } of servers) if (privateKey !== null) this.#ground.keys.usable(privateKey);
    this.#readHostKeys();
    this.#tellKnown();
  }

  /** Looks names up and reads host keys again, in the background. */
  refresh(): void {
    this.#ground.addresses.refresh();
    this.#readHostKeys();
  }

  /** Looks up names that were never resolved, in the background. */
  retry(): void {
    this.#ground.addresses.retry();
  }

  async shutDown(work: RemoteWork, budgetMs: number): Promise<TargetOutcome> {
    const access = this.#servers.get(work.server);
    if (access === undefined) return stranger(work.server);
    const shutdown = new TargetShutdown(work, access, this.#ground, budgetMs);
    this.#running.add(shutdown);
    const outcome = await shutdown.run();
    this.#running.delete(shutdown);
    return outcome;
  }

  async check(work: RemoteWork, budgetMs: number): Promise<TargetOutcome> {
    const access = this.#servers.get(work.server);
    return access === undefined ? stranger(work.server) : checkTarget(work, access, this.#ground, budgetMs);
  }

  end(): void {
    for (const shutdown of this.#running) shutdown.abandon();
  }

  #tellKnown(): void {
    const known = [...this.#servers.values()].flatMap((access) => {
      const trouble = this.#troubleOf(access);
      return trouble === undefined ? [] : [{ server: access.server, host: access.host, trouble }];
    });
    const text = JSON.stringify(known);
    if (text === this.#told) return;
    this.#told = text;
    this.#tell({ servers: known });
  }

  /** Undefined while it is not known. */
  #troubleOf({ server, host, privateKey, keyTrouble }: SshAccess): string | null | undefined {
    const key = privateKey === null ? null : this.#ground.keys.usable(privateKey);
    const trouble =
      key === null ? (keyTrouble ?? 'there is no key') : key.ok ? null : unusableKey(server, key.trouble);
    if (trouble !== null) return trouble.slice(0, longestTrouble);
    const isKnown = this.#ground.addresses.isKnown(host);
    if (isKnown === undefined) return undefined;
    return isKnown ? null : unresolvedName(host).slice(0, longestTrouble);
  }

  #readHostKeys(): void {
    const files = new Set([...this.#servers.values()].map(({ knownHostsFile }) => knownHostsFile));
    for (const file of files) void this.#ground.knownHosts.refresh(file);
  }
}

function stranger(server: string): TargetOutcome {
  const detail = `no server ${server} is configured`;
  const step = { what: 'connect', result: 'failed', durationMs: 0, detail } as const;
  return outcomeOf([step], { delivered: false, failure: 'failed' });
}
