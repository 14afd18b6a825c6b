// Which commanded servers are off. Asks all of them once a second, in rounds, and with them what shares their network;
// silence.ts judges. Nothing here delays a command.
import type { OffCheck } from '../../../shared/protocol/remote.js';
import type { Asked, OffAttempt, TryEnd } from './attempt.js';
import { discardPort, lateMs, tryMs } from './attempt.js';
import { plainAddress } from '../../ssh/own-network.js';
import type { Peer, PeerState } from './silence.js';
import { initialPeer, isOff, judgePeers } from './silence.js';

/** Servers that are not commanded yet are asked this rarely while everything answers: their sshd logs each try. */
const restRounds = 5;

/** The two ends of a connection to a server that has answered. */
export interface Ends {
  readonly local: string;
  readonly remote: string;
}

export type OffOutcome =
  | { readonly off: true; readonly afterMs: number }
  /** `reason` says what the server did instead. */
  | { readonly off: false; readonly reason: string };

export interface WatchDependencies {
  readonly attempt: OffAttempt;
  /** By own address: the interface that has it and its carrier. */
  readonly links: () => ReadonlyMap<string, string>;
  readonly gateways: (link: string) => readonly string[];
  readonly nowMs: () => number;
  readonly setTimer: (ms: number, then: () => void) => () => void;
  /** A server counts as off. */
  readonly wentOff: (server: string, afterMs: number) => void;
}

interface Watched extends Asked {
  readonly order: string;
  readonly local: string;
  readonly link: string;
  state: PeerState;
  /** Null: a server that is not commanded, or a gateway. */
  command: Command | null;
}

interface Command {
  readonly atMs: number;
  readonly check: OffCheck;
  readonly waiting: Set<(outcome: OffOutcome) => void>;
}

export class OffWatches {
  readonly #deps: WatchDependencies;
  /** By the name of a server, or by link and address of a gateway. */
  readonly #peers = new Map<string, Watched>();
  /** Of servers that are not asked any more. */
  readonly #outcomes = new Map<string, OffOutcome>();
  #round = 0;
  #cancelRound: (() => void) | undefined;

  constructor(deps: WatchDependencies) {
    this.#deps = deps;
  }

