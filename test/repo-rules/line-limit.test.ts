import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const folders = ['supervisor', 'workers', 'shared', 'web', 'scripts', 'systemd', 'test'];

const sources = folders.flatMap((folder) =>
  readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|css|html|sh|py)$/.test(name))
    .map((name) => join(folder, name))
    .map((name) => ({ name, lines: readFileSync(join(project, name), 'utf8').trimEnd().split('\n').length })),
);

describe('the size of source files', () => {
  it('is 300 lines at most', () => {
    expect(sources.filter(({ lines }) => lines > 300)).to.deep.equal([]);
  });

  it('has a median below 120 lines', () => {
    const sorted = sources.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(sorted.length).to.be.above(50);
    expect(sorted[Math.floor(sorted.length / 2)]).to.be.below(120);
  });
});
