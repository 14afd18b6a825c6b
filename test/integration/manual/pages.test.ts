// The manual pages as the build writes them, read by two formatters.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { catalogue } from '../../../scripts/commands/catalogue.js';
import { optionsOf, usagesOf, wordsOf } from '../../../scripts/commands/help.js';
import { fileKeys } from '../../../supervisor/config/schema/file.js';
import type { Keys } from '../../../shared/domain/base/keys.js';

const folder = 'dist/man';
const pages = readdirSync(folder);

function shown(page: string): string {
  const { stdout } = spawnSync('mandoc', ['-Tutf8', '-Owidth=200', `${folder}/${page}`], {
    encoding: 'utf8',
  });
  // Bold and underlined letters are printed twice.
  // oxlint-disable-next-line no-control-regex -- it is what the formatter prints
  return stdout.replace(/.\u0008/g, '');
}

/** The names of all keys and tables. */
function namesOf(keys: Keys): readonly string[] {
  return Object.entries(keys).flatMap(([name, entry]) =>
    entry.kind === 'table' || entry.kind === 'rows' ? [name, ...namesOf(entry.keys)] : [name],
  );
}

describe('the manual pages', () => {
  it('are one for each command, one for the program, and one for its configuration', () => {
    const names = catalogue.map(({ name }) => `ridethrough-${name}.8`);
    expect(pages).to.have.members(['ridethrough.8', 'ridethrough.toml.5', ...names]);
  });

  it('name every command and summarise it', () => {
    const text = shown('ridethrough.8').replace(/\s+/g, ' ');
    for (const { name, summary } of catalogue)
      expect(text).to.contain(`${name} ${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  });

  for (const entry of catalogue)
    it(`describe every use and option of ${entry.name}`, () => {
      const text = shown(`ridethrough-${entry.name}.8`);
      const flat = text.replace(/\s+/g, ' ');
      for (const usage of usagesOf(entry)) {
        expect(flat).to.contain(`ridethrough ${wordsOf(entry, usage).join(' ')}`);
        for (const { name } of optionsOf(entry, usage))
          expect(text).to.match(new RegExp(`^ +(?:-[a-z], )?${name}(?: [A-Z]+)?(?: |$)`, 'm'));
      }
      for (const [code, meaning] of entry.exitCodes)
        expect(flat).to.contain(`${String(code)} ${meaning.replace(/\s+/g, ' ').trim()}`);
    });

  it('describe every key of the configuration', () => {
    const words = new Set(shown('ridethrough.toml.5').split(/[^a-z0-9_]+/));
    expect(namesOf(fileKeys).filter((name) => !words.has(name))).to.deep.equal([]);
  });

  for (const page of pages) {
    it(`give mandoc nothing to complain about: ${page}`, () => {
      const { status, stdout, stderr } = spawnSync('mandoc', ['-Tlint', `${folder}/${page}`], {
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).to.deep.equal({ status: 0, stdout: '', stderr: '' });
    });

    it(`give groff nothing to warn of: ${page}`, () => {
      const input = readFileSync(`${folder}/${page}`);
      const { status, stderr } = spawnSync('groff', ['-ww', '-man', '-Tutf8', '-z'], {
        encoding: 'utf8',
        input,
      });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    });
  }
});
