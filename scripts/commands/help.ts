// The help of the commands as text, from the catalogue, and the usages of a command, for its manual page and the completions too.
import type { CommandEntry, ExitCodes, Items, Usage } from './usage.js';
import { exitCodes } from './usage.js';

/** An option of a usage. */
export interface Option {
  /** `--config`. */
  readonly name: string;
  /** `-f`. */
  readonly short: string | null;
  /** What stands for its value: `FILE`; null: it takes none. */
  readonly value: string | null;
  /** Its values, where they are few. */
  readonly choices: readonly string[];
  readonly text: string;
}

export function overview(catalogue: readonly CommandEntry[]): string {
  const width = Math.max(...catalogue.map(({ name }) => name.length));
  const list = catalogue.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}\n`).join('');
  return `ridethrough monitors UPSes over NUT and shuts machines down in order before a battery is empty.

Usage: ridethrough COMMAND [OPTIONS]

${list}
  ridethrough COMMAND --help describes one command.

Commands that read the configuration take --config FILE (default /etc/ridethrough/config.toml);
commands that print data take --json.
${codesText(exitCodes('success', 'failure'))}`;
}

export function helpOf(entry: CommandEntry): string {
  const usages = usagesOf(entry).map((usage) => {
    const start = `ridethrough ${wordsOf(entry, usage).join(' ')} `;
    const parts = partsOf(entry, usage).join(' ');
    return `${start}${parts.replaceAll(' \n ', `\n${' '.repeat(start.length)}`)}`.trimEnd();
  });
  const column = Math.max(0, ...itemsOf(entry).map(([term]) => term.length)) + (entry.gap ?? 4);
  const list = (items: Items): string =>
    items
      .map(
        ([term, text]) => `  ${term.padEnd(column)}${text.replaceAll('\n', `\n${' '.repeat(column + 2)}`)}`,
      )
      .join('\n');
  const blocks = entry.text.map((block) => {
    if (typeof block === 'string') return block;
    return 'lead' in block ? `${block.lead}\n${list(block.items)}` : list(block);
  });
  return [usages.join('\n'), ...blocks, codesText(entry.exitCodes)].join('\n\n');
}

export const usagesOf = ({ usages = [{}] }: CommandEntry): readonly Usage[] => usages;

/** `["user", "create"]`. */
export const wordsOf = ({ name }: CommandEntry, { word }: Usage): readonly string[] =>
  word === undefined ? [name] : [name, word];

/** The operands and options of a usage as the help has them, with its line breaks. */
export function partsOf(entry: CommandEntry, usage: Usage): readonly string[] {
  const parts = optionParts(entry, usage).map((part) => {
    if (part === '\n') return part;
    const options = optionsIn(entry, part).map(({ name, value, choices }) =>
      value === null ? name : `${name} ${choices.join('|') || value}`,
    );
    const text = options.join(part.includes('|') ? ' | ' : ' ');
    return part.startsWith('!') ? text : `[${text}]${part.endsWith('*') ? '...' : ''}`;
  });
  return usage.operands === undefined ? parts : [usage.operands, ...parts];
}

export const optionsOf = (entry: CommandEntry, usage: Usage): readonly Option[] =>
  optionParts(entry, usage).flatMap((part) => optionsIn(entry, part));

const optionParts = (entry: CommandEntry, { options }: Usage): readonly string[] =>
  options?.split(' ') ?? itemsOf(entry).flatMap(([term]) => /--([a-z-]+)/.exec(term)?.[1] ?? []);

/** `a|b` and the other forms of `Usage`. */
function optionsIn(entry: CommandEntry, part: string): readonly Option[] {
  const names = part.split(/[!|+*\n]/).filter((name) => name !== '');
  return names.map((one) => {
    const [name = '', other] = one.split(':');
    const found = itemsOf(entry).find(([term]) => ` ${term} `.includes(` --${name} `));
    if (found === undefined) throw new Error(`${entry.name} does not describe --${name}`);
    const [term, text] = found;
    const [, short = null, value = null] = /^(?:(-[a-z]), )?--[a-z-]+(?: (.+))?$/.exec(term) ?? [];
    const choices = other?.includes(',') === true ? other.split(',') : [];
    return { name: `--${name}`, short, value: choices.length > 0 ? value : (other ?? value), choices, text };
  });
}

function itemsOf({ text }: CommandEntry): Items {
  return text.flatMap((block) => (typeof block === 'string' ? [] : 'lead' in block ? block.items : block));
}

function codesText(codes: ExitCodes): string {
  const list = codes.map(([code, text]) => `${String(code)} ${text}`).join(', ');
  return `Exit codes: ${list.replaceAll('\n, ', ',\n')}.\n`;
}
