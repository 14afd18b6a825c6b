import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootFile } from '../../../supervisor/host/boot-file.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const words = { name: 'notes', unread: 'starting without them', unwritten: 'a restart would forget them' };

describe('a file of this boot', () => {
  function rig(path = join(temporaryFolder(), 'new', 'notes.json')) {
    const lines: string[] = [];
    const log = loggerTo('test', new FakeTime(), ({ level, message }) => lines.push(`${level} ${message}`));
    const file = (bootId = 'this', maxBytes = 1_000) =>
      new BootFile({ path, bootId, log, field: 'notes', maxBytes, words });
    return { path, file, lines: () => lines };
  }

  it('is read by a daemon of the same boot, and by no other', () => {
    const { file, lines } = rig();
    expect(file().read()).to.equal(null);
    expect(file().write([1, 2])).to.equal(true);
    expect(file().read()).to.deep.equal([1, 2]);
    expect(lines()).to.deep.equal([]);
    expect(file('next').read()).to.equal(null);
    expect(lines().join()).to.match(/^info .* is from before this boot/);
  });

  it('that is none of ours is left aside with a warning', () => {
    for (const content of ['', 'x', 'null', '[]', '{"bootId":"this"}', `"${'x'.repeat(2_000)}"`]) {
      const { path, file, lines } = rig(join(temporaryFolder(), 'notes.json'));
      writeFileSync(path, content);
      expect(file().read(), content.slice(0, 20)).to.equal(null);
      expect(lines().join(), content.slice(0, 20)).to.match(
        /^warning the notes .* cannot be used \(.*\): starting without them/,
      );
    }
  });

  it('is not waited for when it is a FIFO', () => {
    const { path, file, lines } = rig(join(temporaryFolder(), 'notes.json'));
    execFileSync('mkfifo', [path]);
    expect(file().read()).to.equal(null);
    expect(lines().join()).to.contain('not a file');
  });

  it('is not read through a link', () => {
    const { path, file, lines } = rig(join(temporaryFolder(), 'notes.json'));
    writeFileSync(`${path}.other`, '{"bootId":"this","notes":1}');
    symlinkSync(`${path}.other`, path);
    expect(file().read()).to.equal(null);
    expect(lines().join()).to.match(/cannot be used \(ELOOP/);
  });

  it('that cannot be written is reported once, until it can', () => {
    const { path, file, lines } = rig(join(temporaryFolder(), 'notes.json'));
    const one = file();
    execFileSync('mkdir', ['-p', join(`${path}.next`, 'x')]);
    expect([one.write(1), one.write(2)]).to.deep.equal([false, false]);
    expect(lines()).to.have.length(1);
    expect(lines()[0]).to.match(
      /^warning the notes .* cannot be written .*: a restart would forget them; free space/,
    );
    execFileSync('rm', ['-r', `${path}.next`]);
    expect(one.write(3)).to.equal(true);
    expect(one.read()).to.equal(3);
  });

  it('is written in as many pieces as its content has', () => {
    const { file } = rig();
    const numbers = Array.from({ length: 9_999 }, (_, number) => number % 10);
    const pieces = numbers.map((number) => Buffer.from(`${String(number)},`));
    const isWritten = file(undefined, 1_000_000).writeJson([Buffer.from('['), ...pieces, Buffer.from('7]')]);
    expect(isWritten).to.equal(true);
    expect(file(undefined, 1_000_000).read()).to.deep.equal([...numbers, 7]);
  });

  it('that would be too large to read again is not written, nor is an older one left, and it is said once', () => {
    const { path, file, lines } = rig();
    const one = file();
    one.write('of before');
    for (let time = 0; time < 2; time += 1) expect(one.write('x'.repeat(1_000))).to.equal(false);
    expect(existsSync(path)).to.equal(false);
    expect(lines()).to.have.length(1);
    expect(lines()[0]).to.match(
      /cannot be written \(it would have 10\d\d bytes, and at most 1000 are read again\): a restart would forget them$/,
    );
    expect(one.write('of now')).to.equal(true);
    expect(one.read()).to.equal('of now');
  });
});
