// The end of what can be said of a script.
import type { Command } from './verdict.js';

/** Thrown where nothing is certain any more. */
export class Unsure extends Error {
  constructor(
    readonly why: string,
    readonly command: Command,
  ) {
    super(why);
  }
}
