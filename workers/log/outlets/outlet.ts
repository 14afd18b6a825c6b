// The destination of the lines of a sink: a descriptor, a file, a child, a socket.

export interface Progress {
  /** Lines written from the front of the batch; the next `send` repeats the others. */
  readonly taken: number;
  /** Why the rest is not written; null when all is written. */
  readonly failure: string | null;
}

export interface Outlet {
  /** Its name in messages: `the log file /var/log/ridethrough.log`. */
  readonly name: string;
  /**
   * Takes lines in order, each without its line break. Called again only after it has settled. Never rejects and never blocks
   * the event loop; stays unsettled while the other side reads nothing.
   */
  send(lines: readonly string[]): Promise<Progress>;
  /** The next `send` starts on a new file, child or socket. */
  reopen(): void;
  close(): void;
  /** Errors that the other side reports; at most one listener. Only an outlet with a child program has it. */
  onErrorOutput?(listener: (text: string) => void): void;
}
