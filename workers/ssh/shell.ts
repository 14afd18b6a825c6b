// Text for the shells of servers: the wrapper around a command, and the test for a POSIX shell. Pure. Any other shell
// (Windows, a forced command, a restricted shell) gets the operator's text unchanged.

/** Folders of administration tools that are not in the PATH of a login without a terminal, Synology's included. */
const moreFolders =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/syno/sbin:/usr/syno/bin:/usr/local/syno/bin';

/** Appended: the PATH of the server comes first. */
const extendPath = `PATH="$PATH:${moreFolders}"; export PATH`;

/** Prints `WORD` between two marks, which no text that is echoed has: only a POSIX shell has this expansion. */
const say = (word: string): string => `echo ridethrough-\${PATH:+${word}}-ridethrough`;
const said = (word: string): string => `ridethrough-${word}-ridethrough`;

/**
 * A harmless command that only a POSIX shell answers. PowerShell, cmd, csh and fish lack this expansion; a forced or restricted
 * command prints something else.
 */
export const shellCheck = say('posix');

/** The last that an answer or a report has: what comes after it is noise. */
export const lastWords: readonly string[] = [said('posix'), said('end')];

/** The answer may stand anywhere: start files of a login print before it, after it and on its line. */
export const isPosixAnswer = (stdout: string): boolean => stdout.includes(said('posix'));

/**
 * What a script of the daemon reported, without what the start files of the login printed; null: it did not run. One that was
 * ended has no end, and of a long report only the end is kept.
 */
export function scriptReport(stdout: string): string | null {
  const begin = stdout.indexOf(said('begin'));
  const end = stdout.lastIndexOf(said('end'));
  if (begin === -1 && end === -1) return null;
  return stdout.slice(begin === -1 ? 0 : begin + said('begin').length, end === -1 ? undefined : end);
}

/**
 * Ends the process group of the shell after `seconds` with SIGTERM and a second later with SIGKILL, unless it gets SIGTERM
 * before. sshd makes every command the leader of its own group; elsewhere it ends only the shell. Needs only kill and sleep,
 * and works without the connection and for logins of root, to which sshd forwards no signals. It holds no output of the command
 * open.
 */
function watchdog(seconds: number): string {
  const group = (signal: string): string => `kill -s ${signal} -- "-$$" || kill -s ${signal} "$$"`;
  return [
    `( _rt_s=; trap '[ -z "$_rt_s" ] || kill "$_rt_s"; exit 0' TERM; sleep ${String(seconds)} & _rt_s=$!; wait "$_rt_s"`,
    `trap '' TERM; ${group('TERM')}; sleep 1; ${group('KILL')} ) </dev/null >/dev/null 2>&1 &`,
    `_rt_w=$!`,
  ].join('\n');
}

/** The watchdog acts after the deadline on this side, so that this side knows the reason of the end. */
const watchdogSeconds = (timeoutMs: number): number => Math.ceil(timeoutMs / 1000) + 1;

/** The operator's text for a POSIX login shell: with the extended PATH and the watchdog. */
export function guardCommand(text: string, timeoutMs: number): string {
  return [
    extendPath,
    watchdog(watchdogSeconds(timeoutMs)),
    // A subshell: an "exit" in the text must not bypass the watchdog.
    '(',
    text,
    ')',
    '_rt_r=$?',
    'kill "$_rt_w" 2>/dev/null',
    'exit "$_rt_r"',
  ].join('\n');
}

/** Starts a POSIX shell that reads its script from standard input, from any login shell. */
export const scriptShell = 'exec sh';

/** A script of the daemon for `scriptShell`: read completely before it runs, so that no tool can read the rest. */
export function script(lines: readonly string[], timeoutMs: number): string {
  return [
    '{',
    say('begin'),
    'LC_ALL=C; export LC_ALL',
    extendPath,
    'cd /',
    watchdog(watchdogSeconds(timeoutMs)),
    `finish() { kill "$_rt_w" 2>/dev/null; ${say('end')}; exit "$1"; }`,
    ...lines,
    'finish 0',
    '} </dev/null',
    '',
  ].join('\n');
}
