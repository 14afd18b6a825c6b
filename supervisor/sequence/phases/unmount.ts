// Unmounts file systems, in child processes. This process never accesses a mount: a mount that hangs blocks
// every process that accesses it.
import { listNames } from '../../../shared/domain/base/list-names.js';
import { readFileSync } from 'node:fs';
import { splitCommand } from '../../config/schema/command.js';
import type { Performer } from '../actuator.js';
import type { CommandOutcome } from '../../host/run-command.js';
import type { StepOutcome } from '../outcome.js';
import { failureOf } from '../outcome.js';
import type { LocalDependencies } from './local-calls.js';
import { call, faultOf, StepTime } from './local-calls.js';

/** The search for the processes that keep a mount busy is optional: it takes this long at most. */
const holdersSeconds = 2;

export function unmountPerformer(deps: LocalDependencies): Performer<'unmount'> {
  return async ({ path, options }, { budgetSeconds }, signal) => {
    const time = new StepTime(deps.clock, budgetSeconds);
    const split = splitCommand(options);
    const words = split.ok ? split.words : [];
    // LC_ALL=C: the code below matches untranslated messages. With -c umount does not access the mount first: it unmounts
    // one without a server immediately, where a plain umount hangs.
    const command = [...deps.host.mountsPrefix, 'env', 'LC_ALL=C', 'umount', '-c', ...words, '--', path];
    const outcome = await call(deps, signal, time.leftSeconds * 0.9, command);
    return (
      unmountOutcome(outcome, path) ??
      failureOf(`${faultOf(outcome) ?? ''}${await holdersOf(deps, path, time, outcome, signal)}`)
    );
  };
}

/** Undefined when umount failed for another reason. */
function unmountOutcome(outcome: CommandOutcome, path: string): StepOutcome | undefined {
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

/** The processes with open files below a busy mount, found in /proc: the links are read and not followed. */
async function holdersOf(
  deps: LocalDependencies,
  path: string,
  time: StepTime,
  outcome: CommandOutcome,
  signal: AbortSignal,
): Promise<string> {
  if (outcome.kind !== 'exited' || !/busy/.test(outcome.output)) return '';
  const seconds = Math.min(holdersSeconds, time.leftSeconds * 0.9);
  const pattern = path.replace(/\/+$/, '').replaceAll(/[*?[\]\\]/g, '\\$&');
  // When a process ends meanwhile, find prints an error and exits 1, and its list is still complete.
  const search =
    'find /proc/[0-9]*/cwd /proc/[0-9]*/root /proc/[0-9]*/fd -maxdepth 1 ' +
    '"(" -lname "$1" -o -lname "$1/*" ")" -printf "%p\\n" 2>/dev/null; :';
  const command = [...deps.host.mountsPrefix, 'sh', '-c', search, 'sh', pattern];
  const listing = await call(deps, signal, seconds, command, 'listing');
  if (listing.kind !== 'exited') return '';
  const pids = new Set(
    listing.output.split('\n').flatMap((line) => /^\/proc\/(\d+)\//.exec(line)?.[1] ?? []),
  );
  const holders = [...pids].map((pid) => `${nameOf(pid)} (pid ${pid})`);
  return holders.length === 0 ? '' : `; in use by ${listNames(holders)}`;
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    // The process has ended meanwhile.
    return 'a process that has ended';
  }
}
