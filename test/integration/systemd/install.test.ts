import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const tree = new URL('../../../../', import.meta.url);
const script = fileURLToPath(new URL('systemd/install.sh', tree));
const product =
  /^(package\.json|LICENSE|(README|CHANGELOG)\.md|docs\/.*\.(md|png|toml|json|yaml)|dist\/(chunks\/[\w-]+\.js|completions\/_?ridethrough[\w.]*|man\/ridethrough[\w.-]*\.[58]|scripts\/(ridethrough|simulated-upsd\/main)\.js|(shared|supervisor|workers)\/(.*\/)?(supervisor-guard\.c|(main|reader|has-users|verify-password|worker)\.)js|web\/[\w-]+\.(js|css|html|svg)(\.(br|gz))?))$/;
const imported = /^(?:import|export)\b[^;'"]*"([^"]+)";$|\bimport\("([^"]+)"\)/gm;
/** The files that a module starts or reads, relative to its compiled place. */
const referred = /new URL\("([^"]+)", new URL\("([^"]+)", import\.meta\.url\)\.href\)/g;

/** The files and packages that a module needs, below the library. */
function needs(path: string, text: string): readonly string[] {
  const imports = [...text.matchAll(imported)].map(([, name = '', lazy = name]) => lazy);
  const packages = imports.filter((name) => !name.startsWith('.') && !isBuiltin(name));
  return [
    ...packages.map((name) => `node_modules/${/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''}`),
    ...imports.filter((name) => name.startsWith('.')).map((name) => join(path, '..', name)),
    ...[...text.matchAll(referred)].map(([, file = '', place = '']) =>
      join(path, '..', place.startsWith('.') ? place : `./${place}`, '..', file),
    ),
  ];
}

function ran(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 100_000 });
  return { status, stdout, stderr };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function mode(path: string): string {
  return (lstatSync(path).mode & 0o7777).toString(8);
}

