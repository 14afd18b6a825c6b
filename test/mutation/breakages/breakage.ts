// A named mutant: one piece of text replaced by another. The text must occur exactly once.

export interface Breakage {
  /** What is wrong with the broken program. */
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
