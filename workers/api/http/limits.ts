// All limits of this worker in time, number and size, with their reasons. One object, so that tests can shorten them.

export interface Limits {
  /** For the complete header of a request (specification/api.md#slow-clients). */
  readonly headerMs: number;
  /** For header and body together: each has 10 s. */
  readonly requestMs: number;
  /** For the complete body that a route reads (specification/api.md#request-bodies). */
  readonly bodyMs: number;
  /** For the body of a refused action, read for its audit row only: it is small and comes with the header. */
  readonly refusedBodyMs: number;
  /** How often audit counts are checked: the longest delay of a count after its minute. */
  readonly auditMs: number;
  /** How often the credential of a stream is checked again: its session may have ended. */
  readonly askAgainMs: number;
  /** How often Node checks for requests past those deadlines; its default of 30 s would turn 10 s into 40. */
  readonly sweepMs: number;
  /** Longer than the 60 s for which proxies and scrapers keep an idle connection, so that they close it first. */
  readonly idleMs: number;
  /** For the client to read a complete answer. */
  readonly unreadAnswerMs: number;
  /** Connections on TCP (specification/api.md#slow-clients). */
  readonly connections: number;
  /** Streams on TCP (specification/api.md#slow-clients). On the control socket the limit of connections applies. */
  readonly streams: number;
  /** Requests that may wait on one connection; a normal client sends fewer. */
  readonly pipelined: number;
  /** Connections on the control socket: an administrator and a few scripts. */
  readonly controlConnections: number;
  /** The part of an unexpected body that is read and discarded, so that the answer still reaches its sender. */
  readonly unwantedBodyBytes: number;
  /** For the first state of the supervisor, which it publishes as soon as this worker is ready. */
  readonly publishMs: number;
  /** For an answer of the supervisor, whose step takes milliseconds. */
  readonly askMs: number;
  /** For a test of the notifications: two attempts of `notifications.timeout`, which is at most 300 s. */
  readonly testMs: number;
  /** For a request that waits for a device, a disk or a file; the supervisor has shorter limits (nut_control.timeout is at most 300 s). */
  readonly orderMs: number;
  /** Equal requests within this time share one answer of the supervisor, so that clients cannot flood it. */
  readonly freshMs: number;
  /** Between two attempts to open a port or a socket that could not be opened. */
  readonly reopenMs: number;
  /** For requests under way when a listener is closed. */
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
  publishMs: 2_000,
  askMs: 2_000,
  testMs: 605_000,
  orderMs: 310_000,
  freshMs: 250,
  reopenMs: 3_000,
  drainMs: 1_000,
};
