// What a shell completes, from the catalogue: at each place of a command line the words, options and files that can follow.
import type { Option } from '../../commands/help.js';
import { optionsOf, usagesOf, wordsOf } from '../../commands/help.js';
import type { CommandEntry } from '../../commands/usage.js';

export interface Word {
  readonly word: string;
  readonly text: string;
}

export interface Place {
  /** The words before it, without the program: `["user", "create"]`. */
  readonly path: readonly string[];
  readonly words: readonly Word[];
  readonly options: readonly Option[];
  /** The name of a file may follow that is no option. */
  readonly takesFile: boolean;
}

export function commandTree(catalogue: readonly CommandEntry[]): readonly Place[] {
  const commands = catalogue.map(({ name, summary }) => ({ word: name, text: summary }));
  const start: Place = {
    path: [],
    words: [...commands, { word: 'help', text: 'list the commands, or describe one' }],
    options: [
      { ...helpOption, text: 'list the commands' },
      { ...helpOption, name: '--version', short: null, text: 'print the version' },
    ],
    takesFile: false,
  };
  const help: Place = { path: ['help'], words: commands, options: [], takesFile: false };
  return [start, help, ...catalogue.flatMap(placesOf)];
}

/** Every command has it; no help describes itself. */
export const helpOption: Option = {
  ...{ name: '--help', short: '-h', value: null, choices: [] },
  text: 'show the help of the command',
};

/** A place for the command and for each word below it, with the options of all its usages. */
function placesOf(entry: CommandEntry): readonly Place[] {
  const below = [...new Set(usagesOf(entry).flatMap(({ word }) => word ?? []))];
  const paths = [[entry.name], ...below.map((word) => [entry.name, word])];
  return paths.map((path): Place => {
    const own = usagesOf(entry).filter((usage) => wordsOf(entry, usage).join(' ') === path.join(' '));
    const options = [helpOption, ...own.flatMap((usage) => optionsOf(entry, usage).map(inOneLine))];
    return {
      path,
      words: path.length > 1 ? [] : below.map((word) => ({ word, text: `${entry.name} ${word}` })),
      options: [...new Map(options.map((option) => [option.name, option])).values()],
      takesFile: own.some(({ takesFile }) => takesFile === true),
    };
  });
}

const inOneLine = (option: Option): Option => ({ ...option, text: option.text.replaceAll('\n', ' ') });

/** Options whose value is the name of a file. */
export const isFile = (option: Option): boolean => ['FILE', 'PATH', 'DIR'].includes(option.value ?? '');
export const spellings = ({ name, short }: Option): readonly string[] =>
  short === null ? [name] : [short, name];
