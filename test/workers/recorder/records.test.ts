// The records of a directory, on a real file system.
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { maxRecordBytes } from '../../../shared/protocol/recorder.js';
import type { KeptRecord, SetAside } from '../../../shared/protocol/recorder.js';
import { maxFiles } from '../../../workers/recorder/recall.js';
import { fileNameOf, recordBytes } from '../../../workers/recorder/record-text.js';
import { Records } from '../../../workers/recorder/records.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const asRoot = process.getuid?.() === 0;

describe('the recovery records', () => {
  let path: string;
  let records: Records;
  let inTheWay: SetAside[];
  const opened: Records[] = [];
  const open = (at: string): Records => {
    const more = new Records({ path: at, setAside: (aside) => inTheWay.push(aside) });
    opened.push(more);
    return more;
  };
  const at = (name: string): string => join(path, name);
  const fileOf = (group: string): string => at(fileNameOf(group));
  const kept = async (group: string, text: string): Promise<unknown> => {
    const outcome = await records.keep({ group, text });
    return outcome.ok ? 'kept' : outcome.error.code;
  };
  const recalled = async (
    of = records,
  ): Promise<{ readonly records: KeptRecord[]; readonly setAside: SetAside[] }> => {
    const found: KeptRecord[] = [];
    const setAside: SetAside[] = [];
    for (let after: string | null = ''; after !== null;) {
      const outcome = await of.recall(after);
      if (!('part' in outcome)) throw new Error(outcome.reason);
      found.push(...outcome.part.records);
      setAside.push(...outcome.part.setAside);
      after = outcome.part.next;
    }
    return { records: found, setAside };
  };
  /** Recalls, and expects one file that is not used. */
  const refused = async (): Promise<SetAside> => {
    const { records: found, setAside } = await recalled();
    expect(found).to.deep.equal([]);
    expect(setAside).to.have.lengthOf(1);
    return setAside[0] as SetAside;
  };

  beforeEach(() => {
    inTheWay = [];
    path = join(temporaryFolder(), 'lib', 'supervisor');
    records = open(path);
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  it('that the supervisor does not use are set aside, and no other', async () => {
    for (const group of ['office', 'rack']) await kept(group, 'of another machine');
    const reason = 'it is of another machine';
    const outcome = await records.setAside(['office', 'without a file'].map((group) => ({ group, reason })));
    const file = `${fileNameOf('office')}.set-aside-1`;
    expect(outcome).to.deep.equal({ ok: true, value: { setAside: [{ file, reason }] } });
    expect(readFileSync(at(file), 'utf8')).to.match(/of another machine$/);
    await kept('office', 'of this one');
    expect((await recalled()).records.map(({ text }) => text).sort()).to.deep.equal([
      'of another machine',
      'of this one',
    ]);
  });

  it('are recalled as they were kept, the newest of each group', async () => {
    expect(await kept('office', 'first')).to.equal('kept');
    expect(await kept('office', 'second')).to.equal('kept');
    expect(await kept('Büro/2', '{"targets":[]}\n')).to.equal('kept');
    await records.close();
    const { records: found, setAside } = await recalled(open(path));
    expect(found).to.have.deep.members([
      { group: 'office', text: 'second' },
      { group: 'Büro/2', text: '{"targets":[]}\n' },
    ]);
    expect(setAside).to.deep.equal([]);
  });

  it('lie in a directory and in files of this user alone, whatever the umask and the mode before', async () => {
    await kept('office', 'text');
    expect(statSync(path).mode & 0o7777).to.equal(0o700);
    expect(statSync(fileOf('office')).mode & 0o7777).to.equal(0o600);
    await records.close();
    chmodSync(path, 0o777);
    await recalled(open(path));
    expect(statSync(path).mode & 0o7777).to.equal(0o700);
  });

  it('create the directory and the last of its parents, and no more: a file system may not be mounted', async () => {
    const far = open(join(path, 'not', 'mounted', 'supervisor'));
    const outcome = await far.keep({ group: 'office', text: 'text' });
    expect(outcome).to.have.nested.property('error.code', 'RECORD_CANNOT_WRITE');
    expect(existsSync(path)).to.equal(false);
  });

  it('of many groups at once are all kept, and of one group the newest', async () => {
    const groups = Array.from({ length: 100 }, (_, index) => `group ${String(index)}`);
    const outcomes = await Promise.all(
      ['old', 'older', 'newest'].flatMap((text) => groups.map((group) => records.keep({ group, text }))),
    );
    expect(outcomes.every(({ ok }) => ok)).to.equal(true);
    const { records: found } = await recalled();
    expect(found.map(({ text }) => text)).to.deep.equal(groups.map(() => 'newest'));
  });

  it('are refused beyond 1 MiB, and taken up to it', async () => {
    expect(await kept('office', 'x'.repeat(maxRecordBytes))).to.equal('kept');
    expect(await kept('office', 'ü'.repeat(maxRecordBytes / 2 + 1))).to.equal('RECORD_TOO_LARGE');
    // In JSON six times as long: no frame would take it.
    expect(await kept('office', '\u0001'.repeat(maxRecordBytes))).to.equal('RECORD_TOO_LARGE');
    expect((await recalled()).records[0]?.text).to.have.lengthOf(maxRecordBytes);
  });

  it('that wait for the disk are bounded', async () => {
    const text = 'x'.repeat(maxRecordBytes);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => records.keep({ group: String(index), text })),
    );
    const codes = outcomes.map((outcome) => (outcome.ok ? 'kept' : outcome.error.code));
    expect(codes.filter((code) => code === 'kept')).to.have.lengthOf(32);
    expect(new Set(codes)).to.deep.equal(new Set(['kept', 'RECORD_BUSY']));
  });

  it('come in parts that fit into a frame', async () => {
    const text = '"'.repeat(maxRecordBytes - 1);
    for (const group of ['a', 'b', 'c']) await kept(group, text);
    const first = await records.recall('');
    expect(first).to.have.nested.property('part.records').with.lengthOf(1);
    expect((await recalled()).records).to.have.lengthOf(3);
  });

  describe('beside files that are none', () => {
    beforeEach(() => kept('office', 'text'));

    it('set one aside that was cut, at every byte, and keep five of them', async () => {
      const whole = readFileSync(fileOf('office'));
      for (let length = 0; length < whole.length; length += 1) {
        writeFileSync(fileOf('office'), whole.subarray(0, length));
        const { file, reason } = await refused();
        expect(file).to.equal(`${fileNameOf('office')}.set-aside-${String(length + 1)}`);
        expect(readFileSync(at(file))).to.deep.equal(whole.subarray(0, length));
        if (length >= 5)
          expect(reason).to.match(
            new RegExp(`set-aside-${String(length - 4)}, the oldest of 6, is removed$`),
          );
      }
      expect(readdirSync(path)).to.have.lengthOf(5);
      await kept('office', 'again');
      expect((await recalled()).records).to.deep.equal([{ group: 'office', text: 'again' }]);
    });

    it('do not read one of 1 GB', async () => {
      truncateSync(fileOf('office'), 1_073_741_824);
      const began = process.memoryUsage().rss;
      expect((await refused()).reason).to.equal('it has 1073741824 bytes, and a record has at most 1048576');
      expect(process.memoryUsage().rss - began).to.be.below(100 * 1_048_576);
    });

    it('do not follow a link, wait for a FIFO, or enter a directory', async () => {
      const elsewhere = join(temporaryFolder(), 'record');
      const plants: readonly (() => void)[] = [
        () => {
          copyFileSync(fileOf('office'), elsewhere);
          rmSync(fileOf('office'));
          symlinkSync(elsewhere, fileOf('office'));
        },
        () => execFileSync('mkfifo', [fileOf('office')]),
        () => mkdirSync(fileOf('office')),
        () => symlinkSync(fileOf('office'), fileOf('office')),
        () => symlinkSync('/dev/zero', fileOf('office')),
      ];
      for (const plant of plants) {
        plant();
        expect((await refused()).reason).to.equal('it is not a regular file');
        expect(lstatSync(fileOf('office'), { throwIfNoEntry: false })).to.equal(undefined);
      }
      expect(existsSync(elsewhere)).to.equal(true);
    });

    it('replace none of these by writing: it is set aside first', async () => {
      const next = `${fileOf('office')}.next`;
      rmSync(fileOf('office'));
      mkdirSync(join(fileOf('office'), 'inner'), { recursive: true });
      symlinkSync('/etc/passwd', next);
      expect(await kept('office', 'new')).to.equal('kept');
      expect(inTheWay.map(({ file }) => file)).to.deep.equal([
        `${fileNameOf('office')}.next.set-aside-1`,
        `${fileNameOf('office')}.set-aside-1`,
      ]);
      expect((await recalled()).records).to.deep.equal([{ group: 'office', text: 'new' }]);
    });

    it('refuse the copy of a record under another name, and one of another user', async function () {
      copyFileSync(fileOf('office'), fileOf('other'));
      renameSync(fileOf('office'), at('mine.txt'));
      expect((await refused()).reason).to.equal('its name is not that of its group, office');
      skipFor(this, !asRoot && 'only root can give a file to another user');
      writeFileSync(fileOf('other'), recordBytes({ group: 'other', text: 'x' }));
      chownSync(fileOf('other'), 65_534, 65_534);
      expect((await refused()).reason).to.equal('it belongs to the user 65534');
    });

    it('ignore what an interrupted write has left, and what others put there', async () => {
      for (const name of [`${fileNameOf('x')}.next`, 'README', '.hidden']) writeFileSync(at(name), 'x');
      const { records: found, setAside } = await recalled();
      expect(found).to.have.lengthOf(1);
      expect(setAside).to.deep.equal([]);
    });

    it('look at 2,000 of them, and say that there are more', async () => {
      for (let count = 0; count < maxFiles + 10; count += 1) {
        const group = `more ${String(count)}`;
        writeFileSync(fileOf(group), recordBytes({ group, text: 'x' }));
      }
      const { records: found, setAside } = await recalled();
      expect(found).to.have.lengthOf(maxFiles);
      expect(setAside.map(({ reason }) => reason)).to.deep.equal([
        'it has more than 2000 records, and the others are not read: move away those of groups that are no longer configured',
      ]);
    });
  });

  describe('and their directory', () => {
    const reasonOf = async (of: Records): Promise<string> => {
      const outcome = await of.recall('');
      return 'part' in outcome ? 'held' : outcome.reason;
    };

    it('belong to one daemon at a time, and are free again when that one ends', async () => {
      await kept('office', 'text');
      const second = open(path);
      expect(await reasonOf(second)).to.match(/supervisor is in use by another daemon, or/);
      const outcome = await second.keep({ group: 'office', text: 'of the second' });
      expect(outcome).to.have.nested.property('error.code', 'RECORD_NOT_LOCKED');
      await records.close();
      expect(await reasonOf(second)).to.equal('held');
      expect((await recalled(second)).records).to.deep.equal([{ group: 'office', text: 'text' }]);
    });

    it('are not used where it is a link, a file, or of another user', async function () {
      mkdirSync(join(path, '..'), { recursive: true });
      const elsewhere = temporaryFolder();
      symlinkSync(elsewhere, path);
      expect(await reasonOf(records)).to.match(/cannot be used \(E(LOOP|NOTDIR)/);
      expect(await kept('office', 'text')).to.equal('RECORD_CANNOT_WRITE');
      expect(readdirSync(elsewhere)).to.deep.equal([]);
      rmSync(path);
      writeFileSync(path, '');
      expect(await reasonOf(records)).to.match(/cannot be used \(ENOTDIR/);
      rmSync(path);
      skipFor(this, !asRoot && 'only root can give a directory to another user');
      mkdirSync(path);
      chownSync(path, 65_534, 65_534);
      expect(await reasonOf(records)).to.match(
        /belongs to the user 65534, who could change the records: move it/,
      );
      expect(readdirSync(path)).to.deep.equal([]);
    });

    it('are written to the directory that the path leads to now, and never through a link that took its place', async () => {
      await kept('office', 'old');
      renameSync(path, `${path}.moved`);
      expect(await kept('office', 'new')).to.equal('kept');
      expect(readdirSync(path)).to.deep.equal([fileNameOf('office')]);
      expect(readFileSync(join(`${path}.moved`, fileNameOf('office')), 'utf8')).to.match(/\nold$/);
      rmSync(path, { recursive: true });
      symlinkSync(`${path}.moved`, path);
      expect(await kept('office', 'newest')).to.equal('RECORD_CANNOT_WRITE');
      expect(readFileSync(join(`${path}.moved`, fileNameOf('office')), 'utf8')).to.match(/\nold$/);
    });
  });
});
