// Forms of commands, and what of a command is shown. Pure.
import type { Words } from './programs.js';
import type { Command } from './verdict.js';
import type { Word } from './words.js';

/** A command whose program is known. */
export interface Called {
  readonly program: Words;
  readonly command: Command;
  readonly asRoot: boolean;
  /** As they are written. */
  readonly words: readonly Word[];
}

export const shells = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|a|k)?sh$/;
/** What `sh` is differs between systems: it may have none of them. */
export const hasFormsOfBash = (shell: string): boolean => /(?:^|\/)(?:ba|k)sh$/.test(shell);
/** Conditions, and texts whose reader is named where it is another program. */
export const isText = /^(?:\[\[?|test|echo|printf)$/;

/** The program, and what of its words cannot be a secret. */
export function shown(words: Words): string {
  // A quoted variable may hold the arguments too.
  const name = words[0]?.trim().split(/\s/)[0];
  const part = words
    .slice(1)
    .find((word) => word !== null && /^(?:load|shutdown|outlet|beeper)\.[a-z.]+$/.test(word));
  return [name ?? 'a command in a variable', ...(part === undefined ? [] : [part])].join(' ').slice(0, 120);
}

/** `"$@"`: a word for each. */
export function isAllArguments({ parts }: Word): boolean {
  const [only, ...more] = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return only?.kind === 'variable' && only.name === '@' && only.quoted && more.length === 0;
}

export const isSame = (words: Words, others: readonly string[]): boolean =>
  others.length > 0 && words.length === others.length && words.every((word, index) => word === others[index]);
