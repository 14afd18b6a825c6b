import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { supervisorUnavailable } from '../../../../workers/api/http/problem.js';
import type { ArchiveParts } from '../../../../workers/api/support/archive.js';
import { maxArchiveBytes, supportArchive } from '../../../../workers/api/support/archive.js';
import { tar } from '../../../../workers/api/support/tar.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';
import { publishedUps } from '../fixture.js';

const parts: ArchiveParts = {
  version: '1.2.3',
  unixSeconds: 1_790_000_000,
  monotonicMs: () => 0,
  reads: { 'ready.json': () => ({ ready: true }) },
  upses: [publishedUps()],
  detailsOf: () => Promise.resolve({ readings: { 'ups.status': 'OL' } }),
  logTail: () => Promise.resolve({ ok: true, value: { lines: ['first', 'last'] } }),
};

/** The files by name, read by the real tar. */
function filesOf(archive: Buffer): Readonly<Record<string, string>> {
  const folder = temporaryFolder();
  const file = join(folder, 'a.tar.gz');
  writeFileSync(file, archive);
  mkdirSync(join(folder, 'out'));
  const listed = execFileSync('tar', ['-xzvf', file, '-C', join(folder, 'out')], { encoding: 'utf8' });
  return Object.fromEntries(
    listed
      .trim()
      .split('\n')
      .map((name) => [
        name.replace('ridethrough-support/', ''),
        readFileSync(join(folder, 'out', name), 'utf8'),
      ]),
  );
}

describe('the support archive', () => {
  it('is one that tar reads, with a file for each part and each UPS', async () => {
    const files = filesOf(await supportArchive(parts));
    expect(Object.keys(files)).to.deep.equal([
      'log.txt',
      'versions.json',
      'ready.json',
      'ups/1-office-127.0.0.1.json',
      'README.txt',
    ]);
    expect(files['log.txt']).to.equal('first\nlast\n');
    expect(JSON.parse(files['ups/1-office-127.0.0.1.json'] ?? '')).to.deep.include({
      readings: { 'ups.status': 'OL' },
    });
    expect(JSON.parse(files['versions.json'] ?? '')).to.have.property('ridethrough', '1.2.3');
    expect(files['README.txt']).to.contain('Nothing was left out.');
  });

  it('says of a part that cannot be had why, and has all others', async () => {
    const failing = supervisorUnavailable('the supervisor does not answer');
    const files = filesOf(
      await supportArchive({
        ...parts,
        reads: { 'ready.json': () => Promise.reject(failing), 'config.json': () => ({}) },
        detailsOf: () => Promise.reject(failing),
        logTail: () => Promise.resolve({ ok: false, error: { code: 'WORKER_GONE', message: 'log is gone' } }),
      }),
    );
    expect(files['log.txt']).to.equal('This part could not be had: log is gone\n');
    expect(files['ready.json']).to.contain('the supervisor does not answer');
    expect(files['ups/1-office-127.0.0.1.json']).to.contain('the supervisor does not answer');
    expect(files['config.json']).to.equal('{}\n');
  });

  it('has at most 20 MB, and names what it leaves out', async () => {
    const upses = Array.from({ length: 30 }, (_, n) => publishedUps({ groupId: `ups-${String(n)}` }));
    const archive = await supportArchive({
      ...parts,
      upses,
      detailsOf: () => Promise.resolve({ text: 'x'.repeat(1024 * 1024) }),
    });
    expect(gunzipSync(archive).length).to.be.within(18 * 1024 * 1024, maxArchiveBytes);
    const files = filesOf(archive);
    expect(files['README.txt']).to.contain('Left out, for size or time: ups/20-ups-19.json');
    expect(files['log.txt']).to.equal('first\nlast\n');
  });

  it('asks for no details after 20 s', async () => {
    let nowMs = 0;
    let asked = 0;
    const upses = Array.from({ length: 30 }, (_, n) => publishedUps({ groupId: `ups-${String(n)}` }));
    const archive = await supportArchive({
      ...parts,
      upses,
      monotonicMs: () => nowMs,
      detailsOf: () => {
        asked += 1;
        nowMs += 2_000;
        return Promise.resolve({});
      },
    });
    expect(asked).to.equal(12);
    const files = filesOf(archive);
    expect(Object.keys(files).filter((name) => name.startsWith('ups/'))).to.have.length(30);
    expect(files['README.txt']).to.contain('details of ups-29');
  });

  it('refuses a name that would leave the folder or does not fit', () => {
    for (const name of ['', 'a b', 'é', 'x'.repeat(101)])
      expect(() => tar([{ name, content: Buffer.alloc(0) }], 0), name).to.throw('no name');
  });
});
