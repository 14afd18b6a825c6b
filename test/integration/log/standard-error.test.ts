import { expect } from 'chai';
import { closeSync, statSync } from 'node:fs';
import { record } from '../../workers/log/record.js';
import { Fixture, readUntil } from './fixture.js';
import { until } from '../../fixtures/until.js';

/** 20,000 records of 200 characters: more than a pipe, a batch and the queue hold together. */
const floodOf = (count: number, batch: number) =>
  Array.from({ length: count }, (_, n) =>
    record({ message: `line ${String(batch * count + n)} ${'x'.repeat(200)}` }),
  );

describe('the standard error outlet', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
  });
  afterEach(() => fixture.end());

  it('writes every record, in order', async () => {
    const log = await fixture.log({}, fixture.empty('stderr'));
    for (let batch = 0; batch < 10; batch += 1) await log.write(floodOf(200, batch));
    await until(() => fixture.text('stderr').includes('line 1999 '));
    const numbers = [...fixture.text('stderr').matchAll(/ line (\d+) /g)].map((match) => Number(match[1]));
    expect(numbers).to.deep.equal(Array.from({ length: 2000 }, (_, n) => n));
  });

  it('writes only records of the configured level, which a reload can change', async () => {
    const log = await fixture.log({ level: 'warning' }, fixture.empty('stderr'));
    await log.write([record({ message: 'one' }), record({ message: 'two', level: 'error' })]);
    log.configure({ level: 'debug', format: 'json' });
    await log.write([record({ message: 'three', level: 'debug' })]);
    await until(() => fixture.text('stderr').includes('three'));
    const lines = fixture.text('stderr').trimEnd().split('\n');
    expect(lines).to.have.length(2);
    expect(lines[0]).to.contain('error policy: two');
    expect(JSON.parse(lines[1] ?? '')).to.include({ level: 'debug', message: 'three' });
  });

  it('does not block when nobody reads, and reports the dropped records later', async () => {
    const { reading, writing } = fixture.fifo();
    const log = await fixture.log({}, writing);
    let lost = 0;
    for (let batch = 0; batch < 20; batch += 1) lost += await log.write(floodOf(1000, batch));
    await log.heartbeat();
    await log.heartbeat();
    expect(lost).to.be.above(10_000);
    await log.write([record({ message: 'the last line' })]);
    const text = await readUntil(reading, 'the last line');
    const said = Number(/ (\d+) log lines lost/.exec(text)?.[1]);
    const kept = [...text.matchAll(/ line (\d+) /g)].map((match) => Number(match[1]));
    expect(said).to.be.within(lost, lost + 1);
    expect(kept.length + said).to.equal(20_000);
    expect(kept).to.deep.equal([...kept].sort((a, b) => a - b));
    expect(kept.at(-1)).to.equal(19_999);
  });

  it('does not block on a socket that nobody reads', async () => {
    const log = await fixture.log({}, 'pipe');
    for (let batch = 0; batch < 20; batch += 1) await log.write(floodOf(1000, batch));
    await log.heartbeat();
    await log.heartbeat();
  });

  it('closes within its deadline even if nobody reads', async () => {
    const { writing } = fixture.fifo();
    const log = await fixture.log({}, writing);
    for (let batch = 0; batch < 2; batch += 1) await log.write(floodOf(1000, batch));
    await log.drain(600);
    expect(log.child.signalCode).to.equal('SIGKILL');
  });

  it('tolerates that its reader closes, while the file outlet continues and reports it', async () => {
    const { reading, writing } = fixture.fifo();
    const log = await fixture.log({ file: fixture.path('log') }, writing);
    closeSync(reading);
    await log.write([record({ message: 'one' })]);
    await until(() => fixture.text('log').includes('standard error cannot be written (EPIPE'));
    await log.write([record({ message: 'two' })]);
    await until(() => fixture.text('log').includes('two'));
    await log.heartbeat();
  });

  it('flushes every record at the end', async () => {
    const log = await fixture.log({}, fixture.empty('stderr'));
    await log.write(floodOf(1000, 0));
    await log.drain(60_000);
    expect(fixture.text('stderr').split('\n')).to.have.length(1001);
  });

  it('reports records that were dropped before it received them', async () => {
    const log = await fixture.log({}, fixture.empty('stderr'));
    await log.write([record({ message: 'first' })], 17);
    await until(() => fixture.text('stderr').includes('first'));
    expect(fixture.text('stderr')).to.match(/warning log: 17 log lines lost before this one.*\n.* first\n/);
  });

  it('writes the priority and no time for the journal', async () => {
    const { dev, ino } = statSync(fixture.empty('stderr'));
    process.env.JOURNAL_STREAM = `${String(dev)}:${String(ino)}`;
    const log = await fixture.log({}, fixture.path('stderr'));
    delete process.env.JOURNAL_STREAM;
    await log.write([record({ level: 'error', message: 'one' })]);
    await until(() => fixture.text('stderr') === '<3>policy: one\n');
  });
});
