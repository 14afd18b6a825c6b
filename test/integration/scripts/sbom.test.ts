import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly purl: string; readonly licenses?: readonly unknown[] }[];
}
interface Tree {
  readonly version: string;
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

describe('the software bill of materials', () => {
  let [status, stdout, stderr]: [number | null, string, string] = [null, '', ''];
  before(() => {
    ({ status, stdout, stderr } = spawnSync('scripts/sbom.sh', { encoding: 'utf8', timeout: 100_000 }));
  });
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Tree;

  it('is of this program', () => {
    expect(status, stderr).to.equal(0);
    const { bomFormat, metadata } = JSON.parse(stdout) as Bill;
    expect(bomFormat).to.equal('CycloneDX');
    expect(metadata.component).to.include({ name: 'ridethrough', version: lock.version });
  });

  it('lists every package of production, and no other', () => {
    const production = Object.entries(lock.packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version = '' }]) => `pkg:npm/${path.replace(/^.*node_modules\//, '')}@${version}`);
    const listed = (JSON.parse(stdout) as Bill).components.map(({ purl }) => decodeURIComponent(purl));
    expect(listed).to.have.members([...new Set(production)]);
  });
});
