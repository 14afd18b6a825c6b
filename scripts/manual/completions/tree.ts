// What a shell completes, from the catalogue: at each place of a command line the words, options and files that can follow.
import type { Entry } from '../../commands/usage.js';
import type { Option } from '../help-text.js';
import { helpOption, helpText } from '../help-text.js';

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

export function commandTree(catalogue: readonly Entry[]): readonly Place[] {
  const commands = catalogue.map(({ name, summary }) => ({ word: name, text: summary }));
  const start: Place = {
    path: [],
    words: [...commands, { word: 'help', text: 'list the commands, or describe one' }],
    options: [flag('--help', '-h', 'list the commands'), flag('--version', null, 'print the version')],
    takesFile: false,
  };
  const help: Place = { path: ['help'], words: commands, options: [], takesFile: false };
  return [start, help, ...catalogue.flatMap(placesOf)];
}

const flag = (name: string, short: string | null, text: string): Option => ({
  ...{ name, short, text },
  value: null,
  choices: [],
});

/** A place for the command and for each word below it, with the options of all its usages. */
function placesOf(entry: Entry): readonly Place[] {
  const { usages } = helpText(entry);
  const below = [...new Set(usages.flatMap(({ words }) => words.slice(1, 2)))];
  const paths = [[entry.name], ...below.map((word) => [entry.name, word])];
  return paths.map((path): Place => {
    const own = usages.filter(({ words }) => words.join(' ') === path.join(' '));
    const options = own.flatMap((usage) => usage.options);
    return {
      path,
      words: path.length > 1 ? [] : below.map((word) => ({ word, text: `${entry.name} ${word}` })),
      options: [...new Map([helpOption, ...options].map((option) => [option.name, option])).values()],
      takesFile: own.some(({ takesFile }) => takesFile),
    };
  });
}

/** Options whose value is the name of a file. */
export const isFile = ({ value }: Option): boolean => value === 'FILE' || value === 'PATH' || value === 'DIR';
export const spellings = ({ name, short }: Option): readonly string[] =>
  short === null ? [name] : [short, name];
