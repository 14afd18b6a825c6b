// Numeric ids of the accounts the workers run as. Read once, at start, from the local files systemd-sysusers writes:
// a name service that hangs must not hold the daemon.
import { readFileSync } from 'node:fs';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Accounts {
  user(name: string): Account | undefined;
  groupId(name: string): number | undefined;
}

export function readAccounts(passwdFile = '/etc/passwd', groupFile = '/etc/group'): Accounts {
  const users = new Map(
    rowsOf(passwdFile).map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  const groups = new Map(rowsOf(groupFile).map(([name = '', , gid]) => [name, Number(gid)]));
  return { user: (name) => users.get(name), groupId: (name) => groups.get(name) };
}

function rowsOf(file: string): readonly string[][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((row) => row.length >= 4 || (file.endsWith('group') && row.length >= 3));
}
