// `NAME=value`, and the lists of bash. Pure.
import type { Word } from './words.js';
import { literalOf } from './words.js';

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export function assignmentOf(word: Word, isBash: boolean): Assignment | null {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text' || first.quoted) return null;
  const [head, name = '', more] =
    /^([A-Za-z_]\w*)(\[(?:0|[1-9]\d{0,8}|[A-Za-z_]\w*)\]\+?|\+)?=/.exec(first.text) ?? [];
  if (head === undefined || (more !== undefined && !isBash)) return null;
  const text = first.text.slice(head.length);
  const parts = text === '' ? rest : [{ ...first, text }, ...rest];
  const value = { ...word, parts };
  return { name, value: more === undefined ? value : unknownOf([value], word.line) };
}

/** After `NAME=` of an assignment, or of the last word of `local` and `declare`; null where none stands there. */
export function nameOfList(words: readonly Word[], assignments: readonly Assignment[]): string | null {
  const [builtin] = words;
  const last = words.at(-1);
  if (builtin === undefined || last === undefined) {
    const assigned = assignments.at(-1);
    return assigned?.value.parts.every(({ kind }) => kind === 'output') === true ? assigned.name : null;
  }
  if (!/^(?:local|declare)$/.test(literalOf(builtin) ?? '')) return null;
  return /^([A-Za-z_]\w*)=$/.exec(literalOf(last) ?? '')?.[1] ?? null;
}

/** Commands in these words run, and what becomes of them is not known. */
export const unknownOf = (words: readonly Word[], line: number): Word => ({
  kind: 'word',
  parts: [...words.flatMap(({ parts }) => parts), { kind: 'output', script: ':', line }],
  line,
});
