import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadText } from '../../../supervisor/config/load/load.js';
import { fileKeys } from '../../../supervisor/config/schema/file.js';
import type { Keys } from '../../../supervisor/config/schema/key.js';
import { certificate } from './certificate.js';
import { configurationFrom } from './loading.js';
import { documentedDefaults, documentedKeys, fileWith } from './reference-comments.js';

const text = readFileSync('docs/config.reference.toml', 'utf8');

/** Dotted keys of the schema, in tables and lists of tables. */
function keysOf(keys: Keys, prefix = ''): readonly string[] {
  return Object.entries(keys).flatMap(([name, entry]) =>
    entry.kind === 'table' || entry.kind === 'rows'
      ? keysOf(entry.keys, `${prefix}${name}.`)
      : [`${prefix}${name}`],
  );
}

describe('the reference file', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'reference-'));
    writeFileSync(join(directory, 'nut-a.secret'), 'first secret\n', { mode: 0o600 });
    writeFileSync(join(directory, 'ntfy.url'), 'ntfys://ntfy.example/topic\n', { mode: 0o600 });
    writeFileSync(join(directory, 'nut-ca.pem'), certificate);
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it('is the one of the specification, where that is at hand', function () {
    const specification = '../shared/spec/config.reference.toml';
    if (!existsSync(specification)) this.skip();
    expect(readFileSync(specification, 'utf8')).to.equal(text);
  });

  it('is a valid configuration when the files that it names exist', () => {
    const here = text.replaceAll('/etc/ridethrough/', `${directory}/`);
    const loaded = loadText(here, { NUT_PASSWORD: 'second secret', MQTT_PASSWORD: 'third secret' });
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
      'third secret',
      'ntfys://ntfy.example/topic',
    ]);
  });

  it('documents every key of the schema', () => {
    const known = documentedKeys(text);
    const missing = keysOf(fileKeys).filter(
      (key) => !known.some((documented) => documented === key || key.endsWith(`.${documented}`)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('has a default for more than a hundred keys', () => {
    expect(documentedDefaults(text).length).to.be.greaterThan(100);
  });

  for (const { path, value } of documentedDefaults(text)) {
    it(`gives ${path} the default ${value}`, () => {
      const { withKey, without } = fileWith(path, value);
      expect(configurationFrom(withKey)).to.deep.equal(configurationFrom(without));
    });
  }
});
