// The npm package, installed with a prefix of its own from a cache that scripts/test.sh --all has filled: without the network.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const tree = fileURLToPath(new URL('../../../../', import.meta.url));
/** Only one that hangs takes so long. */
const longestMs = 500_000;
const cache = join(tree, 'node_modules/.cache/ridethrough-tools/npm-cache');
const binary = 'node_modules/sqlite3/build/Release';

function ran(file: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: tree,
    encoding: 'utf8',
    timeout: longestMs,
  });
  expect(status, `${file} ${args.join(' ')}: ${stdout}${stderr}`).to.equal(0);
  return stdout + stderr;
}

describe('the npm package', function () {
  this.timeout(2 * longestMs);
  const prefix = temporaryFolder();
  const library = join(prefix, 'lib/node_modules/ridethrough');
  const command = join(prefix, 'bin/ridethrough');
  const configuration = join(prefix, 'config.toml');

  before(() => {
    expect(existsSync(cache), `${cache}, which scripts/test.sh --all fills`).to.equal(true);
    ran('npm', 'pack', '--ignore-scripts', '--pack-destination', prefix);
    const archive = readdirSync(prefix).find((name) => name.endsWith('.tgz')) ?? '';
    ran(
      'npm',
      'install',
      '--global',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--offline',
      '--cache',
      cache,
      '--prefix',
      prefix,
      join(prefix, archive),
    );
    writeFileSync(configuration, '[[ups]]\nname = "ups@localhost"\n[behavior]\ndry_run = true\n');
  });

  it('says how the binary of sqlite3 is made where npm has run no install script', () => {
    const said = ran(command, 'validate', '--config', configuration);
    expect(said).to.contain('sqlite3 has no binary').and.to.contain(`cd ${library} && npm rebuild sqlite3`);
  });

  it('is a whole program with it', () => {
    mkdirSync(join(library, binary), { recursive: true });
    copyFileSync(join(tree, binary, 'node_sqlite3.node'), join(library, binary, 'node_sqlite3.node'));
    expect(ran(command, 'validate', '--config', configuration)).not.to.contain('sqlite3');
    const demo = ran(command, 'demo', '--port', '0', '--scenario', 'fsd', '--speed', '1000', '--once');
    expect(demo).to.contain('the history database is usable').and.not.to.contain('lost the worker');
    expect(demo).to.contain('API and dashboard on');
  });
});
