// How this process starts any other program: never directly. Decides nothing about what is run.
import type { CommandLine } from '../../shared/domain/plan.js';

/** What the launcher calls itself when it could not start the program. */
const launcherName = 'ridethrough';

/**
 * The words to spawn for `command`. Node waits, with everything standing still, until the kernel has opened the program's
 * file: seen, a program on a file system that does not answer holds the supervisor for ever. The shell is in memory, since
 * the watchdog is fed through it every ten seconds; it takes the program's place (same process, same arguments, none of
 * them interpreted), and waits for the file itself. PATH is searched by it, too: a folder of it may hang as well.
 */
export function launched(command: CommandLine): { readonly file: string; readonly args: readonly string[] } {
  return { file: '/bin/sh', args: ['-c', 'exec "$@"', launcherName, ...command] };
}

/** Why the launcher could not start the program; undefined when `output` is the program's own. Status as of sh(1). */
export function unstartable(code: number, output: string): string | undefined {
  if ((code !== 126 && code !== 127) || !output.startsWith(`${launcherName}: `)) return undefined;
  // "ridethrough: 1: exec: PROGRAM: not found", with "line 1" in other shells.
  return output
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/^.*?exec: /, '');
}
