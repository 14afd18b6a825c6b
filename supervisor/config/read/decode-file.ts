// Decodes the TOML tree with the closed codecs. Reports all problems in one run: removes invalid values, so that the rules
// across fields still check the rest.
import type * as t from 'io-ts';
import type { Problem } from '../../../shared/domain/base/decode.js';
import { labelOf } from '../schema/labels.js';
import type { Tree } from './parse.js';
import type { ConfigFile } from '../schema/file.js';
import { configFile } from '../schema/file.js';

export interface DecodedFile {
  readonly problems: readonly Problem[];
  /** The decoded part; undefined when there is none. */
  readonly file: ConfigFile | undefined;
  /** False when a UPS was removed: a rule must then not report "unknown UPS". */
  readonly upsesComplete: boolean;
}

/** Each round removes at least one level; the deepest key of the reference is at level six. */
const maxRounds = 10;

/** Decodes `tree`. Never throws, and no problem shows the content of a secret, a table or a list. */
export function decodeFile(tree: Tree): DecodedFile {
  const rest = structuredClone(tree) as Record<string, unknown>;
  let problems: readonly Problem[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const result = configFile.decode(rest);
    if (result._tag === 'Right') {
      const upses = tree['ups'];
      const complete = Array.isArray(upses) && upses.length === (result.right.ups ?? []).length;
      const upsesComplete = upses === undefined || complete;
      return { problems, file: result.right, upsesComplete };
    }
    if (round === 0) problems = result.left.map((error) => problemOf(error, tree));
    cutOut(
      rest,
      result.left.map((error) => keysOf(error.context)),
    );
  }
  return { problems, file: undefined, upsesComplete: false };
}

const keysOf = (context: t.Context): string[] => context.slice(1).map((entry) => entry.key);

function problemOf(error: t.ValidationError, tree: Tree): Problem {
  const keys = keysOf(error.context);
  const path = labelOf(keys, tree);
  if (error.message !== undefined) return { path, message: placeHint(keys) ?? error.message };
  const expected = error.context.at(-1)?.type.name ?? 'another value';
  const container = expected.startsWith('a list') || expected.startsWith('a table');
  const key = keys.at(-1) ?? '';
  let hint = '';
  if (expected === 'a list of tables' && !Array.isArray(error.value))
    hint = `; write [[${keys.join('.')}]] for each`;
  if (expected === 'a table' && Array.isArray(error.value)) hint = `; write [${key}] with single brackets`;
  return { path, message: `expected ${expected}, found ${found(error.value, container)}${hint}` };
}

/** The kind of a value, without content that could be a misplaced secret. */
function found(value: unknown, containerExpected: boolean): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  if (typeof value === 'object' && value !== null) return 'a table';
  if (typeof value !== 'string') return String(value);
  if (containerExpected) return 'text';
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
}

/** A hint for a key that exists in another place. */
function placeHint(keys: readonly string[]): string | undefined {
  const [first = ''] = keys;
  if (
    keys.length === 1 &&
    ['remote_servers', 'virtual_machines', 'containers', 'filesystems'].includes(first)
  ) {
    const brackets = first === 'remote_servers' ? '[[ups.remote_servers]]' : `[ups.${first}]`;
    return `has no effect here: it stands under the UPS that powers it; write ${brackets} below that [[ups]]`;
  }
  if (first === 'ups' && keys.slice(2).join('.') === 'nut_control.enabled') {
    return 'stands only in [nut_control]: it is the one switch for all UPSes';
  }
  return undefined;
}

/** Removes the values at `paths`. For a missing key it removes the table that lacks it. */
function cutOut(tree: Record<string, unknown>, paths: readonly (readonly string[])[]): void {
  const lists = new Set<unknown[]>();
  for (const keys of paths) {
    let parent: unknown;
    let here: unknown = tree;
    let cut: { from: unknown; key: string } | undefined;
    for (const key of keys) {
      if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) break;
      parent = here;
      here = (here as Record<string, unknown>)[key];
      cut = { from: parent, key };
    }
    if (cut === undefined) continue;
    if (Array.isArray(cut.from)) {
      cut.from[Number(cut.key)] = undefined;
      lists.add(cut.from);
    } else delete (cut.from as Record<string, unknown>)[cut.key];
  }
  for (const list of lists) list.splice(0, list.length, ...list.filter((element) => element !== undefined));
}
