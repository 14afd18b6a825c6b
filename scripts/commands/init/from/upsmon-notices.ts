// NOTIFYCMD and NOTIFYFLAG of upsmon.conf: a program that is no upssched becomes a hook on the types with EXEC.
import { basename } from 'node:path';
import type { Table } from '../../../../shared/domain/config-draft.js';
import type { EventType } from '../../../../shared/domain/events.js';
import { eventOf, Hooks, withoutEvent } from './hook-rows.js';
import { shellCommand } from './source.js';
import type { UpsmonLine } from './upsmon-lines.js';
import { lastOf } from './upsmon-lines.js';

export const runsUpssched = (lines: readonly UpsmonLine[]): boolean =>
  basename(shellCommand(lastOf(lines, 'NOTIFYCMD') ?? '')[0] ?? '') === 'upssched';

/** The flags of each type; the last line of a type counts. */
export function flagsOf(lines: readonly UpsmonLine[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    lines.flatMap(({ key, words: [type = '', flags = ''] }) =>
      key === 'NOTIFYFLAG' ? [[type, new Set(flags.split('+'))] as const] : [],
    ),
  );
}

/** The types at which upsmon runs NOTIFYCMD. */
export const executedTypes = (lines: readonly UpsmonLine[]): readonly string[] =>
  [...flagsOf(lines)].filter(([, words]) => words.has('EXEC')).map(([type]) => type);

export function addNotices(file: Table, lines: readonly UpsmonLine[]): Hooks {
  const hooks = new Hooks(file);
  const command = lastOf(lines, 'NOTIFYCMD') ?? '';
  const flags = [...flagsOf(lines)];
  const silent = flags.filter(([, words]) => words.has('IGNORE')).map(([type]) => type);
  if (silent.length > 0)
    hooks.leavesOut({
      what: `NOTIFYFLAG ${silent.join(', ')} IGNORE`,
      why: 'nothing is sent yet; notifications.suppress',
    });
  if (command === '' || runsUpssched(lines)) return hooks;
  const types = executedTypes(lines);
  const on: EventType[] = [];
  for (const type of types) {
    const event = eventOf(type);
    if (event !== undefined) on.push(event);
    else
      hooks.leavesOut({
        what: `NOTIFYFLAG ${type} EXEC`,
        why: withoutEvent[type] ?? 'there is no such event here',
      });
  }
  if (on.length > 0)
    hooks.add(
      { on, command: shellCommand(command) },
      'NOTIFYCMD: it gets NOTIFYTYPE and UPSNAME as under upsmon, and the text in DETAIL, not as an argument',
    );
  return hooks;
}
