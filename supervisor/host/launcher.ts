// Starts other programs through a shell, never directly. Decides nothing about what is run.
import type { CommandLine } from '../../shared/domain/commands/command-line.js';

/** The prefix of the shell's error messages. */
const launcherName = 'ridethrough';

/**
 * The program to spawn for `command`. Node's spawn blocks the event loop until the kernel has opened the program file; a
 * program on a file system that does not answer would block the supervisor for ever. /bin/sh stays in memory, because the watchdog is
 * fed through it every ten seconds. The shell searches PATH, whose directories may hang as well, and then execs the
 * program: same process, same arguments, none of them interpreted.
 */
export function launchCommand(command: CommandLine): {
  readonly file: string;
  readonly args: readonly string[];
} {
  return { file: '/bin/sh', args: ['-c', 'exec "$@"', launcherName, ...command] };
}

/** Why the shell could not start the program; undefined when `output` is the program's. Exit status as in sh(1). */
export function startFailure(code: number, output: string): string | undefined {
  if ((code !== 126 && code !== 127) || !output.startsWith(`${launcherName}: `)) return undefined;
  // "ridethrough: 1: exec: PROGRAM: not found", with "line 1" in other shells.
  return output
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/^.*?exec: /, '');
}
