import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { loggerTo } from '../../../shared/runtime/log.js';
import { Requests } from '../../../supervisor/recovery/requests.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const request = { bootId: 'this', server: 'nas', unixSeconds: 500 };

/** Requests of a person in a folder, and what the daemon makes of them. */
class Folder {
  readonly path = join(temporaryFolder(), 'requests');
  readonly time = new FakeTime(1_000);
  readonly lines: string[] = [];
  readonly recorded: (readonly [string, number])[] = [];
  readonly begun: (readonly [string | null, number])[] = [];
  requests = this.daemon();

  constructor() {
    mkdirSync(this.path);
  }

  daemon(uid?: number): Requests {
    return new Requests({
      ...{ path: this.path, bootId: 'this', clock: this.time, ...(uid === undefined ? {} : { uid }) },
      log: loggerTo('test', this.time, ({ message }) => this.lines.push(message)),
      knows: (server) => server !== 'unknown',
      record: (servers) => this.recorded.push(...servers),
      begun: (machines) => this.begun.push(...machines),
    });
  }

  leaves(name: string, content: unknown): this {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(this.path, `${name}.request`), text);
    return this;
  }

  ticks(seconds = 1): this {
    for (let second = 0; second < seconds; second += 1) {
      this.requests.tick();
      this.time.advance(1_000);
    }
    return this;
  }

  answer(name: string): { isRecorded: boolean; reason: string } | null {
    const path = join(this.path, `${name}.answer`);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as never) : null;
  }

  get names(): readonly string[] {
    return readdirSync(this.path).toSorted();
  }
}

