// The accounts of workers, by number. Read once at start: no restart of a worker waits for a directory service or a disk.
import { readFileSync } from 'node:fs';

export interface Account {
  readonly uid: number;
  readonly gid: number;
  /** Its supplementary groups (group(5)); its workers keep them and no others. */
  readonly groups: readonly number[];
}

export type Accounts = ReadonlyMap<string, Account>;

/** The local accounts of this machine, which include those of sysusers. No directory service is queried. */
export function readAccounts(passwd = '/etc/passwd', group = '/etc/group'): Accounts {
  return parseAccounts(textOf(passwd), textOf(group));
}

/** Empty where it cannot be read: an image of a container may have none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Parses passwd(5) and group(5); other lines are skipped. */
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

/** The supplementary groups of each user. */
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

/** The numbers of the local groups, by name (group(5)). */
export function readGroups(path = '/etc/group'): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  for (const line of textOf(path).split('\n')) {
    const [name, , gid] = line.split(':');
    if (name && /^\d+$/.test(gid ?? '')) groups.set(name, Number(gid));
  }
  return groups;
}
