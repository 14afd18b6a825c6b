// The ways that a script may take: one of several, and the rounds of `for`. Pure.
import type { Words } from './programs.js';
import type { ShellState } from './state.js';
import type { List } from './tree.js';
import type { Command } from './verdict.js';
import type { Word } from './words.js';

/** The shutdown that some of the ways have, and not all of them after the same time; null where none is in doubt. */
export function commandInDoubt(ways: readonly ShellState[], before: ShellState['down']): Command | null {
  const downs = ways.filter(({ down }) => down !== before);
  const [one] = downs;
  const isSame =
    downs.length === ways.length && downs.every(({ down }) => down?.seconds === one?.down?.seconds);
  return isSame ? null : (one?.down?.command ?? null);
}

/** The words after `in`; null where commands find them, or where there is no `in`. */
export function wordsOfFor(test: List): readonly Word[] | null {
  const [item] = test;
  if (item?.node.kind !== 'simple') return null;
  const words = item.node.words.slice(1);
  return words.some(({ parts }) => parts.some(({ kind }) => kind === 'output')) ? null : words;
}

/** More are one that is not known. */
const maxRounds = 32;

/** A value for each round; null: not known, as one that may be the name of several files is. */
export function roundsOf(values: Words): Words {
  const isKnown = values.every((value) => value !== null && !/[*?[\\{~]/.test(value));
  return isKnown && values.length <= maxRounds ? [...new Set(values)] : [null];
}
