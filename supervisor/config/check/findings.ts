// The findings of the rules across fields, and the lookups those rules share.
import type { Problem } from '../../../shared/domain/base/decode.js';
import type { UpsAddress } from '../../../shared/domain/ups/ups-name.js';
import { nearest } from '../../../shared/domain/base/nearest-name.js';
import { fullUpsName, groupIdOf, parseUpsName } from '../../../shared/domain/ups/ups-name.js';
import { groupLabel, upsLabel } from '../schema/labels.js';
import type { ConfigFile, GroupEntry, ServerEntry, UpsEntry } from '../schema/file.js';

/** Problems prevent the start; warnings are for settings that are valid and probably not intended. Collected, never thrown. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly warnings: string[] = [];

  problem(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  warning(path: string, message: string): void {
    this.warnings.push(path === '' ? message : `${path}: ${message}`);
  }
}

/** A UPS or redundancy group, which owns servers and local resources. */
export interface Owner {
  readonly path: string;
  readonly name: string;
  readonly entry: UpsEntry | GroupEntry;
  readonly isLocal: boolean;
  readonly servers: readonly ServerEntry[];
}

export function ownersOf(file: ConfigFile): readonly Owner[] {
  const owner = (path: string, entry: UpsEntry | GroupEntry): Owner => ({
    path,
    name: entry.name,
    entry,
    isLocal: entry.is_local ?? false,
    servers: entry.remote_servers ?? [],
  });
  return [
    ...(file.ups ?? []).map((entry) => owner(upsLabel(entry.name), entry)),
    ...(file.redundancy_groups ?? []).map((entry) => owner(groupLabel(entry.name), entry)),
  ];
}

/** The address of a name that the codec has accepted. */
export function addressOf(name: string): UpsAddress {
  const address = parseUpsName(name);
  if (address === undefined) throw new Error('a UPS name passed the codec and cannot be parsed');
  return address;
}

/** Cached per file: a file may contain hundreds of UPSes and thousands of references to them. */
const indexes = new WeakMap<ConfigFile, ReadonlyMap<string, UpsEntry>>();

/** The UPS of a `source` of a redundancy group, in any spelling; the first of duplicates. */
export function upsNamed(file: ConfigFile, source: string): UpsEntry | undefined {
  const address = parseUpsName(source);
  if (address === undefined) return undefined;
  let index = indexes.get(file);
  if (index === undefined) {
    const entries = (file.ups ?? []).map((entry) => [fullUpsName(addressOf(entry.name)), entry] as const);
    index = new Map(entries.toReversed());
    indexes.set(file, index);
  }
  return index.get(fullUpsName(address));
}

/** Why `name` is neither a UPS nor a redundancy group; undefined when it is. */
export function unknownSource(file: ConfigFile, name: string): string | undefined {
  const groups = (file.redundancy_groups ?? []).map((group) => group.name);
  if (groups.includes(name) || upsNamed(file, name) !== undefined) return undefined;
  const hint = nearest(name, [...(file.ups ?? []).map((ups) => ups.name), ...groups]);
  const advice = hint === undefined ? '' : `; did you mean "${hint}"?`;
  return `"${name}" is no UPS and no redundancy group${advice}`;
}

/** The groupId of a UPS or redundancy group that `unknownSource` accepts. */
export function sourceOf(file: ConfigFile, name: string): string {
  const isGroup = file.redundancy_groups?.some((group) => group.name === name) === true;
  return isGroup ? `redundancy-${groupIdOf(name)}` : groupIdOf(upsNamed(file, name)?.name ?? name);
}

/** The names of the redundancy groups of each member. */
export function groupsOfMembers(file: ConfigFile): ReadonlyMap<UpsEntry, readonly string[]> {
  const found = new Map<UpsEntry, readonly string[]>();
  for (const { name, ups_sources: sources } of file.redundancy_groups ?? []) {
    for (const source of sources) {
      const member = upsNamed(file, source);
      if (member !== undefined) found.set(member, [...(found.get(member) ?? []), name]);
    }
  }
  return found;
}