  /** Its login is due or under way: it is taken to answer until the login fails. */
  expected(server: string, check: OffCheck, sshPort: number, ends: Ends): void {
    if (!this.#peers.has(server)) this.answered(server, check, sshPort, ends);
  }

  /** The server has answered a login: from now on its silence means something. */
  answered(server: string, check: OffCheck, sshPort: number, { local, remote }: Ends): void {
    const { method, port, order } = check;
    const link = this.#deps.links().get(plainAddress(local));
    const known = this.#peers.get(server);
    const isCommanded = known !== undefined && known.command !== null;
    // It lives: that it was off in an earlier shutdown is past.
    this.#outcomes.delete(server);
    if (method === 'none' || link === undefined || isCommanded) return;
    const asked = { method, address: remote, port };
    const isAnswer = method === 'tcp' && port === sshPort;
    const peer = { ...asked, order, local, link, state: initialPeer(isAnswer), command: null };
    this.#peers.set(server, peer);
    if (!isAnswer) this.#tryOnce(peer);
    for (const address of this.#deps.gateways(link)) this.#addGateway(address, peer);
  }

  /** The server has its final command, since `agoMs`. That of another shutdown replaces the one before. */
  commanded(server: string, check: OffCheck, agoMs = 0): void {
    const peer = this.#peers.get(server);
    if (peer === undefined) return;
    const waiting = peer.command?.waiting ?? new Set();
    peer.command = { atMs: this.#deps.nowMs() - agoMs, check, waiting };
    if (this.#cancelRound === undefined) this.#begin();
  }

  /** False after a restart of this worker: it does not know where the server answered. */
  knows(server: string): boolean {
    return this.#outcomes.has(server) || (this.#peers.get(server)?.command ?? null) !== null;
  }

  /** Settles when the server is off, at the latest after `budgetMs`. */
  untilOff(server: string, budgetMs: number): Promise<OffOutcome> {
    const known = this.#outcomes.get(server);
    if (known !== undefined) return Promise.resolve(known);
    const peer = this.#peers.get(server);
    const command = peer?.command ?? null;
    if (peer === undefined || command === null)
      // Its time counts all the same: what follows must not come while it shuts down.
      return new Promise((resolve) => {
        this.#deps.setTimer(budgetMs, () =>
          resolve({ off: false, reason: 'it is not known where it answered' }),
        );
      });
    return new Promise((resolve) => {
      const settle = (outcome: OffOutcome): void => {
        cancel();
        command.waiting.delete(settle);
        resolve(outcome);
      };
      const cancel = this.#deps.setTimer(budgetMs, () => settle({ off: false, reason: peer.state.reason }));
      command.waiting.add(settle);
    });
  }

  /** The shutdown is over: servers that are not commanded are not asked any more. */
  forget(servers: readonly string[]): void {
    for (const server of servers) if (this.#peers.get(server)?.command === null) this.#peers.delete(server);
  }

  end(): void {
    this.#cancelRound?.();
    this.#peers.clear();
  }

  /** The first answer of a check other than the login, before the command can have any effect. */
  #tryOnce(peer: Watched): void {
    const abandon = this.#deps.attempt(peer, (end) => {
      cancel();
      if (end === 'answer' && !peer.state.answered) peer.state = initialPeer(true);
    });
    const cancel = this.#deps.setTimer(tryMs, abandon);
  }

  #addGateway(address: string, { local, link }: Watched): void {
    const key = `${link} ${address}`;
    if (this.#peers.has(key)) return;
    const asked = { method: 'tcp', address, port: discardPort } as const;
    const peer = { ...asked, order: key, local, link, state: initialPeer(false), command: null };
    this.#peers.set(key, peer);
    this.#tryOnce(peer);
  }

  #begin(): void {
    const { nowMs, setTimer, links, attempt } = this.#deps;
    this.#round += 1;
    const number = this.#round;
    const peers = [...this.#peers];
    const isQuiet = peers.every(([, { state, command }]) => command === null || state.silentFrom === null);
    const asked = peers.filter(
      ([, { command }]) => command !== null || !isQuiet || number % restRounds === 1,
    );
    const beganMs = nowMs();
    const before = links();
    const ends = new Map<string, TryEnd>();
    const abandons = asked.map(([key, peer]) => attempt(peer, (end) => ends.set(key, end)));
    this.#cancelRound = setTimer(tryMs, () => {
      // Timers run before received data: an answer that has arrived meanwhile is read first.
      this.#cancelRound = setTimer(0, () => {
        for (const abandon of abandons) abandon();
        for (const [key] of asked) if (!ends.has(key)) ends.set(key, 'silence');
        const endedMs = nowMs();
        this.#judge({ number, nowMs: endedMs, isLate: endedMs - beganMs > tryMs + lateMs }, ends, before);
      });
    });
  }

  #judge(
    round: { readonly number: number; readonly nowMs: number; readonly isLate: boolean },
    ends: ReadonlyMap<string, TryEnd>,
    before: ReadonlyMap<string, string>,
  ): void {
    const after = this.#deps.links();
    const peers = [...this.#peers];
    const isUp = ({ local, link }: Watched): boolean =>
      [before, after].every((links) => links.get(plainAddress(local)) === link);
    const links = new Set(peers.flatMap(([, peer]) => (isUp(peer) ? [peer.link] : [])));
    const states = judgePeers(
      { ...round, links },
      peers.map(([key, peer]): Peer => ({ ...peer, end: ends.get(key) })),
    );
    for (const [index, [server, peer]] of peers.entries()) {
      peer.state = states[index] ?? peer.state;
      if (peer.command !== null) this.#settle(server, peer, peer.command, round.nowMs);
    }
    this.#cancelRound = undefined;
    if ([...this.#peers.values()].some(({ command }) => command !== null)) this.#begin();
    else for (const [key, { order }] of this.#peers) if (order === key) this.#peers.delete(key);
  }

  #settle(server: string, { state }: Watched, { atMs, check, waiting }: Command, nowMs: number): void {
    const afterMs = nowMs - atMs;
    const off = isOff(state, check.settleMs, nowMs);
    if (!off && afterMs < check.timeoutMs) return;
    const outcome: OffOutcome = off ? { off, afterMs } : { off, reason: state.reason };
    this.#peers.delete(server);
    this.#outcomes.set(server, outcome);
    if (off) this.#deps.wentOff(server, afterMs);
    for (const settle of [...waiting]) settle(outcome);
  }
}
