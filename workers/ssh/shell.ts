// Text for the shells of servers: what is put around a command, and how it is known that a shell understands it.
// Pure. Anything but a POSIX shell (Windows, a forced command, a restricted shell) gets the operator's text as it is.

/** Where tools of administration lie that a login without a terminal does not look for, Synology's among them. */
const moreFolders =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/syno/sbin:/usr/syno/bin:/usr/local/syno/bin';

/** Appended: what the server has set up itself goes before. */
export const extendPath = `PATH="$PATH:${moreFolders}"; export PATH`;

/**
 * A harmless question that only a POSIX shell answers with `posixAnswer`: PowerShell, cmd, csh and fish know no such
 * expansion, a forced or restricted command says something of its own.
 */
export const shellQuestion = 'echo ridethrough-${PATH:+posix}';
export const posixAnswer = 'ridethrough-posix';

/**
 * Ends the shell's whole process group `seconds` later, politely and after another second for good, unless told to go
 * with SIGTERM. sshd makes every command the leader of a group of its own; where it is none, the shell itself is ended.
 * Needs nothing but kill and sleep, and works when the connection is gone and when the login is root's, for whom sshd
 * passes no signals on. It holds none of the command's output open.
 */
function watchdog(seconds: number): string {
  const group = (signal: string): string => `kill -s ${signal} -- "-$$" || kill -s ${signal} "$$"`;
  return [
    `( _rt_s=; trap '[ -z "$_rt_s" ] || kill "$_rt_s"; exit 0' TERM; sleep ${String(seconds)} & _rt_s=$!; wait "$_rt_s"`,
    `trap '' TERM; ${group('TERM')}; sleep 1; ${group('KILL')} ) </dev/null >/dev/null 2>&1 &`,
    `_rt_w=$!`,
  ].join('\n');
}

/** The watchdog comes after our own deadline: then it is known here why the command ended. */
const watchdogSeconds = (timeoutMs: number): number => Math.ceil(timeoutMs / 1000) + 1;

/** The operator's text for a login shell that is POSIX: with the longer PATH, and with an end. */
export function guarded(text: string, timeoutMs: number): string {
  return [
    extendPath,
    watchdog(watchdogSeconds(timeoutMs)),
    // A subshell: an "exit" in the text must not pass the watchdog by.
    '(',
    text,
    ')',
    '_rt_r=$?',
    'kill "$_rt_w" 2>/dev/null',
    'exit "$_rt_r"',
  ].join('\n');
}

/** Starts a POSIX shell that reads its script from standard input, from whatever shell the login has. */
export const scriptShell = 'exec sh';

/** A script of our own for `scriptShell`: read whole before anything of it runs, so that no tool can eat the rest. */
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
