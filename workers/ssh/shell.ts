// Text for the shells of servers: the wrapper around a command, and the test for a POSIX shell. Pure. Any other shell
// (Windows, a forced command, a restricted shell) gets the operator's text unchanged.

/** Folders of administration tools that are not in the PATH of a login without a terminal, Synology's included. */
const moreFolders =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/syno/sbin:/usr/syno/bin:/usr/local/syno/bin';

/** Appended: the PATH of the server comes first. */
const extendPath = `PATH="$PATH:${moreFolders}"; export PATH`;

/**
 * A harmless command that only a POSIX shell answers with `posixAnswer`. PowerShell, cmd, csh and fish lack this expansion; a
 * forced or restricted command prints something else.
 */
export const shellCheck = 'echo ridethrough-${PATH:+posix}';
export const posixShell = 'ridethrough-posix';

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
export function guarded(text: string, timeoutMs: number): string {
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
    'LC_ALL=C; export LC_ALL',
    extendPath,
    'cd /',
    watchdog(watchdogSeconds(timeoutMs)),
    'finish() { kill "$_rt_w" 2>/dev/null; exit "$1"; }',
    ...lines,
    'finish 0',
    '} </dev/null',
    '',
  ].join('\n');
}
