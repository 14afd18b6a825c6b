// What a sink pours its lines into: a descriptor, a file, a child, a socket.

/** How far a batch got. */
export interface Progress {
  /** Lines from the front of the batch that are out; the others are offered again. */
  readonly taken: number;
  /** Why the rest is not, in words for a person; null when everything is out. */
  readonly failure: string | null;
}

export interface Outlet {
  /** What it is called in messages: `the log file /var/log/ridethrough.log`. */
  readonly name: string;
  /**
   * Takes lines in order, each without its line break. Called again only after it has settled; never rejects, never
   * blocks the event loop; may stay unsettled for as long as the other side takes nothing.
   */
  send(lines: readonly string[]): Promise<Progress>;
  /** The next `send` starts on a new file, child or socket. */
  reopen(): void;
  close(): void;
  /** What the other side says on its own, for a person; at most one listener. Only an outlet with a program behind it has it. */
  onComplaint?(listener: (text: string) => void): void;
}
