// Conditions whose outcome is known before the script runs: comparisons of texts, and patterns of `case`. Pure.
import type { Words } from './programs.js';
import type { ShellState } from './state.js';
import type { Word } from './words.js';

/** A form of bash, which another shell may refuse as a failure. */
export const isOfBash = ([name, , operator]: Words): boolean =>
  name === '[[' || ((name === '[' || name === 'test') && operator === '==');

/** The status of `test`, `[` and `[[`, and of true and false; null where it is not known. */
export function conditionOf(values: Words, words: readonly Word[]): boolean | null {
  const [name, ...rest] = values;
  if (name !== '[' && name !== '[[' && name !== 'test') return null;
  const close = name === 'test' ? undefined : name === '[' ? ']' : ']]';
  if (close !== undefined && rest.at(-1) !== close) return null;
  const all = close === undefined ? rest : rest.slice(0, -1);
  const isNegated = all[0] === '!';
  const [a, b, c, ...more] = isNegated ? all.slice(1) : all;
  if (more.length > 0) return null;
  const found =
    c === undefined
      ? unary(a, b)
      : binary(a, b, { to: c, isPattern: name === '[[' && hasGlob(words.at(-2)) });
  return found === null ? null : found !== isNegated;
}

function unary(operator: string | null | undefined, value: string | null | undefined): boolean | null {
  // One word is true where it has a letter.
  if (value === undefined) return typeof operator === 'string' ? operator !== '' : null;
  if (value === null) return null;
  if (operator === '-n') return value !== '';
  return operator === '-z' ? value === '' : null;
}

function binary(
  value: string | null | undefined,
  operator: string | null | undefined,
  { to, isPattern }: { to: string | null; isPattern: boolean },
): boolean | null {
  if (value === null || value === undefined || to === null || isPattern) return null;
  if (operator === '=' || operator === '==') return value === to;
  if (operator === '!=') return value !== to;
  const compares = Object.hasOwn(orders, operator ?? '') ? orders[operator ?? ''] : undefined;
  return isNumber.test(value) && isNumber.test(to) ? (compares?.(Number(value) - Number(to)) ?? null) : null;
}

/** Without a leading 0, which `[[` takes for an octal number. */
const isNumber = /^(?:0|[1-9]\d{0,8})$/;
const orders: Readonly<Record<string, (difference: number) => boolean>> = {
  '-eq': (difference) => difference === 0,
  '-ne': (difference) => difference !== 0,
  '-lt': (difference) => difference < 0,
  '-le': (difference) => difference <= 0,
  '-gt': (difference) => difference > 0,
  '-ge': (difference) => difference >= 0,
};

const hasGlob = (word: Word | undefined): boolean =>
  word?.parts.some((part) => part.kind !== 'text' || (!part.quoted && /[*?[\\]/.test(part.text))) !== false;

/** Whether a value fits a pattern of `case`; null where it is not known. */
export function matches(value: string | null, pattern: Word, state: ShellState): boolean | null {
  let source = '';
  for (const part of pattern.parts) {
    const text = state.valueOf(part);
    if (text === null) return null;
    const isPlain = part.kind === 'text' ? part.quoted : part.kind === 'variable' && part.quoted;
    if (!isPlain && /[[\]\\]/.test(text)) return null;
    source += isPlain ? escaped(text) : escaped(text).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  }
  // `*` fits everything.
  if (source === '.*') return true;
  return value === null || value.length > 1000 ? null : new RegExp(`^${source}$`, 's').test(value);
}

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
