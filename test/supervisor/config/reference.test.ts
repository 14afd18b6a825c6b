import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadText } from '../../../supervisor/config/load/load.js';
import { linesOfKey } from '../../../supervisor/config/read/ssh-keys.js';
import { fileKeys } from '../../../supervisor/config/schema/file.js';
import type { KeyDeclaration, Keys } from '../../../shared/domain/base/keys.js';
import { certificate, clientCertificate, clientKey } from './certificate.js';
import { configurationFrom } from './loading.js';
import {
  documentedDefaults,
  documentedPaths,
  fileWith,
  implicitDefaults,
  inlineKeys,
} from './reference-comments.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const text = readFileSync('docs/config.reference.toml', 'utf8');

/** The keys of the schema by dotted name, in tables and lists of tables. */
function keysOf(keys: Keys, prefix = ''): ReadonlyMap<string, KeyDeclaration> {
  return new Map(
    Object.entries(keys).flatMap(([name, entry]): [string, KeyDeclaration][] =>
      entry.kind === 'table' || entry.kind === 'rows'
        ? [...keysOf(entry.keys, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, entry]],
    ),
  );
}

describe('the reference file', () => {
  let directory: string;

  beforeEach(() => {
    directory = temporaryFolder();
    writeFileSync(join(directory, 'nut-a.secret'), 'first secret\n', { mode: 0o600 });
    writeFileSync(join(directory, 'ntfy.url'), 'ntfys://ntfy.example/topic\n', { mode: 0o600 });
    writeFileSync(join(directory, 'nut-ca.pem'), certificate);
    writeFileSync(join(directory, 'nut-client.pem'), clientCertificate);
    writeFileSync(join(directory, 'nut-client.key'), clientKey, { mode: 0o600 });
    writeFileSync(join(directory, 'nut-read.secret'), 'fourth secret\n', { mode: 0o600 });
  });

  it('is a valid configuration when the files that it names exist', () => {
    const here = text.replaceAll('/etc/ridethrough/', `${directory}/`);
    const loaded = loadText(here, {
      NUT_PASSWORD: 'second secret',
      MQTT_PASSWORD: 'third secret',
    });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const { ups, redundancyGroups, secrets } = loaded.configuration;
    expect(ups.map(({ policy }) => policy.groupId)).to.deep.equal([
      'office-127.0.0.1-3493',
      'rack-a-127.0.0.1-3493',
      'rack-b-127.0.0.1-3493',
    ]);
    expect(ups[0]?.policy.triggers.lowBatteryPercent).to.equal(25);
    expect(ups[1]?.policy.triggers.lowBatteryPercent).to.equal(20);
    expect(redundancyGroups[0]?.policy.members).to.deep.equal([
      'rack-a-127.0.0.1-3493',
      'rack-b-127.0.0.1-3493',
    ]);
    expect(secrets).to.have.members([
      'first secret',
      'second secret',
      'https://hc.example/0a1b2c3d',
      '0a1b2c3d',
      'third secret',
      'fourth secret',
      ...linesOfKey(clientKey),
      'ntfys://ntfy.example/topic',
      'ntfys://ntfy.example/alarms',
    ]);
  });

  it('documents every key of the schema', () => {
    const [paths, inline] = [documentedPaths(text), inlineKeys(text)];
    const missing = [...keysOf(fileKeys).keys()].filter((key) => {
      const [owner = '', ...rest] = key.split('.');
      // An override is documented with its global table, what a group has with what a UPS has.
      const overrides = owner === 'ups' || owner === 'redundancy_groups' ? rest.join('.') : key;
      const places = [key, overrides, `ups.${overrides}`];
      return !places.some((place) => paths.includes(place)) && !inline.includes(rest.at(-1) ?? '');
    });
    expect(missing).to.deep.equal([]);
  });

  it('marks the default of every key that has one', () => {
    const marked = [...documentedDefaults(text).map(({ path }) => path), ...implicitDefaults];
    const unmarked = [...keysOf(fileKeys)].filter(
      ([path, entry]) =>
        entry.kind === 'key' &&
        entry.fallback !== null &&
        entry.fallback !== undefined &&
        documentedPaths(text).includes(path) &&
        !marked.some((known) => path === known || path === `ups.${known}`),
    );
    expect(unmarked.map(([path]) => path)).to.deep.equal([]);
  });

  for (const { path, value } of documentedDefaults(text)) {
    it(`gives ${path} the default ${value}`, () => {
      const { withKey, without } = fileWith(path, value);
      expect(configurationFrom(withKey)).to.deep.equal(configurationFrom(without));
    });
  }
});
