// Every bound in time, number and size of this worker, with its reason. One value, so that tests can shorten it.

export interface Limits {
  /** For the complete header of a request (specification/api.md#slow-clients). */
  readonly headerMs: number;
  /** For header and body together: each has 10 s. */
  readonly requestMs: number;
  /** For the complete body that a route reads (specification/api.md#request-bodies). */
  readonly bodyMs: number;
  /** The body of a refused action, read for its record alone: it is small and comes with its header, and nobody waits longer for a no. */
  readonly refusedBodyMs: number;
  /** How often counts of the audit are looked at: one is written so much after its minute at the latest. */
  readonly auditMs: number;
  /** How often a caller whose answer does not end is asked again who he is: a session may have ended meanwhile. */
  readonly askAgainMs: number;
  /** How often Node looks for requests past those two deadlines; its own 30 s would make 10 s into 40. */
  readonly sweepMs: number;
  /** Longer than the 60 s that proxies and scrapers keep a connection idle, so that they end it and not we. */
  readonly idleMs: number;
  /** A whole answer that the client has not taken by then is given up: nobody waits longer for a status page. */
  readonly unreadAnswerMs: number;
  /** Connections on TCP (specification/api.md#slow-clients). */
  readonly connections: number;
  /** Streams on TCP (specification/api.md#slow-clients); the control socket allows as many as it has connections. */
  readonly streams: number;
  /** Requests that may wait on one connection behind the one that is answered; no client at work sends that many. */
  readonly pipelined: number;
  /** Connections on the control socket: a person and a few scripts, all of one group. */
  readonly controlConnections: number;
  /** Of a body nobody asked for, what is read and thrown away so that the answer still reaches its sender. */
  readonly unwantedBodyBytes: number;
  /** What the supervisor has to answer a question of ours: its step takes milliseconds. */
  readonly askMs: number;
  /** What a test of the notifications may take: two attempts of `notifications.timeout`, which is 300 s at most. */
  readonly testMs: number;
  /** What an order may take that waits for a device, a disk or a file; the supervisor keeps shorter ones: nut_control.timeout is 300 s at most. */
  readonly orderMs: number;
  /** An answer of the supervisor serves everybody who asks the same within this time, so a crowd cannot flood it. */
  readonly freshMs: number;
  /** Between two attempts to open a port or a socket that could not be opened. */
  readonly reopenMs: number;
  /** How long requests under way may take to end when a listener is closed. */
  readonly drainMs: number;
}

export const defaultLimits: Limits = {
  headerMs: 10_000,
  requestMs: 20_000,
  bodyMs: 10_000,
  refusedBodyMs: 1_000,
  auditMs: 1_000,
  askAgainMs: 5_000,
  sweepMs: 1_000,
  idleMs: 75_000,
  unreadAnswerMs: 10_000,
  connections: 256,
  streams: 64,
  pipelined: 64,
  controlConnections: 64,
  unwantedBodyBytes: 1 << 20,
  askMs: 2_000,
  testMs: 605_000,
  orderMs: 310_000,
  freshMs: 250,
  reopenMs: 3_000,
  drainMs: 1_000,
};
