// A command for this machine: a list of words, or a text split at white space and quotes. No shell runs it and nothing is
// expanded. Text that a shell would interpret is refused, never passed on literally.
import * as t from 'io-ts';
import { holdsControl } from './values.js';

export type Split =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly fault: string };

const maxLength = 4096;
const advice =
  'no shell runs this command; quote it if it is meant literally, or write the command as a list of words';

/**
 * Splits `text` as a POSIX shell would, without any expansion. Refused: unquoted shell metacharacters, and `$` and
 * the backquote also inside double quotes, where a shell would expand them.
 */
export function splitCommand(text: string): Split {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charAt(i);
    if (quote === "'") {
      if (c === "'") quote = '';
      else word = (word ?? '') + c;
    } else if (c === '\\') {
      const next = text.charAt(i + 1);
      if (next === '') return { ok: false, fault: 'ends in a backslash' };
      const kept = quote === '"' && !'"\\$`'.includes(next);
      word = (word ?? '') + (kept ? `\\${next}` : next);
      i += 1;
    } else if (c === '$' || c === '`') {
      return { ok: false, fault: `holds the shell character ${c}; ${advice}` };
    } else if (c === '"') {
      quote = quote === '"' ? '' : '"';
      word ??= '';
    } else if (quote === '"') word = (word ?? '') + c;
    else if (c === "'") {
      quote = "'";
      word ??= '';
    } else if (c === ' ' || c === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if ('|&;<>()*?[]{}'.includes(c) || ('#~!'.includes(c) && word === undefined)) {
      return { ok: false, fault: `holds the shell character ${c}; ${advice}` };
    } else word = (word ?? '') + c;
  }
  if (quote !== '') return { ok: false, fault: `has a quote (${quote}) that is never closed` };
  if (word !== undefined) words.push(word);
  return { ok: true, words };
}

function wordsOf(u: unknown): Split {
  if (typeof u === 'string') {
    if (holdsControl(u)) return { ok: false, fault: 'holds a line break or a control character' };
    if (u.length > maxLength) return { ok: false, fault: `is longer than ${String(maxLength)} characters` };
    return splitCommand(u);
  }
  if (!Array.isArray(u) || !u.every((word) => typeof word === 'string')) {
    return { ok: false, fault: 'must be text or a list of words, such as ["shutdown", "-h", "now"]' };
  }
  if (u.length > 256 || u.some((word) => word.length > maxLength || holdsControl(word))) {
    return {
      ok: false,
      fault: 'has too many words, a word that is too long, or a control character in a word',
    };
  }
  return { ok: true, words: u };
}

/** A command line as its words; empty only when `mayBeEmpty` ("" or []). */
export function commandLine(mayBeEmpty: boolean): t.Type<readonly string[], unknown> {
  const name = `a command${mayBeEmpty ? ' or ""' : ''}`;
  return new t.Type<readonly string[], unknown>(
    name,
    (u): u is readonly string[] => Array.isArray(u) && u.every((word) => typeof word === 'string'),
    (u, c) => {
      const split = wordsOf(u);
      if (!split.ok) return t.failure(u, c, `the command ${split.fault}`);
      const [program] = split.words;
      if (program === undefined && mayBeEmpty) return t.success([]);
      if (program === undefined || program === '') return t.failure(u, c, 'expected a command, found none');
      if (program.includes('/') && !program.startsWith('/')) {
        return t.failure(u, c, 'the program must be an absolute path or a name found in PATH');
      }
      return t.success(split.words);
    },
    t.identity,
  );
}
