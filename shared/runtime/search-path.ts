// The PATH of local commands, for running them and for the check whether they are installed.

/** systemd's default, with the sbin directories, where `shutdown` is. */
const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * `own` is the PATH of the daemon's environment. The default directories follow it: a daemon started by cron, by su or
 * with an empty environment has no sbin in its PATH and would not find the power-off command.
 */
export function commandPath(own: string | undefined): string {
  return own === undefined || own === '' ? defaultPath : `${own}:${defaultPath}`;
}