describe('a request of ridethrough shutdown', () => {
  it('is recorded, answered beside, and removed, at most a second later', () => {
    const folder = new Folder().ticks().leaves('a', request);
    folder.ticks();
    expect(folder.recorded).to.deep.equal([['nas', 500]]);
    expect(folder.answer('a')).to.deep.equal({ isRecorded: true, reason: '' });
    expect(folder.names).to.deep.equal(['a.answer']);
    folder.ticks(3);
    expect(folder.recorded).to.have.length(1);
  });

  it('is in the log, by the name of its server, or of all that were shut down together', () => {
    const one = new Folder().leaves('a', request).ticks();
    expect(one.lines[0]).to.match(
      /^nas was shut down by hand: it is not brought back, .* until it is up again$/,
    );
    const both = new Folder()
      .leaves('a', request)
      .leaves('b', { ...request, server: 'web' })
      .ticks();
    expect(both.lines[0]).to.match(
      /^nas, web were shut down by hand: they are not .* until they are up again$/,
    );
  });

  it('says before the first step on which machines a shutdown begins, this host among them', () => {
    const begun = { bootId: 'this', server: 'nas', begunUnixSeconds: 500 };
    const folder = new Folder()
      .leaves('a', begun)
      .leaves('b', { ...begun, server: null })
      .ticks();
    expect([folder.begun, folder.recorded]).to.deep.equal([
      [
        ['nas', 500],
        [null, 500],
      ],
      [],
    ]);
    expect(folder.answer('b')).to.deep.equal({ isRecorded: true, reason: '' });
    expect(folder.lines).to.deep.equal([
      'ridethrough shutdown begins on nas, this host: what was stopped there before is not started again',
    ]);
    folder.leaves('c', { ...begun, server: 'unknown' }).leaves('d', { ...begun, unixSeconds: 500 });
    folder
      .leaves('e', { ...request, server: null })
      .leaves('f', { ...begun, bootId: 'other' })
      .ticks();
    expect([folder.begun.length, folder.recorded.length]).to.deep.equal([2, 0]);
    const late = new Folder().leaves('a', { ...begun, begunUnixSeconds: 9e9 }).ticks();
    expect(late.begun[0]?.[1], 'the clock was set back since').to.be.lessThan(9e9);
  });

  it('has an answer for a minute, and after a restart of the daemon none', () => {
    const folder = new Folder().leaves('a', request).ticks(59);
    expect(folder.names).to.deep.equal(['a.answer']);
    expect(folder.ticks(3).names).to.deep.equal([]);
    folder.leaves('b', request).ticks();
    folder.requests = folder.daemon();
    expect(folder.ticks().names).to.deep.equal([]);
  });

  it('waits for the daemon where none ran, and has no date to come', () => {
    const folder = new Folder();
    folder.leaves('a', { ...request, unixSeconds: 253_402_300_799 });
    folder.requests = folder.daemon();
    folder.ticks();
    expect(folder.recorded).to.deep.equal([['nas', folder.time.wallSeconds() - 1]]);
  });

  for (const [what, content, reason] of [
    ['of 1,024 bytes and one more', JSON.stringify(request).padEnd(1_025), /larger than 1024 bytes/],
    ['of a gigabyte', null, /larger than 1024 bytes/],
    ['that is empty', '', /no request of this version/],
    ['that is no JSON', '{"bootId":"this"', /no request of this version/],
    ['that is null', 'null', /no request of this version/],
    ['with a key too many', { ...request, command: 'reboot' }, /no request of this version/],
    ['without a date', { ...request, unixSeconds: undefined }, /no request of this version/],
    ['with a date that is none', '{"bootId":"this","server":"nas","unixSeconds":1e999}', /no request/],
    ['with a date before 1970', { ...request, unixSeconds: -1 }, /no request of this version/],
    ['with a server that is a list', { ...request, server: ['nas'] }, /no request of this version/],
    ['with a name that is too long', { ...request, server: 'n'.repeat(129) }, /no request of this version/],
    ['of another boot', { ...request, bootId: 'other' }, /from before this boot/],
    ['of a server that the daemon does not know', { ...request, server: 'unknown' }, /no server "unknown"/],
  ] as const)
    it(`is refused, answered and removed: one ${what}`, () => {
      const folder = new Folder();
      if (content === null) execFileSync('truncate', ['-s', '1G', join(folder.path, 'a.request')]);
      else folder.leaves('a', content);
      folder.ticks(3);
      expect(folder.recorded).to.deep.equal([]);
      expect(folder.answer('a')?.isRecorded).to.equal(false);
      expect(folder.answer('a')?.reason).to.match(reason);
      expect(folder.names).to.deep.equal(['a.answer']);
      expect(folder.lines.join('\n')).to.match(/is not used: /);
      expect(folder.lines, 'said once').to.have.length(1);
    });

  it('is accepted with exactly 1,024 bytes', () => {
    const folder = new Folder().leaves('a', JSON.stringify(request).padEnd(1_024)).ticks();
    expect(folder.recorded).to.have.length(1);
  });

  it('is followed through no symbolic link, and waits for no FIFO', () => {
    const folder = new Folder();
    const elsewhere = join(temporaryFolder(), 'elsewhere');
    writeFileSync(elsewhere, JSON.stringify(request));
    symlinkSync(elsewhere, join(folder.path, 'a.request'));
    symlinkSync('/nonexistent', join(folder.path, 'b.request'));
    execFileSync('mkfifo', [join(folder.path, 'c.request')]);
    folder.ticks();
    expect(folder.recorded).to.deep.equal([]);
    expect(folder.names).to.deep.equal(['a.answer', 'b.answer', 'c.answer']);
    expect(readFileSync(elsewhere, 'utf8'), 'only the link is removed').to.contain('nas');
  });

  it('is refused of another user', () => {
    const folder = new Folder().leaves('a', request);
    folder.requests = folder.daemon(4_711);
    folder.ticks();
    expect(folder.recorded).to.deep.equal([]);
    expect(folder.answer('a')?.reason).to.match(/it belongs to the user/);
  });

  it('is left alone, and said once, where it is a folder or cannot be removed', () => {
    const folder = new Folder();
    mkdirSync(join(folder.path, 'a.request'));
    folder.leaves('b', request).ticks(5);
    expect(folder.recorded).to.deep.equal([['nas', 500]]);
    expect(folder.lines.filter((line) => line.includes('is not used'))).to.have.length(1);
  });

  it('is not taken for the answer of another, whose link it does not write through', () => {
    const folder = new Folder().leaves('a', request);
    const target = join(temporaryFolder(), 'target');
    symlinkSync(target, join(folder.path, 'a.answer.next'));
    folder.ticks();
    expect(existsSync(target)).to.equal(false);
    expect(folder.recorded).to.have.length(1);
    expect(folder.lines.join()).to.match(/has no answer/);
  });

  it('is one of many: two hundred each second, and nothing is lost', () => {
    const folder = new Folder();
    for (let n = 0; n < 1_000; n += 1)
      folder.leaves(`r${String(n)}`, { ...request, server: `s${String(n)}` });
    folder.ticks();
    expect(folder.recorded).to.have.length(200);
    folder.ticks(4);
    expect(new Set(folder.recorded.map(([server]) => server)).size).to.equal(1_000);
    expect(folder.ticks(70).names).to.deep.equal([]);
  });

  it('needs no folder, and a folder that is a file is said once', () => {
    const folder = new Folder();
    rmSync(folder.path, { recursive: true });
    folder.ticks(3);
    expect(folder.lines).to.deep.equal([]);
    writeFileSync(folder.path, '');
    folder.ticks(3);
    expect(folder.lines.join('\n')).to.match(/cannot be read .*is not recorded$/);
  });
});
