// What init says of a script, in short, for its tests.
import { judge } from '../../../../../scripts/commands/init/from/shell/judge.js';
import type { ScriptVerdict } from '../../../../../scripts/commands/init/from/shell/verdict.js';

export const judged = (
  text: string,
  name = 'off',
  variables: Readonly<Record<string, string>> = {},
): ScriptVerdict =>
  judge(text, {
    args: [name],
    variables: new Map(Object.entries({ NOTIFYTYPE: 'ONBATT', UPSNAME: 'office@localhost', ...variables })),
    shutdownCommand: ['/usr/local/sbin/node-down.sh'],
  });

/** "down 300", "no", "unsure 5". */
export const short = (verdict: ScriptVerdict): string =>
  verdict.kind === 'down'
    ? `down ${String(verdict.seconds)}`
    : verdict.kind === 'no'
      ? 'no'
      : `unsure ${verdict.commands.map(({ line }) => String(line)).join(' ')}`;
