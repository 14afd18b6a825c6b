// Whether a program, with the words after it, changes something. What is in no list is taken to change nothing.
import type { Changing } from './changing-programs.js';
import { changing, changingWith } from './changing-programs.js';
import type { Looking } from './looking-programs.js';
import { lookingPrograms } from './looking-programs.js';

type Rule =
  | { readonly kind: 'always'; readonly why: string }
  | { readonly kind: 'with'; readonly rule: Changing }
  | { readonly kind: 'looks'; readonly rule: Looking };

const rules = new Map<string, Rule>([
  ...Object.entries(changing).flatMap(([why, names]) => each(names, { kind: 'always', why })),
  ...changingWith.flatMap((rule) => each(rule.names, { kind: 'with', rule })),
  ...lookingPrograms.flatMap((rule) => each(rule.names, { kind: 'looks', rule })),
]);

function each(names: string, rule: Rule): readonly (readonly [string, Rule])[] {
  return names.split(' ').map((name) => [name, rule]);
}

/** A cmdlet of PowerShell that changes something: a verb, and a noun that only PowerShell has. */
const cmdlet =
  /^(?:stop|restart|remove|set|new|start|suspend|invoke|clear|disable|enable|rename|move|copy|dismount|checkpoint|restore|save)-(?:computer|service|process|item\w*|vm\w*|content|variable|net\w+|disk|volume|partition|web\w+|rest\w+|expression|command|local\w+|eventlog|date|job|scheduled\w+|cluster\w*)$/;

/** What `program` (a bare name) does with these words after it; null where nothing says that it changes something. */
export function changesSomething(program: string, args: readonly string[]): string | null {
  // mkfs.ext4 and python3.11 are of their family.
  const family = program
    .replace(/^(mkfs|fsck|u?mount)\..*$/, '$1')
    .replace(/^(python|pip|perl|ruby|php|lua)[\d.]+$/, '$1');
  const found = rules.get(family);
  if (found === undefined) return cmdlet.test(program) ? 'changes something' : null;
  switch (found.kind) {
    case 'always':
      return found.why;
    case 'with': {
      const word = args.find((arg) => found.rule.with.test(arg));
      return word === undefined ? null : `${found.rule.why} (${word})`;
    }
    case 'looks':
      return onlyLooks(args, found.rule) ? null : found.rule.why;
  }
}

function onlyLooks(args: readonly string[], { looks, valued = '' }: Looking): boolean {
  const [first = ''] = args;
  const patterns = looks.split('|');
  if (args.length === 1 && /^(?:--?version|--help|-h|-v|-V)$/.test(first)) return true;
  if ((first === '' || first.startsWith('-')) && patterns.includes(first)) return true;
  const words: string[] = [];
  /** How many of them stand before the first option that follows the verb. */
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
  return pattern.split(' ').every((want, at) => {
    const word = words[at];
    if (want === '*') return word !== undefined;
    return want === '$' ? word === undefined : word === want;
  });
}
