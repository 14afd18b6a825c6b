// The configured servers and the work under way on them: any number in parallel, independent of each other.
import type { RemoteWork } from '../../shared/domain/actions/remote-work.js';
import type { EventBody, Outcome } from '../../shared/protocol/contract.js';
import { failureOf } from '../../shared/protocol/contract.js';
import type {
  GuestAnswer,
  GuestOrder,
  LookRound,
  RemoteSettings,
  RemoteTarget,
  SshAccess,
  TargetCheck,
  TargetOutcome,
  remoteContract,
} from '../../shared/protocol/remote.js';
import { checkTarget } from '../ssh/check-target.js';
import { unresolvedName, unusableKey } from '../ssh/open-session.js';
import { outcomeOf } from '../ssh/outcome.js';
import type { SshSession } from '../ssh/session.js';
import type { StoppedGuest } from '../../shared/domain/recovery/guest.js';
import type { Logger } from '../../shared/runtime/log.js';
import { FoundGuests } from './found-guests.js';
import { GuestSessions } from './guest-sessions.js';
import { Logins } from './logins.js';
import type { LookDependencies } from './looks.js';
import { lookAt } from './looks.js';
import { ownAddressTo } from '../ssh/own-network.js';
import type { OffOutcome, OffWatches } from './off/watches.js';
import type { ShutdownDependencies } from './target-shutdown.js';
import { TargetShutdown } from './target-shutdown.js';

/** Errors of the servers that are known before a login. */
export type KnownServers = EventBody<typeof remoteContract, 'servers.known'>['servers'];

/** Longest message of the SSH library about a key, with its prefix. */
const maxTroubleLength = 512;

export interface TargetsDependencies extends ShutdownDependencies {
  readonly off: OffWatches;
  readonly looks: LookDependencies;
  readonly log: Logger;
}

export class Targets {
  readonly #deps: TargetsDependencies;
  readonly #report: (known: KnownServers) => void;
  readonly #logins: Logins;
  readonly #guests: GuestSessions;
  #reported = '';
  #servers: ReadonlyMap<string, RemoteTarget> = new Map();
  /** With its server; null for a step without a final command, which takes no early login. */
  readonly #running = new Map<TargetShutdown, string | null>();

