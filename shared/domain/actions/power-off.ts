// Powers this host off: by a command here, or in a container over the delegate of its host. A late command is better than none, so
// it keeps its full budget.
import * as t from 'io-ts';
import { orNull } from '../base/units.js';
import { CommandLine } from '../commands/command-line.js';
import { commandText } from '../commands/shell-words.js';
import { withSudo } from '../commands/with-sudo.js';
import { kind, need } from './kind.js';
import { loginOf, remoteCommands, RemoteWork, workWords } from './remote-work.js';

const afterFailures = (text: string): string => `after three failures: ${text}`;
const linesOf = (command: CommandLine | null): readonly string[] =>
  command === null ? [] : [afterFailures(commandText(command))];

export const poweroff = kind({
  name: 'poweroff',
  properties: { command: CommandLine, fallback: t.union([CommandLine, t.null]) },
  words: ({ command }, target) => `power off ${target} with: ${command.join(' ')}`,
  details: ({ command, fallback }, limit) => [
    `${commandText(command)} (${limit} for each attempt)`,
    ...linesOf(fallback),
  ],
  outlook: ({ command, fallback }) => [commandText(command), ...linesOf(fallback)],
  needs: ({ command, fallback }) =>
    [command, ...(fallback === null ? [] : [fallback])].map(([program = '']) =>
      need([program], 'local_shutdown', 'this machine would stay on until the battery is empty'),
    ),
  leastSeconds: (_, budgetSeconds) => budgetSeconds,
  powersOffHost: true,
});

export const poweroffDelegate = kind({
  name: 'poweroffDelegate',
  /** `fallback` replaces the final command. */
  properties: { work: RemoteWork, fallback: orNull(t.string) },
  words: ({ work }) => workWords(work),
  details: ({ work, fallback }, limit, early) => [
    `${loginOf(work)}, ${limit}${early}`,
    ...remoteCommands(work),
    ...(fallback === null ? [] : [afterFailures(withSudo(fallback, work.useSudo))]),
  ],
  leastSeconds: (_, budgetSeconds) => budgetSeconds,
  powersOffHost: true,
});
