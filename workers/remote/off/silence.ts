// Judges which silence proves that a server is off (specification/remote-servers.md#off). Pure: rounds of tries in, states
// out. When in doubt a server is not off.
import type { TryEnd } from './attempt.js';

/** Tries without any answer, a second each, that are silence. */
const silentTries = 3;

/** What is asked: a server of the sequence, or a gateway. */
export interface Peer {
  /** Group and shutdown_order of a server; of a gateway its address. Peers of one order may go off together. */
  readonly order: string;
  /** The own interface over which it is reached. */
  readonly link: string;
  readonly state: PeerState;
  /** Undefined: it was not asked in this round. */
  readonly end: TryEnd | undefined;
}

export interface PeerState {
  /** It has answered a try of this kind in this sequence: only then its silence means anything. */
  readonly answered: boolean;
  /** The round in which its silence began; null while it answers. */
  readonly silentFrom: number | null;
  /** Consecutive rounds of silence that count. */
  readonly counted: number;
  /** When the silence was complete, monotonic ms; null before. */
  readonly silentSinceMs: number | null;
  /** Why it is not off, for a person. */
  readonly reason: string;
}

export const initialPeer = (answered: boolean): PeerState => ({
  answered,
  silentFrom: null,
  counted: 0,
  silentSinceMs: null,
  reason: 'it was not asked yet',
});

export interface Round {
  readonly number: number;
  readonly nowMs: number;
  /** Its timer was late: an answer counts, silence does not. */
  readonly isLate: boolean;
  /** The own interfaces that had their carrier during the entire round. */
  readonly links: ReadonlySet<string>;
}

/** The states after the round, in the order of `peers`. */
export function judgePeers(round: Round, peers: readonly Peer[]): readonly PeerState[] {
  const observed = peers.map((peer) => ({ ...peer, state: observedState(round, peer) }));
  return observed.map((peer) => judgePeer(round, peer, observed));
}

function observedState({ number }: Round, { state, end }: Peer): PeerState {
  if (end === 'answer') return { ...initialPeer(true), reason: 'it still answers' };
  if (end !== 'silence' || !state.answered) return state;
  return { ...state, silentFrom: state.silentFrom ?? number };
}

function judgePeer(round: Round, peer: Peer, all: readonly Peer[]): PeerState {
  const { state, end, link } = peer;
  if (end === undefined || end === 'answer') return state;
  const proves = (reason: string): PeerState => ({ ...state, counted: 0, silentSinceMs: null, reason });
  if (!state.answered) return proves('it has not answered this check since the shutdown began');
  if (!round.links.has(link)) return proves('the own interface has lost its carrier');
  if (end === 'fault') return proves('this host could not ask it');
  // Without the time for an answer the requests before still count, this one does not.
  if (round.isLate) return { ...state, reason: 'the check itself was late' };
  if (all.some((other) => fellSilentTogether(peer, other))) return proves('the network fell silent with it');
  const count = state.counted + 1;
  const since = count === silentTries ? round.nowMs : state.silentSinceMs;
  return { ...state, counted: count, silentSinceMs: since, reason: 'it is silent, but not for long enough' };
}

/** The servers of one order may go off in the same second; two orders, or one and the gateway, are the network. */
function fellSilentTogether(one: Peer, other: Peer): boolean {
  const [from, otherFrom] = [one.state.silentFrom, other.state.silentFrom];
  if (other.order === one.order || other.link !== one.link || from === null || otherFrom === null)
    return false;
  return Math.abs(from - otherFrom) <= 1;
}

/** After the first silence `settleMs` pass: many systems take the network down before their disks are flushed. */
export function isOff({ silentSinceMs }: PeerState, settleMs: number, nowMs: number): boolean {
  return silentSinceMs !== null && nowMs - silentSinceMs >= settleMs;
}
