import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../fixtures/processes.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { until } from '../fixtures/until.js';
import { abandonedFolders, makeFolder, removeFolder } from './folder.js';

describe('the folder of a run of the tests', () => {
  const usual = process.env['TMPDIR'];
  const parent = temporaryFolder();

  beforeEach(() => (process.env['TMPDIR'] = parent));
  afterEach(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  });

  it('is removed with what runs in it', async () => {
    const { path, environment } = makeFolder();
    writeFileSync(join(environment.RIDETHROUGH_MEMORY, 'file'), '');
    const env = { ...process.env, ...environment };
    const left = spawn('sleep', ['1000'], { env, detached: true, stdio: 'ignore' });
    const other = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const [pid = 0, otherPid = 0] = [left.pid, other.pid];
    try {
      removeFolder(path);
      await until(() => !isAlive(pid));
      expect(isAlive(otherPid), 'a process of somebody else').to.equal(true);
      expect([path, environment.RIDETHROUGH_MEMORY].filter((folder) => existsSync(folder))).to.deep.equal([]);
    } finally {
      left.kill('SIGKILL');
      other.kill('SIGKILL');
    }
  });

  it('is abandoned once the process that made it has ended, also where another has its number now', () => {
    const { path } = makeFolder();
    expect(abandonedFolders()).to.deep.equal([]);
    writeFileSync(join(path, 'runner'), `${String(process.pid)} 1`);
    expect(abandonedFolders()).to.deep.equal([path]);
    removeFolder(path);
  });

  it('is nothing else that lies in the same place', () => {
    const others = mkdtempSync(join(parent, 'ridethrough-'));
    mkdirSync(join(others, 'home'));
    expect(abandonedFolders()).to.deep.equal([]);
    removeFolder(others);
    expect(existsSync(others)).to.equal(true);
  });
});
