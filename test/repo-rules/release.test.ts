// The version, in each place that states it, and what a release promises: docs/upgrading.md.
import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../shared/domain/base/version.js';
import { decodeFile } from '../../supervisor/config/read/decode-file.js';
import { parseToml } from '../../supervisor/config/read/parse.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const read = (name: string): string => readFileSync(join(project, name), 'utf8');

describe('the version', () => {
  it('is the same in the program, in its package and in the changelog', () => {
    expect((JSON.parse(read('package.json')) as { version: string }).version).to.equal(version);
    expect((JSON.parse(read('package-lock.json')) as { version: string }).version).to.equal(version);
    const released = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$/gm)];
    expect(released[0]?.[1]).to.equal(version);
  });
});

describe('a configuration of an earlier release', () => {
  const folder = join(project, 'test/fixtures/configurations');
  for (const name of readdirSync(folder))
    it(`is still read: ${name}`, () => {
      const parsed = parseToml(readFileSync(join(folder, name), 'utf8'));
      expect(parsed.ok && decodeFile(parsed.tree).problems).to.deep.equal([]);
    });
});
