// Powers this host off: by a command here, or in a container over the delegate of its host. A late command is better than none, so
// it keeps its full budget.
import * as t from 'io-ts';
import { orNull } from '../base/units.js';
import { CommandLine } from '../commands/command-line.js';
import { commandText } from '../commands/shell-words.js';
import { withSudo } from '../commands/with-sudo.js';
import { kind, need } from './kind.js';
import { loginOf, remoteCommands, RemoteWork, workWords } from './remote-work.js';
import { restartWords } from './restart-words.js';

const afterFailures = (text: string): string => `after three failures: ${text}`;
/** What may run in place of the command. */
const others = <C>(
  fallback: C | null,
  restart: C | undefined,
  textOf: (command: C) => string,
): readonly string[] => [
  ...(fallback === null ? [] : [afterFailures(textOf(fallback))]),
  ...(restart === undefined ? [] : [restartWords(textOf(restart))]),
];

export const poweroff = kind({
  name: 'poweroff',
  properties: { command: CommandLine, fallback: t.union([CommandLine, t.null]) },
  /** Runs in place of the command where power is back. */
  optional: { restart: CommandLine },
  words: ({ command }, target) => `power off ${target} with: ${command.join(' ')}`,
  details: ({ command, fallback, restart }, limit) => [
    `${commandText(command)} (${limit} for each attempt)`,
    ...others(fallback, restart, commandText),
  ],
  outlook: ({ command, fallback, restart }) => [
    commandText(command),
    ...others(fallback, restart, commandText),
  ],
  needs: ({ command, fallback, restart }) => [
    ...[command, ...(fallback === null ? [] : [fallback])].map(([program = '']) =>
      need([program], 'local_shutdown', 'this machine would stay on until the battery is empty'),
    ),
    ...(restart === undefined
      ? []
      : [
          need([restart[0] ?? ''], 'local_shutdown', 'this machine would stay on with nothing running on it'),
        ]),
  ],
  leastSeconds: (_, budgetSeconds) => budgetSeconds,
  powersOffHost: true,
});

interface DelegateCommands {
  readonly work: RemoteWork;
  readonly fallback: string | null;
  readonly restart?: string;
}

const delegateOthers = ({ work: { useSudo }, fallback, restart }: DelegateCommands): readonly string[] =>
  others(fallback, restart, (text) => withSudo(text, useSudo));

export const poweroffDelegate = kind({
  name: 'poweroffDelegate',
  /** `fallback` replaces the final command. */
  properties: { work: RemoteWork, fallback: orNull(t.string) },
  optional: { restart: t.string },
  words: ({ work }) => workWords(work),
  details: (action, limit, early) => [
    `${loginOf(action.work)}, ${limit}${early}`,
    ...remoteCommands(action.work),
    ...delegateOthers(action),
  ],
  outlook: (action, words) => [words, ...delegateOthers(action)],
  leastSeconds: (_, budgetSeconds) => budgetSeconds,
  powersOffHost: true,
});
