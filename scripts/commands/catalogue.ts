// The commands there are: what each is called, what a person is told of it, and where its code is. Loaded at every start,
// so it imports nothing; a command's own code is loaded only when it is asked for.

export type Command = (args: readonly string[]) => Promise<number>;

export interface Entry {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `ridethrough NAME --help` prints. */
  readonly help: string;
  /** It goes on when nobody reads its output any more. */
  readonly outlivesItsReader?: true;
  readonly load: () => Promise<Command>;
}

export const catalogue: readonly Entry[] = [];
