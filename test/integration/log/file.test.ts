import { expect } from 'chai';
import { renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { record } from '../../workers/log/record.js';
import { Fixture, eventually } from './fixture.js';

describe('the log file', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
    fixture.empty('stderr');
  });
  afterEach(() => fixture.end());

  it('is appended to, and nobody but owner and group may read it', async () => {
    const log = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    await log.drain(5000);
    const again = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await again.write([record({ message: 'two' })]);
    await again.drain(5000);
    expect(fixture.text('log')).to.match(/ one\n.* two\n$/);
    expect(statSync(fixture.path('log')).mode & 0o137).to.equal(0);
  });

  it('is opened again by name when it was rotated', async () => {
    const log = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    await eventually(() => fixture.text('stderr').includes('one'));
    renameSync(fixture.path('log'), fixture.path('log.1'));
    await log.reopenFile();
    await log.write([record({ message: 'two' })]);
    await log.drain(5000);
    expect(fixture.text('log.1')).to.match(/ one\n$/);
    expect(fixture.text('log')).to.match(/^[^\n]* two\n$/);
  });

  it('on a full disk loses nothing it can hold: standard error says so, and the lines come when there is room', async () => {
    symlinkSync('/dev/full', fixture.path('log'));
    const log = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' }), record({ message: 'two' })]);
    await eventually(() => fixture.text('stderr').includes('log cannot be written (ENOSPC'));
    expect(fixture.text('stderr')).to.contain('one');
    rmSync(fixture.path('log'));
    await log.reopenFile();
    await eventually(() => fixture.text('stderr').includes('log can be written again'));
    expect(fixture.text('log')).to.match(/^[^\n]* one\n[^\n]* two\n/);
  });

  it('in a folder that is missing is tried again', async () => {
    const log = await fixture.log({ file: fixture.path('missing/log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    await eventually(() => fixture.text('stderr').includes('cannot be written (ENOENT'));
    await log.heartbeat();
  });

  it('that is a pipe without a reader holds up nothing', async () => {
    const { reading, writing } = fixture.fifo();
    const log = await fixture.log({ file: fixture.path('fifo') }, fixture.path('stderr'));
    for (let n = 0; n < 50; n += 1)
      await log.write(Array.from({ length: 100 }, () => record({ message: 'x'.repeat(1000) })));
    await log.write([record({ message: 'the last line' })]);
    await eventually(() => fixture.text('stderr').includes('the last line'));
    await log.heartbeat();
    expect([reading, writing]).to.have.length(2);
  });

  it('can be changed while running', async () => {
    const log = await fixture.log({ file: fixture.path('log') }, fixture.path('stderr'));
    await log.write([record({ message: 'one' })]);
    log.configure({ file: fixture.path('other') });
    await log.write([record({ message: 'two' })]);
    await log.drain(5000);
    expect(fixture.text('log')).to.match(/^[^\n]* one\n$/);
    expect(fixture.text('other')).to.match(/^[^\n]* two\n$/);
  });

  it('holds no secret, in no field and neither form', async () => {
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
    await log.drain(5000);
    for (const text of [fixture.text('log'), fixture.text('stderr')]) {
      expect(text.split('\n')).to.have.length(3);
      expect(text).not.to.match(/hunter2|tok\\?"en|p4ss|abcdefghij/);
      for (const field of ['logger', 'message', 'category', 'event_type', 'group', 'ups', 'server'])
        expect(text).to.contain(`${field} [redacted]`);
    }
  });
});
