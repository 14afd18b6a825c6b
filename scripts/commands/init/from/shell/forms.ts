// Forms of commands and files, and what of a command is shown. Pure.
import type { Words } from './programs.js';

export const shells = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|a|k)?sh$/;
/** Conditions, and texts whose reader is named where it is another program. */
export const isText = /^(?:\[\[?|test|echo|printf)$/;
/** Writing there starts nothing. */
export const mayBeWritten =
  /^(?:\/dev\/(?:null|std(?:out|err)|console|tty\d*)|[0-9-]|(?!\/(?:dev|proc|sys)\/).+)$/;

/** The program, and what of its words cannot be a secret. */
export function shown(words: Words): string {
  const [name] = words;
  const part = words
    .slice(1)
    .find((word) => word !== null && /^(?:load|shutdown|outlet|beeper)\.[a-z.]+$/.test(word));
  return [name ?? 'a command in a variable', ...(part === undefined ? [] : [part])].join(' ').slice(0, 120);
}
