// A named way to break the program: one piece of text replaced by another. The text must be there exactly once.

export interface Breakage {
  /** What is wrong with the broken program, in the trade's words. */
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
