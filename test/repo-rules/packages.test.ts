import { expect } from 'chai';
import { readFileSync } from 'node:fs';

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly hasInstallScript?: boolean; readonly integrity?: string; readonly resolved?: string }
    >
  >;
}
interface Manifest {
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const lock = JSON.parse(read('package-lock.json')) as Lock;
const siteLock = JSON.parse(read('scripts/site/package-lock.json')) as Lock;
const manifest = JSON.parse(read('package.json')) as Manifest;
const below = ({ packages }: Lock) => Object.entries(packages).filter(([path]) => path !== '');
const installed = below(lock);
const all = [...installed, ...below(siteLock)];
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');

describe('the locked packages', () => {
  it('name no registry host', () => {
    expect(all.filter(([, { resolved }]) => resolved !== undefined)).to.deep.equal([]);
    expect(read('.npmrc')).not.to.match(/:\/\//);
  });

  it('have an integrity hash', () => {
    expect(all.filter(([, { integrity }]) => integrity === undefined)).to.deep.equal([]);
  });

  it('are pinned to one version', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).to.match(/^(?:npm:[a-z-]+@)?\d+\.\d+\.\d+$/);
  });

  it('of the site run no install script', () => {
    expect(below(siteLock).filter(([, { hasInstallScript }]) => hasInstallScript)).to.deep.equal([]);
  });

  it('run no install script, except sqlite3', () => {
    const withScript = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => nameOf(path));
    expect(withScript).to.contain('sqlite3');
    const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name]);
    expect(allowed).to.deep.equal(['sqlite3']);
    for (const name of withScript)
      expect(manifest.allowScripts, `${name} is not judged`).to.have.property(name);
  });
});
