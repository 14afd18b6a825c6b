// The configuration as flat settings by dotted path, with defaults applied and secrets as digests. A reload compares them.
import type { Configuration } from '../configuration/configuration.js';
import { groupLabel, serverLabel, upsLabel } from '../schema/labels.js';
import type { ConfigFile } from '../schema/file.js';
import { fileKeys } from '../schema/file.js';
import type { Keys } from '../schema/key.js';
import { withDefaults } from '../schema/key.js';
import { holdsSecret } from '../schema/secret.js';
import type { Secrets } from '../read/secrets.js';
import { digestOf } from '../read/secrets.js';
import type { SshKeys } from '../read/ssh-keys.js';

/** Path to value as JSON. An element of a named list has an entry with the value "", which marks its presence. */
export type Settings = Readonly<Record<string, string>>;

/** Tables below [[ups]] and [[redundancy_groups]] that override a global one: their missing keys have no default. */
const overrideTables = new Set([
  'triggers',
  'nut',
  'nut_control',
  'battery_health',
  'self_test',
  'energy',
  'ups_output',
]);

/** Data from other files. */
export interface ReadFiles {
  readonly secrets: Secrets;
  readonly keys: SshKeys;
  readonly caPem: string | null;
  readonly client: Configuration['nut']['client'];
}

export function flattenSettings(file: ConfigFile, { secrets, keys, caPem, client }: ReadFiles): Settings {
  const out: Record<string, string> = { ...secrets.digests };
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

function flatten(
  path: string,
  keys: Keys,
  given: object | undefined,
  onlyGiven: boolean,
  out: Record<string, string>,
): void {
  for (const [name, entry] of Object.entries(keys)) {
    const here = path === '' ? name : `${path}.${name}`;
    const value = (given as Record<string, unknown> | undefined)?.[name];
    if (entry.kind === 'table') {
      const overrides = onlyGiven || (path !== '' && overrideTables.has(name));
      flatten(here, entry.keys, value as object | undefined, overrides, out);
    } else if (entry.kind === 'rows' && 'name' in entry.keys) {
      for (const element of (value ?? []) as { readonly name: string }[]) {
        const label = elementLabel(path, name, element.name);
        out[label] = '';
        flatten(label, entry.keys, element, false, out);
      }
    } else if (entry.kind === 'rows') {
      const isShown = (key: string): boolean => {
        const below = entry.keys[key];
        return below === undefined || !('codec' in below) || !holdsSecret(below.codec);
      };
      const rows = ((value ?? []) as object[]).map((row) =>
        Object.fromEntries(Object.entries(withDefaults(entry.keys, row)).filter(([key]) => isShown(key))),
      );
      out[here] = JSON.stringify(rows);
    } else if (holdsSecret(entry.codec)) continue;
    else if (value !== undefined) out[here] = JSON.stringify(value);
    else if (entry.kind === 'optional' && !onlyGiven) out[here] = JSON.stringify(entry.fallback);
  }
}

function elementLabel(path: string, list: string, name: string): string {
  if (list === 'ups') return upsLabel(name);
  return list === 'redundancy_groups' ? groupLabel(name) : serverLabel(path, name);
}
