// Reads the help of a command as data: its usages with their options, its paragraphs, its lists. The help is the only
// description of a command: manual pages and completions are made from it.
import type { Entry } from '../commands/usage.js';

export interface Option {
  /** `--config`. */
  readonly name: string;
  /** `-f`. */
  readonly short: string | null;
  /** What stands for its value: `FILE`; null: it takes none. */
  readonly value: string | null;
  /** The values, where the usage lists them. */
  readonly choices: readonly string[];
  readonly text: string;
}

export interface Usage {
  /** `["user", "create"]`. */
  readonly words: readonly string[];
  /** What follows the words, as the help has it. */
  readonly rest: string;
  readonly options: readonly Option[];
  /** It takes the name of a file that is no option. */
  readonly takesFile: boolean;
}

export interface Item {
  readonly term: string;
  readonly text: string;
}

/** A paragraph, or a list of options and operands. */
export type Block = { readonly kind: 'text'; readonly text: string } | List;
interface List {
  readonly kind: 'list';
  readonly items: readonly Item[];
}

export interface HelpText {
  readonly usages: readonly Usage[];
  readonly blocks: readonly Block[];
  readonly exitCodes: readonly Item[];
}

/** Every command has it; no help describes itself. */
export const helpOption: Option = {
  name: '--help',
  short: '-h',
  value: null,
  choices: [],
  text: 'show the help of the command',
};

export function helpText({ help }: Entry): HelpText {
  const [usage = '', ...parts] = help.trimEnd().split('\n\n');
  const all = parts.flatMap((part) => blocksOf(part.split('\n')));
  const isCodes = (block: Block): boolean => block.kind === 'text' && block.text.startsWith('Exit codes: ');
  const blocks = all.filter((block) => !isCodes(block));
  const items = blocks.flatMap((block) => (block.kind === 'list' ? block.items : []));
  const codes = all.find(isCodes);
  return {
    usages: usage
      .replace(/\n {2,}/g, ' ')
      .split('\n')
      .map((line) => usageOf(line, items)),
    blocks,
    exitCodes: codes?.kind === 'text' ? codesOf(codes.text) : [],
  };
}

function usageOf(line: string, items: readonly Item[]): Usage {
  const [, words = '', rest = ''] = /^ridethrough((?: [a-z][a-z-]*)+)(.*)$/.exec(line) ?? [];
  const options = [...rest.matchAll(/(--[a-z-]+)(?: ([A-Z]+|[a-z-]+(?:\|[a-z-]+)+))?/g)];
  const operands = rest.replace(/\[--[^\]]*\]|--[a-z-]+ [A-Z]+/g, '');
  return {
    words: words.trim().split(' '),
    rest: rest.trim(),
    options: [...options.map(([, name = '', value]) => optionOf(name, value ?? null, items)), helpOption],
    takesFile: /\b(FILE|DIR)\b/.test(operands),
  };
}

function optionOf(name: string, value: string | null, items: readonly Item[]): Option {
  const item = items.find(({ term }) => new RegExp(`(?:^|, )${name}(?: |$)`).test(term));
  if (item === undefined) throw new Error(`the help names ${name} and does not describe it`);
  const short = /^(-[a-z]), /.exec(item.term)?.[1] ?? null;
  const choices = value?.includes('|') === true ? value.split('|') : [];
  return { name, short, value, choices, text: item.text };
}

/** A part of the help: lines with two blanks and a term are items, deeper ones continue an item, others are prose. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    const [, term, text = ''] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
    if (term !== undefined) {
      if (last?.kind === 'list')
        blocks[blocks.length - 1] = { ...last, items: [...last.items, { term, text }] };
      else blocks.push({ kind: 'list', items: [{ term, text }] });
    } else if (line.startsWith('  ') && last?.kind === 'list') {
      blocks[blocks.length - 1] = { ...last, items: last.items.with(-1, continued(last.items.at(-1), line)) };
    } else if (last?.kind === 'text') {
      blocks[blocks.length - 1] = { kind: 'text', text: `${last.text} ${line.trim()}` };
    } else blocks.push({ kind: 'text', text: line.trim() });
  }
  return blocks;
}

const continued = (item: Item | undefined, line: string): Item => ({
  term: item?.term ?? '',
  text: `${item?.text ?? ''} ${line.trim()}`,
});

/** `Exit codes: 0 done, 1 it failed, for a reason, 2 wrong usage.` */
function codesOf(text: string): readonly Item[] {
  return text
    .replace(/^Exit codes: |\.$/g, '')
    .split(/[,;] (?=\d+ )/)
    .map((one) => ({ term: /^\d+/.exec(one)?.[0] ?? '', text: one.replace(/^\d+ /, '') }));
}
