// What a link stands on: the part of the platform's MessagePort (node:worker_threads) that a link uses, under the
// platform's names. A worker cannot tell which kind of port it has.
// The kinds: pipe-port.ts (a process), thread-port.ts (a worker thread), memory-port.ts (tests and simulation).

/**
 * Why a port closed. `ended`: either side closed it or is gone. `malformed`: the bytes that arrived are no message.
 * `overflow`: the other side does not read, and the backlog has reached its bound.
 */
export type CloseReason = 'ended' | 'malformed' | 'overflow';

export interface CloseEvent {
  readonly reason: CloseReason;
}

/** `Message` is what this side sends. What arrives is not trusted: the listener decodes it. */
export interface Port<Message = unknown> {
  /**
   * Never waits. Throws for anything but plain JSON data (assert-json.ts) and for a message that is too long: a bug of the
   * sender. A message sent into a closed port is lost.
   */
  postMessage(message: Message): void;
  /** The first listener starts the port. `bytes`: the length of the message, from ports that carry bytes. */
  on(event: 'message', listener: (message: unknown, bytes?: number) => void): unknown;
  /** Emitted once, after the last message, also when this side closed the port. */
  on(event: 'close', listener: (event: CloseEvent) => void): unknown;
  /** Messages that arrive before the start wait. */
  start(): void;
  /** No message is emitted any more, not even those that have arrived. */
  close(): void;
}
