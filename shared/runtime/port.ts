// The interface of a port: the part of node's MessagePort (node:worker_threads) that a link uses, with the same names. A
// worker cannot tell which kind of port it has.
// The kinds: pipe-port.ts (a process), emitter-port.ts (a member of one), memory-port.ts (tests and simulation).

/**
 * Why a port closed. `ended`: one side closed it or died. `malformed`: invalid bytes arrived. `overflow`: the other
 * side does not read, and the backlog has reached its bound.
 */
export type CloseReason = 'ended' | 'malformed' | 'overflow';

export interface CloseEvent {
  readonly reason: CloseReason;
}

/** `Message`: what this side sends. Received messages are not trusted: the listener decodes them. */
export interface Port<Message = unknown> {
  /**
   * Never waits. Throws for anything but plain JSON data (assert-json.ts) and for a message that is too long: a bug of
   * the sender. A message to a closed port is lost.
   */
  postMessage(message: Message): void;
  /** The first listener starts the port. `bytes`: the length of the message, from ports that carry bytes. */
  on(event: 'message', listener: (message: unknown, bytes?: number) => void): unknown;
  /** Emitted once, after the last message, also when this side closed the port. */
  on(event: 'close', listener: (event: CloseEvent) => void): unknown;
  /** Messages that arrive before the start wait. */
  start(): void;
  /** After the call no message is emitted, not even one that has arrived. */
  close(): void;
}
