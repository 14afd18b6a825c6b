// Parses TOML text to a plain tree, or to one problem with the position of the syntax error. The problem never shows the
// line: it may contain a secret.
import { parse } from 'toml';
import type { Problem } from '../../../shared/domain/base/decode.js';

export type Tree = Readonly<Record<string, unknown>>;
export type ParsedFile =
  | { readonly ok: true; readonly tree: Tree }
  | { readonly ok: false; readonly problem: Problem };

/** No table of the reference is deeper than 6; the limit bounds the parser's stack. */
const maxDepth = 32;

/** An error of the `toml` package: its compiler sets `line` and `column`, its parser `location` and `found`. */
interface TomlError {
  readonly message?: string;
  readonly line?: number;
  readonly column?: number;
  readonly found?: string | null;
  readonly location?: { readonly start?: { readonly line?: number; readonly column?: number } };
}

/** Parses `text`; never throws. The problem has an empty path: it concerns the file. */
export function parseToml(text: string): ParsedFile {
  try {
    return { ok: true, tree: parse(text, { maxDepth: maxDepth }) as Tree };
  } catch (error) {
    return { ok: false, problem: { path: '', message: describeError(error as TomlError) } };
  }
}

function describeError(error: TomlError): string {
  const line = error.line ?? error.location?.start?.line;
  const column = error.column ?? error.location?.start?.column;
  const where =
    line === undefined ? 'the file is not TOML' : `line ${String(line)}, column ${String(column ?? 1)}`;
  return `${where}: ${adviceFor(error)}`;
}

function adviceFor(error: TomlError): string {
  const message = error.message ?? '';
  const twice = /^Cannot redefine existing key '(.{1,200})'/.exec(message);
  if (twice !== null) {
    const key = twice[1] ?? '';
    const advice = key === 'ups' ? 'each UPS begins with [[ups]], in double brackets' : 'keep one of them';
    return `"${key}" is given twice; ${advice}`;
  }
  if (error.location === undefined) return message === '' ? 'this is not TOML' : message.slice(0, 300);
  if (error.found === null || error.found === undefined) {
    return 'the file ends in the middle of something; look for a missing value, quote or bracket';
  }
  if (error.found === '\n' || error.found === '\r') {
    return 'the line ends too early; look for a missing value, or for a quote or bracket that is not closed';
  }
  return (
    `${JSON.stringify(error.found)} is not allowed here; a value is "text" in quotes, true or false, a number, ` +
    '[a list] or { a = "table" }, and each key has a line of its own'
  );
}
