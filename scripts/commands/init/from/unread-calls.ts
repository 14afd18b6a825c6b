// Lines for ssh in scripts, or parts of them, that init does not read.

/** Programs and modules of Python and Perl; not `.ssh/id`. A comment calls none. */
const reaches =
  /(?<![\w./-])(?:(?:\/usr\/(?:local\/)?bin\/)?(?:ssh|sshpass|plink|dbclient)\s+\S|['"]ssh['"]|paramiko|asyncssh|pexpect|pxssh|fabric\b|Net::(?:Open)?SSH)/;

/** The number of the first one after a line; null where there is none. */
export function lineOfSsh(text: string, after: number): number | null {
  const at = text
    .split('\n')
    .findIndex((line, index) => index >= after && !/^\s*#/.test(line) && reaches.test(line));
  return at < 0 ? null : at + 1;
}
