// Decides whether a program with its arguments changes something. A program of no list counts as changing nothing.
import type { Changing } from './changing-programs.js';
import { changing, changingWith } from './changing-programs.js';
import type { ReadOnlyProgram } from './read-only-programs.js';
import { readOnlyPrograms } from './read-only-programs.js';

type Rule =
  | { readonly kind: 'always'; readonly why: string }
  | { readonly kind: 'with'; readonly rule: Changing }
  | { readonly kind: 'looks'; readonly rule: ReadOnlyProgram };

const rules = new Map<string, Rule>([
  ...Object.entries(changing).flatMap(([why, names]) => each(names, { kind: 'always', why })),
  ...changingWith.flatMap((rule) => each(rule.names, { kind: 'with', rule })),
  ...readOnlyPrograms.flatMap((rule) => each(rule.names, { kind: 'looks', rule })),
]);

function each(names: string, rule: Rule): readonly (readonly [string, Rule])[] {
  return names.split(' ').map((name) => [name, rule]);
}

/** A PowerShell cmdlet that changes something: a verb, and a noun that only PowerShell has. */
const cmdlet =
  /^(?:stop|restart|format|initialize|resize|remove|set|new|start|suspend|invoke|clear|disable|enable|rename|move|copy|dismount|checkpoint|restore|save)-(?:computer|service|process|item\w*|vm\w*|recyclebin|content|variable|net\w+|disk|volume|partition|web\w+|rest\w+|expression|command|local\w+|eventlog|date|job|scheduled\w+|cluster\w*)$/;

/** A verb given to a program of no list, in one of its first words. */
const order = /^(?:stop|restart|kill|destroy|terminate|suspend|delete|remove|rm|purge|reset)$/i;
const maxWords = 3;
/** Their arguments are names or text, never verbs. */
const readers = new Set(
  'echo printf test [ cat ls dir head tail wc stat file grep egrep fgrep zgrep rg pgrep pidof ps which type command whereis getent man id host dig nslookup ping'.split(
    ' ',
  ),
);

/** What `program` (a bare name) changes with these arguments; null when nothing is known. */
export function changesSomething(program: string, args: readonly string[]): string | null {
  const found = rules.get(familyOf(program));
  if (args.length === 1 && /^--(?:version|help)$/.test(args[0] ?? '')) return null;
  if (found === undefined) return cmdlet.test(program) ? 'changes something' : null;
  switch (found.kind) {
    case 'always':
      return found.why;
    case 'with':
      return changesWith(args, found.rule);
    case 'looks':
      return onlyReads(args, found.rule) ? null : found.rule.why;
  }
}

/** True for a program of these lists with arguments with which it only reads. */
export function isKnownReadOnly(program: string, args: readonly string[]): boolean {
  const found = rules.get(familyOf(program));
  return found?.kind === 'looks' && onlyReads(args, found.rule);
}

/** The family of mkfs.ext4 is mkfs, that of python3.11 is python3. */
function familyOf(program: string): string {
  return program
    .replace(/^(mkfs|fsck|u?mount)\..*$/, '$1')
    .replace(/^(python|pip|perl|ruby|php|lua)[\d.]+$/, '$1')
    .replace(/^ld(?:-[\w-]+)?\.so(?:\.\d+)*$|^ld-[\w-]+(?:\.[\d.]+)?\.so(?:\.\d+)*$/, 'ld.so');
}

/** The verb that a program of no list is given; null without one. */
export function orderTo(program: string, args: readonly string[]): string | null {
  if (readers.has(program) || rules.has(familyOf(program))) return null;
  const words = args.filter((word) => !word.startsWith('-')).slice(0, maxWords);
  return words.find((word) => order.test(word)) ?? null;
}

function changesWith(args: readonly string[], rule: Changing): string | null {
  const pairs = args.map((word, at) => `${word} ${args[at + 1] ?? ''}`);
  if (rule.without !== undefined && !pairs.some((pair) => rule.without?.test(pair) === true)) return rule.why;
  const word = args.find((arg, at) => rule.with.test(arg) && rule.except?.test(pairs[at] ?? '') !== true);
  return word === undefined ? null : `${rule.why} (${word})`;
}

function onlyReads(args: readonly string[], { readOnly, valued }: ReadOnlyProgram): boolean {
  const [first = ''] = args;
  const patterns = readOnly.split('|');
  if (args.length === 1 && /^(?:--?version|--help|-h|-v|-V)$/.test(first)) return true;
  if ((first === '' || first.startsWith('-')) && patterns.includes(first)) return true;
  if (patterns.some((pattern) => /^-.* /.test(pattern) && stands(pattern, args))) return true;
  const words: string[] = [];
  /** The number of words before the first option that follows the verb. */
  let together: number | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) {
      words.push(word.toLowerCase());
      continue;
    }
    if (words.length > 0) together ??= words.length;
    if (valued.split(' ').includes(word)) at += 1;
  }
  return patterns.some((pattern) => fits(pattern, words, together ?? words.length));
}

function fits(pattern: string, words: readonly string[], together: number): boolean {
  if (pattern === '' || pattern.startsWith('-')) return false;
  if (pattern.startsWith('** ')) return together > 1 && words[together - 1] === pattern.slice(3);
  return stands(pattern, words);
}

/** True when the words begin with the pattern, word by word. */
function stands(pattern: string, words: readonly string[]): boolean {
  return pattern.split(' ').every((want, at) => {
    const word = words[at];
    if (want === '*') return word?.startsWith('-') === false;
    return want === '$' ? word === undefined : word === want;
  });
}
