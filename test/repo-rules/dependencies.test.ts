import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

const lock = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
const manifest = JSON.parse(read('package.json')) as { dependencies: Readonly<Record<string, string>> };
const page = read('docs/dependencies.md');

const inProduction = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);

const rows = page
  .split('\n')
  .filter((line) => /^\| [@a-z]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name, version, licence]) => ({ name, version, licence }));

/** Licences that package.json of these three states as something other than one word. */
const saidElsewhere: Readonly<Record<string, string>> = {
  ssh2: 'MIT',
  'cpu-features': 'MIT',
  buildcheck: 'MIT',
};

const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'MPL-2.0',
] as const;

describe('docs/dependencies.md', () => {
  it('has one row for each production package, with the installed version', () => {
    expect(rows.map(({ name, version }) => [name, version])).to.deep.equal(
      Object.entries(manifest.dependencies).sort(([a], [b]) => a.localeCompare(b)),
    );
  });

  it('names the licence of each package as the package does', () => {
    for (const { name = '', licence } of rows)
      expect(licence, name).to.equal(
        lock.packages[`node_modules/${name}`]?.license ?? saidElsewhere[name] ?? 'none',
      );
  });

  it('counts the transitive packages, and all have a permissive licence', () => {
    expect(page).to.contain(`Behind these stand ${String(inProduction.length)} packages`);
    for (const [path, { license }] of inProduction) {
      const name = path.replace(/^.*node_modules\//, '');
      const said = license ?? saidElsewhere[name] ?? '';
      const choices = said.replace(/[()]/g, '').split(' OR ');
      expect(
        choices.some((one) => (permissive as readonly string[]).includes(one)),
        `${name}: ${said}`,
      ).to.equal(true);
    }
  });

  it('is right that no process of the daemon, and no other command, loads yaml', () => {
    const programs = [
      'scripts/ridethrough',
      'supervisor/config/load/reader',
      'workers/api/worker',
      'workers/poller/worker',
    ];
    const loaded = new Set(programs.flatMap((name) => loadedWith(join(built, `${name}.js`))));
    const chunks = readdirSync(join(built, 'chunks')).map((name) => join(built, 'chunks', name));
    const withYaml = chunks.filter((path) => readFileSync(path, 'utf8').includes('node_modules/yaml/'));
    expect(withYaml).to.have.length(1);
    expect(withYaml.filter((path) => loaded.has(path))).to.deep.equal([]);
  });
});

const built = fileURLToPath(new URL('../../', import.meta.url));

/** A built file and all that its start loads. */
function loadedWith(path: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^;'"]*"(\.[^"]+)";$/gm);
  for (const [, name = ''] of imports) loadedWith(join(dirname(path), name), seen);
  return [...seen];
}
