// The configuration as flat settings by dotted path, with defaults applied and secrets as digests. A reload compares them.
import type { Keys } from '../../../shared/domain/base/keys.js';
import { withDefaults } from '../../../shared/domain/base/keys.js';
import type { Configuration, SettingPath } from '../configuration/configuration.js';
import { elementLabel } from '../schema/labels.js';
import type { ConfigFile } from '../schema/file.js';
import { fileKeys } from '../schema/file.js';
import type { Secrets } from '../read/secrets.js';
import { digestOf } from '../read/secrets.js';
import type { SshKeys } from '../read/ssh-keys.js';

/** Data from other files. */
export interface ReadFiles {
  readonly secrets: Secrets;
  readonly keys: SshKeys;
  readonly caPem: string | null;
  readonly client: Configuration['nut']['client'];
}

/** Path to value as JSON. An element of a named list has an entry with the value "", which marks its presence. */
type Flat = Record<SettingPath, string>;

/** `file` has its secrets read. */
export function flattenSettings(file: ConfigFile, { keys, caPem, client }: ReadFiles): Readonly<Flat> {
  const out: Flat = {};
  flatten('', fileKeys, file, false, out);
  // The content of the file may change while its path stays.
  if (caPem !== null) out['nut.ca_file'] = JSON.stringify([file.nut?.ca_file, digestOf(caPem)]);
  if (client !== null) {
    out['nut.cert_file'] = JSON.stringify([file.nut?.cert_file, digestOf(client.certPem)]);
    out['nut.key_file'] = JSON.stringify([file.nut?.key_file, digestOf(client.keyPem)]);
  }
  for (const [path, digest] of Object.entries(keys.digests)) out[path] = JSON.stringify([out[path], digest]);
  return out;
}

function flatten(path: string, keys: Keys, given: object | undefined, onlyGiven: boolean, out: Flat): void {
  for (const [name, entry] of Object.entries(keys)) {
    const here = path === '' ? name : `${path}.${name}`;
    const value = (given as Record<string, unknown> | undefined)?.[name];
    if (entry.kind === 'table')
      flatten(here, entry.keys, value as object | undefined, onlyGiven || entry.overrides, out);
    else if (entry.kind === 'rows') {
      const isNamed = 'name' in entry.keys;
      const elements = (value ?? []) as readonly { readonly name: string }[];
      // A list without names is one setting, but for its secrets.
      if (!isNamed) out[here] = JSON.stringify(elements.map((row) => withDefaults(plainOf(entry.keys), row)));
      elements.forEach((element, index) => {
        const label = elementLabel(here, isNamed ? element.name : index);
        if (isNamed) out[label] = '';
        flatten(label, isNamed ? entry.keys : secretsOf(entry.keys), element, false, out);
      });
    } else {
      const all = value ?? (onlyGiven ? undefined : entry.fallback);
      if (entry.secret !== null) digests(here, all, out);
      else if (all !== undefined) out[here] = JSON.stringify(all);
    }
  }
}

/** Of each secret in a key, which has one, a list, or a table of them. */
function digests(path: string, value: unknown, out: Flat): void {
  if (typeof value === 'string') out[path] = digestOf(value);
  else if (Array.isArray(value)) value.forEach((one, at) => digests(elementLabel(path, at), one, out));
  else for (const [name, one] of Object.entries(value ?? {})) digests(`${path}.${name}`, one, out);
}

const isSecret = (entry: Keys[string]): boolean => entry.kind === 'key' && entry.secret !== null;
const filtered = (keys: Keys, wanted: boolean): Keys =>
  Object.fromEntries(Object.entries(keys).filter(([, entry]) => isSecret(entry) === wanted));
const plainOf = (keys: Keys): Keys => filtered(keys, false);
const secretsOf = (keys: Keys): Keys => filtered(keys, true);

/** The keys of which a running daemon keeps the value that it was started with; of a table, all below it. */
export const pathsForRestart: readonly SettingPath[] = restartPaths('', fileKeys);

function restartPaths(path: string, keys: Keys): readonly SettingPath[] {
  return Object.entries(keys).flatMap(([name, entry]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (entry.needsRestart === true) return [here];
    return entry.kind === 'table' ? restartPaths(here, entry.keys) : [];
  });
}