  /** `report` gets the known errors after each change. */
  constructor(
    settings: RemoteSettings,
    deps: TargetsDependencies,
    report: (known: KnownServers) => void = () => undefined,
  ) {
    this.#deps = deps;
    this.#report = report;
    this.#guests = new GuestSessions(deps);
    this.#logins = new Logins(deps, {
      expected: (target) => void this.#expected(target),
      answered: (target, session) => this.#answered(target, session),
      failed: ({ server }) => deps.off.forget([server]),
    });
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

  /** `report` gets what the actions find running, before they end. */
  async shutDown(
    work: RemoteWork,
    budgetMs: number,
    report: (guests: readonly StoppedGuest[]) => void = () => undefined,
  ): Promise<TargetOutcome> {
    const access = this.#servers.get(work.server);
    if (access === undefined) return unknownServer(work.server);
    const { off } = this.#deps;
    const { log, looks } = this.#deps;
    const warn = (problem: string): void => log.warning(`${work.server}: ${problem}`);
    const observer = {
      found: new FoundGuests({ report, warn, setTimer: looks.setTimer }),
      answered: (session: SshSession) => this.#answered(access, session),
      commanded: () => off.commanded(work.server, access.offCheck),
    };
    const shutdown = new TargetShutdown(work, access, { deps: this.#deps, observer }, budgetMs);
    // A step of a host delegate has no final command: the early login is for the step that has.
    const server = work.final === null ? null : work.server;
    // Such as a try of a sequence that is over: no server is commanded twice side by side.
    for (const [older, other] of this.#running) if (other !== null && other === server) older.abandon();
    this.#running.set(shutdown, server);
    const outcome = await shutdown.run(server === null ? undefined : this.#logins.take(server));
    this.#running.delete(shutdown);
    return outcome;
  }

  /** Logs in to the servers of a sequence, in their order. A server whose command has begun logs in by itself. */
  beginLogins(servers: readonly string[], atOnce: number, holdMs: number): void {
    const begun = new Set(this.#running.values());
    const targets = servers.flatMap((server) => (begun.has(server) ? [] : (this.#servers.get(server) ?? [])));
    this.#logins.begin(targets, atOnce, holdMs);
  }

  endLogins(servers: readonly string[]): void {
    this.#logins.end(servers);
    this.#deps.off.forget(servers);
  }

  /** Settles when the server is off, at the latest after `budgetMs`. */
  async untilOff(server: string, commandedAgoMs: number, budgetMs: number): Promise<OffOutcome> {
    const { off } = this.#deps;
    const access = this.#servers.get(server);
    const endMs = performance.now() + budgetMs;
    if (!off.knows(server) && access !== undefined) {
      // A restarted worker: the supervisor knows that the server answered and has its command.
      const addresses = await this.#deps.addresses.find(access.host, budgetMs);
      // Of several it is not known which one answered; the silence of another says nothing.
      const remote = addresses.length === 1 ? addresses[0] : undefined;
      const local = remote === undefined ? null : await ownAddressTo(remote);
      if (remote !== undefined && local !== null) {
        off.answered(server, access.offCheck, access.port, { local, remote });
        off.commanded(server, access.offCheck, commandedAgoMs);
      }
    }
    return off.untilOff(server, Math.max(0, endMs - performance.now()));
  }

  /** A witness of the network even before its login has ended. */
  async #expected({ server, host, offCheck, port }: RemoteTarget): Promise<void> {
    const [remote] = await this.#deps.addresses.find(host, 0);
    const local = remote === undefined ? null : await ownAddressTo(remote);
    if (remote !== undefined && local !== null)
      this.#deps.off.expected(server, offCheck, port, { local, remote });
  }

  #answered({ server, offCheck, port }: RemoteTarget, session: SshSession): void {
    if (session.ends !== null) this.#deps.off.answered(server, offCheck, port, session.ends);
  }

  /** `guests.look`. Of a server that is not configured any more nothing is known. */
  lookAtGuests(server: string, order: GuestOrder): Promise<Outcome<readonly GuestAnswer[]>> {
    const target = this.#servers.get(server);
    return target === undefined
      ? Promise.resolve(failureOf('NOT_FOUND', `no server ${server} is configured`))
      : this.#guests.look(target, order);
  }

  startGuests(server: string, order: GuestOrder): Promise<Outcome<readonly GuestAnswer[]>> {
    return this.#guests.start(server, order);
  }

  endGuests(servers: readonly string[]): void {
    this.#guests.end(servers);
  }

  /** Asks each server once, apart from the watches of a sequence. Names were looked up before. */
  look(servers: readonly string[], withinMs: number): Promise<LookRound> {
    const asked = servers.map((server) => {
      const target = this.#servers.get(server);
      const addresses = target === undefined ? [] : this.#deps.addresses.lastAddresses(target.host);
      return { server, check: target?.offCheck ?? null, addresses };
    });
    return lookAt(asked, withinMs, this.#deps.looks);
  }

  async check(work: RemoteWork, budgetMs: number, wakeMac: string | null): Promise<TargetCheck> {
    const access = this.#servers.get(work.server);
    return access === undefined
      ? { ...unknownServer(work.server), wayBack: null }
      : checkTarget(work, access, this.#deps, budgetMs, wakeMac);
  }

  end(): void {
    this.#logins.end();
    this.#guests.end();
    this.#deps.off.end();
    for (const shutdown of this.#running.keys()) shutdown.abandon();
  }

  #reportKnown(): void {
    const known = [...this.#servers.values()].flatMap((access) => {
      const trouble = this.#troubleOf(access);
      return trouble === undefined ? [] : [{ server: access.server, host: access.host, trouble }];
    });
    const text = JSON.stringify(known);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#report(known);
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

function unknownServer(server: string): TargetOutcome {
  const detail = `no server ${server} is configured`;
  const step = { what: 'connect', result: 'failed', durationMs: 0, detail } as const;
  return outcomeOf([step], { delivered: false, sent: false, maybeSent: false, failure: 'failed' });
}
