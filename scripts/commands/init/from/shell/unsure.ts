// The end of what can be said of a script.
import type { Command } from './verdict.js';

export const conditional = 'whether it shuts down depends on what only the running script knows';
export const ofBash = 'whether it shuts down depends on the shell: not every sh has [[ ]], or == in [ ]';

/** Of a script of which nothing is read. */
export const notRead = 'not a form of shell that init reads';
/** Of one that is read to its end. */
export const notKnown = 'not a program that init knows';

/** Of functions that call each other twice and twice again. */
export const maxSteps = 20_000;

/** Thrown where nothing is certain any more. */
export class Unsure extends Error {
  constructor(
    readonly why: string,
    readonly command: Command,
  ) {
    super(why);
  }
}