describe('the installation', () => {
  const root = temporaryFolder();
  const at = (path: string): string => join(root, path);
  const library = at('usr/lib/ridethrough');
  let first: ReturnType<typeof ran>;

  before(() => {
    first = ran(script, '--root', root);
  });

  it('prints every step', () => {
    expect(first.status, first.stderr).to.equal(0);
    expect(first.stderr).to.equal('');
    for (const path of ['usr/lib/ridethrough', 'usr/bin/ridethrough', 'etc/ridethrough/config.toml'])
      expect(first.stdout).to.contain(at(path));
  });

  it('gives every file its mode', () => {
    expect(
      [
        'etc/ridethrough',
        'etc/ridethrough/config.toml',
        'usr/lib/systemd/system/ridethrough.service',
        'usr/lib/systemd/system/ridethrough-ready.service',
        'usr/lib/systemd/system/ridethrough-ready.target',
        'usr/lib/sysusers.d/ridethrough.conf',
        'usr/lib/tmpfiles.d/ridethrough.conf',
        'usr/lib/ridethrough',
        'usr/lib/ridethrough/package.json',
        'usr/lib/ridethrough/dist/scripts/ridethrough.js',
        'usr/share/man/man8/ridethrough-status.8',
        'usr/share/man/man5/ridethrough.toml.5',
        'usr/share/bash-completion/completions/ridethrough',
      ].map((path) => mode(at(path))),
    ).to.deep.equal([
      ...['750', '640', '644', '644', '644', '644', '644', '755', '644', '755'],
      ...Array<string>(3).fill('644'),
    ]);
  });

  it('creates a command that runs in place, with the packages it needs', () => {
    const command = ran(at('usr/bin/ridethrough'), 'help');
    expect(command.status, command.stderr).to.equal(0);
    expect(command.stdout).to.contain('Usage: ridethrough');
    expect(existsSync(join(library, 'node_modules/io-ts/package.json'))).to.equal(true);
    expect(existsSync(join(library, 'node_modules/sqlite3/build/Release/node_sqlite3.node'))).to.equal(true);
  });

  it('ships the files of the product only, the same as the package', () => {
    const shipped = filesBelow(library).filter((path) => !path.startsWith('node_modules/'));
    expect(shipped.filter((path) => !product.test(path))).to.deep.equal([]);
    const list = ran('npm', 'pack', '--dry-run', '--json', '--ignore-scripts', fileURLToPath(tree));
    const [packed] = JSON.parse(list.stdout) as readonly [{ files: readonly { path: string }[] }];
    const expected = packed.files.map(({ path }) => path).filter((path) => !path.startsWith('systemd/'));
    expect(shipped.toSorted()).to.deep.equal(expected.toSorted());
  });

  it('ships no module that needs a file or a package that is not shipped', () => {
    const modules = filesBelow(library).filter((path) => /^dist\/(?!web\/).*\.js$/.test(path));
    const missing = modules.flatMap((path) =>
      needs(path, readFileSync(join(library, path), 'utf8'))
        .filter((needed) => !existsSync(join(library, needed)))
        .map((needed) => `${path} needs ${needed}`),
    );
    expect(modules).to.contain('dist/supervisor/config/load/reader.js');
    expect(missing).to.deep.equal([]);
  });

  it('ships no package of the tests', () => {
    const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', tree), 'utf8')) as {
      packages: Readonly<Record<string, { dev?: boolean }>>;
    };
    const development = Object.keys(packages).filter((path) => packages[path]?.dev === true);
    expect(development).to.contain('node_modules/mocha');
    expect(development.filter((path) => existsSync(join(library, path)))).to.deep.equal([]);
  });

  it('keeps an existing configuration', () => {
    appendFileSync(at('etc/ridethrough/config.toml'), '# mine\n');
    const again = ran(script, '--root', root);
    expect(again.status, again.stderr).to.equal(0);
    expect(again.stdout).to.contain('(unchanged)');
    expect(readFileSync(at('etc/ridethrough/config.toml'), 'utf8')).to.match(/# mine\n$/);
  });

  it('installs units without a problem in systemd-analyze', () => {
    // The units name the installed path of the command, which this test has not used.
    const copies = ['ridethrough.service', 'ridethrough-ready.service', 'ridethrough-ready.target'].map(
      (name) => {
        const unit = readFileSync(at(`usr/lib/systemd/system/${name}`), 'utf8');
        writeFileSync(at(name), unit.replace('=/usr/bin/ridethrough', `=${at('usr/bin/ridethrough')}`));
        return at(name);
      },
    );
    expect(ran('systemd-analyze', 'verify', ...copies)).to.deep.equal({ status: 0, stdout: '', stderr: '' });
  });

  it('keeps the exposure of the unit at 4.9 or below', () => {
    const unit = at('usr/lib/systemd/system/ridethrough.service');
    const judged = ran('systemd-analyze', 'security', '--offline=true', '--threshold=49', unit);
    expect(judged.status, judged.stdout.trimEnd().split('\n').at(-1)).to.equal(0);
  });

  it('describes users and directories that systemd can create', function () {
    skipFor(this, process.getuid?.() !== 0 && 'only root can change the owner of a directory');
    const users = ran('systemd-sysusers', `--root=${root}`, at('usr/lib/sysusers.d/ridethrough.conf'));
    expect(users.status, users.stderr).to.equal(0);
    const accounts = readFileSync(at('etc/passwd'), 'utf8');
    for (const name of ['api', 'db', 'ssh', 'net']) expect(accounts).to.contain(`ridethrough-${name}:x:`);
    const group = /^ridethrough-admin:x:(\d+):(.*)$/m.exec(readFileSync(at('etc/group'), 'utf8'));
    expect(group?.[2], 'no worker is a member').to.equal('');
    const made = ran(
      'systemd-tmpfiles',
      `--root=${root}`,
      '--create',
      at('usr/lib/tmpfiles.d/ridethrough.conf'),
    );
    expect(made.status, made.stderr).to.equal(0);
    expect(
      ['run/ridethrough', 'run/ridethrough/api', 'run/ridethrough/supervisor'].map((path) => mode(at(path))),
    ).to.deep.equal(['755', '2750', '700']);
    expect(statSync(at('run/ridethrough/api')).gid).to.equal(Number(group?.[1]));
  });

  it('can be removed, and leaves only the configuration', () => {
    const gone = ran(script, '--uninstall', '--root', root);
    expect(gone.status, gone.stderr).to.equal(0);
    for (const path of [
      'usr/lib/ridethrough',
      'usr/lib/systemd/system/ridethrough.service',
      'usr/lib/systemd/system/ridethrough-ready.target',
    ])
      expect(existsSync(at(path)), path).to.equal(false);
    expect(filesBelow(at('usr/share'))).to.deep.equal([]);
    expect(() => lstatSync(at('usr/bin/ridethrough'))).to.throw('ENOENT');
    expect(existsSync(at('etc/ridethrough/config.toml'))).to.equal(true);
    expect(ran(script, '--uninstall', '--root', root).status).to.equal(0);
  });

  it('rejects unknown arguments', () => {
    expect(ran(script, '--rot', root)).to.include({ status: 2 });
    expect(ran(script, '--root')).to.include({ status: 2 });
    expect(ran(script, '--root', root, '--enable')).to.include({ status: 1 });
  });
});
