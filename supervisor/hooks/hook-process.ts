// How the process of a hook is started: as a user of its own, without privileges, last in line for processor and memory, with
// an environment that has nothing of the daemon's. What the hook does with it costs nothing but itself.
import type { EventType } from '../../shared/domain/status/events.js';
import { singleLine } from '../../shared/domain/base/single-line.js';
import type { Account } from '../host/accounts.js';
import { commandPath } from '../../shared/runtime/search-path.js';
import { setprivWords } from '../supervision/worker-command.js';
import { notifyTypeOf } from './notify-types.js';

/** Processes of the hooks' user: enough for scripts, and far below what the unit of the daemon allows (TasksMax). */
const maxProcesses = 128;
/** Of one value. */
const maxBytes = 1024;

export interface HookFacts {
  readonly event: EventType;
  /** The configured name of the UPS or group; empty for the daemon. */
  readonly ups: string;
  readonly detail: string;
}

/** `account` null: the user of the daemon, whose other processes a limit of processes would count too. */
export function hookCommand(command: readonly string[], account: Account | null): readonly string[] {
  return [
    ...['/usr/bin/nice', '-n', '19'],
    // The first to go when memory is short: a process may always raise this.
    ...['/usr/bin/choom', '-n', '1000', '--'],
    ...(account === null ? [] : ['/usr/bin/prlimit', `--nproc=${String(maxProcesses)}`, '--']),
    ...setprivWords(account),
    ...command,
  ];
}

/** Facts come only in the environment, never in a command line. */
export function hookEnvironment(
  { event, ups, detail }: HookFacts,
  own: NodeJS.ProcessEnv,
): Record<string, string> {
  const name = boundText(ups);
  const zone = own['TZ'];
  return {
    PATH: commandPath(own['PATH']),
    LANG: 'C.UTF-8',
    HOME: '/',
    ...(zone === undefined ? {} : { TZ: zone }),
    EVENT: event,
    UPS: name,
    DETAIL: boundText(detail),
    NOTIFYTYPE: notifyTypeOf(event),
    UPSNAME: name,
  };
}

/** Without control characters, at most 1 kB. */
export function boundText(text: string): string {
  const bytes = Buffer.from(singleLine(text));
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  // The last character may be cut in the middle.
  return bytes.toString('utf8', 0, maxBytes).replace(/\uFFFD+$/u, '');
}
