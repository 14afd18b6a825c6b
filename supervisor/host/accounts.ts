// The accounts workers are dropped to, by number: read once at start, so that no restart of a worker waits for a
// directory service or a disk.
import { readFileSync } from 'node:fs';

export interface Account {
  readonly uid: number;
  readonly gid: number;
  /** Further groups it is a member of (group(5)); its workers keep them and no others. */
  readonly groups: readonly number[];
}

export type Accounts = ReadonlyMap<string, Account>;

/** The machine's own accounts. Those of sysusers are always local ones; a directory service is not asked. */
export function readAccounts(passwd = '/etc/passwd', group = '/etc/group'): Accounts {
  return parseAccounts(readFileSync(passwd, 'utf8'), readFileSync(group, 'utf8'));
}

/** Lines of passwd(5) and group(5); those that are none are passed over. */
export function parseAccounts(text: string, groupText = ''): Accounts {
  const memberships = parseMemberships(groupText);
  const accounts = new Map<string, Account>();
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && /^\d+$/.test(uid ?? '') && /^\d+$/.test(gid ?? ''))
      accounts.set(name, { uid: Number(uid), gid: Number(gid), groups: memberships.get(name) ?? [] });
  }
  return accounts;
}

/** The numbers of the groups that name each user as a member. */
function parseMemberships(text: string): ReadonlyMap<string, readonly number[]> {
  const memberships = new Map<string, number[]>();
  for (const line of text.split('\n')) {
    const [, , gid, members] = line.split(':');
    if (!/^\d+$/.test(gid ?? '')) continue;
    for (const member of (members ?? '').split(',').filter((name) => name !== ''))
      memberships.set(member, [...(memberships.get(member) ?? []), Number(gid)]);
  }
  return memberships;
}

/** Numbers of the machine's own groups, by name (group(5)). */
export function readGroups(path = '/etc/group'): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [name, , gid] = line.split(':');
    if (name && /^\d+$/.test(gid ?? '')) groups.set(name, Number(gid));
  }
  return groups;
}
