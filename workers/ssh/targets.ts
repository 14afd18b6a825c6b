// The servers this worker knows, and the work under way on them: any number at once, none of which waits for another.
import type { RemoteWork } from '../../shared/domain/plan.js';
import type { RemoteSlice, SshAccess, TargetOutcome } from '../../shared/protocol/remote.js';
import { checkTarget } from './check-target.js';
import { outcomeOf } from './outcome.js';
import type { ShutdownGround } from './shutdown-target.js';
import { TargetShutdown } from './shutdown-target.js';

export class Targets {
  readonly #ground: ShutdownGround;
  #servers: ReadonlyMap<string, SshAccess> = new Map();
  readonly #running = new Set<TargetShutdown>();

  constructor(slice: RemoteSlice, ground: ShutdownGround) {
    this.#ground = ground;
    this.configure(slice);
  }

  /** Work under way goes on as it was begun. */
  configure({ servers }: RemoteSlice): void {
    this.#servers = new Map(servers.map((access) => [access.server, access]));
    this.#ground.addresses.watch(servers.map(({ host }) => host));
    // What can be done ahead of need: keys are parsed, host keys are in memory.
    for (const { privateKey } of servers) if (privateKey !== null) this.#ground.keys.usable(privateKey);
    this.#readHostKeys();
  }

  /** Names and host keys anew. Nobody waits for it. */
  refresh(): void {
    this.#ground.addresses.refresh();
    this.#readHostKeys();
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

  #readHostKeys(): void {
    const files = new Set([...this.#servers.values()].map(({ knownHostsFile }) => knownHostsFile));
    for (const file of files) void this.#ground.knownHosts.refresh(file);
  }
}

function stranger(server: string): TargetOutcome {
  const detail = `no server of the name ${server} is configured`;
  const step = { what: 'connect', result: 'failed', durationMs: 0, detail } as const;
  return outcomeOf([step], { delivered: false, failure: 'failed' });
}
