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
const ifPowerIsBack = (text: string): string => `if power is back: restart instead: ${text}`;
const linesOf = (command: CommandLine | null): readonly string[] =>
  command === null ? [] : [afterFailures(commandText(command))];

export const poweroff = kind({
  name: 'poweroff',
  properties: { command: CommandLine, fallback: t.union([CommandLine, t.null]) },
  /** Runs in place of the command where power is back. */
  optional: { restart: CommandLine },
  words: ({ command }, target) => `power off ${target} with: ${command.join(' ')}`,
  details: ({ command, fallback, restart }, limit) => [
    `${commandText(command)} (${limit} for each attempt)`,
    ...linesOf(fallback),
    ...(restart === undefined ? [] : [ifPowerIsBack(commandText(restart))]),
  ],
  outlook: ({ command, fallback, restart }) => [
    commandText(command),
    ...linesOf(fallback),
    ...(restart === undefined ? [] : [ifPowerIsBack(commandText(restart))]),
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

export const poweroffDelegate = kind({
  name: 'poweroffDelegate',
  /** `fallback` replaces the final command. */
  properties: { work: RemoteWork, fallback: orNull(t.string) },
  optional: { restart: t.string },
  words: ({ work }) => workWords(work),
  details: ({ work, fallback, restart }, limit, early) => [
    `${loginOf(work)}, ${limit}${early}`,
    ...remoteCommands(work),
    ...(fallback === null ? [] : [afterFailures(withSudo(fallback, work.useSudo))]),
    ...(restart === undefined ? [] : [ifPowerIsBack(withSudo(restart, work.useSudo))]),
  ],
  leastSeconds: (_, budgetSeconds) => budgetSeconds,
  powersOffHost: true,
});
