// Where local commands are looked for: by what runs them, and by what says beforehand that one is missing.

/** systemd's default, with the sbin folders: there `shutdown` lies. */
const usualFolders = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * `own` is the PATH of the daemon's environment. The usual folders come behind it: a daemon started by cron, by su or
 * with an empty environment has no sbin in its PATH, and would not find the power-off when it is needed.
 */
export function commandPath(own: string | undefined): string {
  return own === undefined || own === '' ? usualFolders : `${own}:${usualFolders}`;
}
