// Writes file systems out, and unmounts them. All of it in processes of their own: this one never looks at a mount,
// since a mount that hangs holds whoever looks at it.
import { readFileSync } from 'node:fs';
import { splitCommand } from '../../config/schema/command.js';
import type { Performer } from '../actuator.js';
import type { CommandOutcome } from '../../host/run-command.js';
import type { StepOutcome } from '../outcome.js';
import { failed, outcomeOf } from '../outcome.js';
import type { LocalDependencies } from './local-calls.js';
import { call, faultOf, named, StepTime } from './local-calls.js';

/** Finding out who keeps a mount busy is a courtesy: it gets this long, and what is left of the budget at most. */
const holdersSeconds = 2;

/** A disk that does not answer holds only the program: at the end of the budget it is left behind. */
export function syncPerformer({ run }: Pick<LocalDependencies, 'run'>): Performer<'sync'> {
  return async (_action, _step, signal) => outcomeOf(await run(['sync'], signal));
}

export function unmountPerformer(tools: LocalDependencies): Performer<'unmount'> {
  return async ({ path, options }, { budgetSeconds }, signal) => {
    const time = new StepTime(tools.clock, budgetSeconds);
    const split = splitCommand(options);
    const words = split.ok ? split.words : [];
    // Its messages decide below: they must be the untranslated ones. With -c it does not look at the mount before it
    // goes: one whose server is gone is unmounted at once, where a plain umount hangs.
    const command = [...tools.host.mountsPrefix, 'env', 'LC_ALL=C', 'umount', '-c', ...words, '--', path];
    const outcome = await call(tools, signal, time.leftSeconds * 0.9, command);
    return (
      unmounted(outcome, path) ??
      failed(`${faultOf(outcome) ?? ''}${await heldBy(tools, path, time, outcome, signal)}`)
    );
  };
}

/** Undefined when it failed for a reason that has to be said. */
function unmounted(outcome: CommandOutcome, path: string): StepOutcome | undefined {
  if (outcome.kind === 'abandoned') {
    const reason =
      'umount did not end within its budget and was left behind: the file system, or its server, does not answer';
    return { kind: 'failed', how: 'timeout', reason };
  }
  if (outcome.kind !== 'exited') return undefined;
  if (outcome.code === 0) return { kind: 'done' };
  if (/not mounted|no mount point specified|not found/.test(outcome.output))
    return { kind: 'skipped', reason: `${path} is not mounted` };
  return undefined;
}

/** Who has files open below a busy mount, found in /proc alone: links there are read without touching what they lead to. */
async function heldBy(
  tools: LocalDependencies,
  path: string,
  time: StepTime,
  outcome: CommandOutcome,
  signal: AbortSignal,
): Promise<string> {
  if (outcome.kind !== 'exited' || !/busy/.test(outcome.output)) return '';
  const seconds = Math.min(holdersSeconds, time.leftSeconds * 0.9);
  const pattern = path.replace(/\/+$/, '').replaceAll(/[*?[\]\\]/g, '\\$&');
  // Processes that end meanwhile make find complain and exit 1, having listed all the same.
  const search =
    'find /proc/[0-9]*/cwd /proc/[0-9]*/root /proc/[0-9]*/fd -maxdepth 1 ' +
    '"(" -lname "$1" -o -lname "$1/*" ")" -printf "%p\\n" 2>/dev/null; :';
  const command = [...tools.host.mountsPrefix, 'sh', '-c', search, 'sh', pattern];
  const listing = await call(tools, signal, seconds, command, 'listing');
  if (listing.kind !== 'exited') return '';
  const pids = new Set(
    listing.output.split('\n').flatMap((line) => /^\/proc\/(\d+)\//.exec(line)?.[1] ?? []),
  );
  const holders = [...pids].map((pid) => `${nameOf(pid)} (pid ${pid})`);
  return holders.length === 0 ? '' : `; in use by ${named(holders)}`;
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    // It has ended since.
    return 'a process that has ended';
  }
}
