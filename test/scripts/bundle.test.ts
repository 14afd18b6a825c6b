import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../', import.meta.url));
const workers = readdirSync(`${built}workers`).filter((name) => name !== 'ssh');
const programs = [
  'supervisor/config/load/reader',
  'supervisor/main',
  ...workers.map((name) => `workers/${name}/worker`),
];

const textOf = (program: string): string => readFileSync(`${built}${program}.js`, 'utf8');

/** What it imports at its start. Modules of Node are required instead: an import loads more of them than is used. */
const importedAtStart = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)\b[^;'"]*"([^"]+)";$/gm)].map(([, name = '']) => name);

describe('a built program', () => {
  it('is one file, with the packages that are not bundled', () => {
    const packages: Readonly<Record<string, readonly string[]>> = {
      'workers/prober/worker': ['ssh2'],
      'workers/remote/worker': ['ssh2'],
      'workers/storage/worker': ['sqlite3'],
    };
    for (const program of programs.filter((name) => name !== 'workers/api/worker')) {
      const loaded = new Set(importedAtStart(textOf(program)));
      expect([...loaded], program).to.deep.equal(packages[program] ?? []);
    }
  });

  it('of the API shares files only with what it loads later', () => {
    const loaded = importedAtStart(textOf('workers/api/worker'));
    expect(loaded.filter((name) => !/^\.\.\/\.\.\/chunks\/chunk-/.test(name))).to.deep.equal([]);
    expect(loaded.length).to.be.lessThan(4);
  });

  it('loads nothing later that a shutdown needs', () => {
    for (const program of ['supervisor/main', 'workers/poller/worker', 'workers/remote/worker'])
      expect(textOf(program), program).not.to.match(/\bimport\(/);
  });

  it('holds of io-ts and fp-ts only what is called', () => {
    for (const program of programs)
      expect(textOf(program), program).not.to.match(/node_modules\/(?:io-ts|fp-ts)\/lib\//);
  });
});
