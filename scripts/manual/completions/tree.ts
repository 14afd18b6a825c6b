// What a shell completes, from the catalogue: at each place of a command line the words, options and files that can follow.
import type { Entry } from '../../commands/usage.js';
import type { Option } from '../help-text.js';
import { helpText } from '../help-text.js';

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

/** A place for each usage; where all have a word of their own, also one for the command itself, with these words. */
function placesOf(entry: Entry): readonly Place[] {
  const places = helpText(entry).usages.map(({ words, options, takesFile }): Place => ({
    path: words,
    words: [],
    options,
    takesFile,
  }));
  const below = places.filter(({ path }) => path.length > 1).map(({ path }) => path[1] ?? '');
  const own = places.find(({ path }) => path.length === 1);
  const top: Place = {
    path: [entry.name],
    words: [...new Set(below)].map((word) => ({ word, text: `${entry.name} ${word}` })),
    options: own?.options ?? [flag('--help', '-h', 'show the help of the command')],
    takesFile: own?.takesFile ?? false,
  };
  return [top, ...places.filter(({ path }) => path.length > 1)];
}

/** Options whose value is the name of a file. */
export const isFile = ({ value }: Option): boolean => value === 'FILE' || value === 'PATH';
export const spellings = ({ name, short }: Option): readonly string[] =>
  short === null ? [name] : [short, name];
