import { expect } from 'chai';
import { renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { record } from '../../workers/log/record.js';
import { Fixture } from './fixture.js';
import { until } from '../../fixtures/until.js';

describe('the log file', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
  });
  afterEach(() => fixture.end());

  it('is appended to, and readable by owner and group only', async () => {
    const log = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    await log.drain(60_000);
    const again = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await again.write([record({ message: 'two' })]);
    await again.drain(60_000);
    expect(fixture.text('log')).to.match(/ one\n.* two\n$/);
    expect(statSync(fixture.path('log')).mode & 0o137).to.equal(0);
  });

  it('is reopened by name after a rotation', async () => {
    const log = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    await until(() => fixture.text('log').includes('one'));
    renameSync(fixture.path('log'), fixture.path('log.1'));
    await log.reopenFile();
    await log.write([record({ message: 'two' })]);
    await log.drain(60_000);
    expect(fixture.text('log.1')).to.match(/ one\n$/);
    expect(fixture.text('log')).to.match(/^[^\n]* two\n$/);
  });

  it('reports a full disk on standard error, buffers within its limit, and catches up when there is space', async () => {
    symlinkSync('/dev/full', fixture.path('log'));
    const log = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' }), record({ message: 'two' })]);
    await until(() => fixture.text('stderr').includes('log cannot be written (ENOSPC'));
    expect(fixture.text('stderr')).to.contain('one');
    rmSync(fixture.path('log'));
    await log.reopenFile();
    await until(() => fixture.text('stderr').includes('log can be written again'));
    await until(() => fixture.text('log').includes(' two\n'));
    expect(fixture.text('log')).to.match(/^[^\n]* one\n[^\n]* two\n/);
  });

  it('is retried in a missing directory', async () => {
    const log = await fixture.log({ file: fixture.path('missing/log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    await until(() => fixture.text('stderr').includes('cannot be written (ENOENT'));
    await log.heartbeat();
  });

  it('does not block the daemon when it is a pipe without a reader', async () => {
    const { reading, writing } = fixture.fifo();
    const log = await fixture.log({ file: fixture.path('fifo') }, fixture.path('stderr'));
    for (let n = 0; n < 50; n += 1)
      await log.write(Array.from({ length: 100 }, () => record({ message: 'x'.repeat(1000) })));
    await log.write([record({ message: 'the last line' })]);
    await until(() => fixture.text('stderr').includes('the last line'));
    await log.heartbeat();
    expect([reading, writing]).to.have.length(2);
  });

  it('can be changed by a reload', async () => {
    const log = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    log.configure({ file: fixture.path('other') });
    await log.write([record({ message: 'two' })]);
    await log.drain(60_000);
    expect(fixture.text('log')).to.match(/^[^\n]* one\n$/);
    expect(fixture.text('other')).to.match(/^[^\n]* two\n$/);
  });

  it('contains no secret, in any field and in either format', async () => {
    const secrets = ['hunter2!', 'tok"en\\2'];
    const hostile = (field: string): string =>
      `${field} hunter2! tok"en\\2 https://u:p4ss@h/ Bearer abcdefghij`;
    const planted = record({
      ...{ logger: hostile('logger'), message: hostile('message'), category: hostile('category') },
      ...{ event_type: hostile('event_type'), group: hostile('group'), ups: hostile('ups') },
      ...{ server: hostile('server') },
    });
    const log = await fixture.log({ file: fixture.path('log'), secrets }, fixture.path('stderr'));
    await log.write([planted]);
    log.configure({ file: fixture.path('log'), secrets, format: 'json' });
    await log.write([planted]);
    await log.drain(60_000);
    for (const text of [fixture.text('log'), fixture.text('stderr')]) {
      expect(text.split('\n')).to.have.length(3);
      expect(text).not.to.match(/hunter2|tok\\?"en|p4ss|abcdefghij/);
      for (const field of ['logger', 'message', 'category', 'event_type', 'group', 'ups', 'server'])
        expect(text).to.contain(`${field} [redacted]`);
    }
  });
});
