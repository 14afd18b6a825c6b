import { expect } from 'chai';
import { decode } from '../../../shared/domain/base/decode.js';
import { maxDetailLength, storageContract } from '../../../shared/protocol/storage.js';
import type { RunStart, FormerRun } from '../../../workers/storage/runs.js';
import { BootNotes } from '../../../workers/storage/boots.js';
import { beginRun, endRun, saveSequence, lifecycleOf } from '../../../workers/storage/runs.js';
import { metricOf, metrics } from '../../../shared/domain/status/metrics.js';
import { SampleWriter } from '../../../workers/storage/samples.js';
import { Bench } from './fixture.js';

const start: RunStart = { run: 'run-2', bootId: 'boot-a', version: '1.0', at: 2000, recovered: null };
const former: FormerRun = {
  bootId: 'boot-a',
  version: '1.0',
  stopped: 1990,
  stoppedMs: null,
  isDateInDoubt: 0,
  sequence: null,
};
const inShutdown: FormerRun = { ...former, sequence: 'office: local_poweroff/host done' };

describe('the start of a run', () => {
  const cases: readonly (readonly [string, Partial<RunStart>, FormerRun | null])[] = [
    ['DAEMON_START', {}, null],
    ['DAEMON_START', { bootId: 'boot-b' }, former],
    ['DAEMON_RESTARTED', {}, former],
    ['DAEMON_AFTER_CRASH', {}, { ...former, stopped: null }],
    ['DAEMON_AFTER_CRASH', { bootId: 'boot-b' }, { ...former, stopped: null }],
    ['DAEMON_UPGRADED', { version: '1.1' }, former],
    ['DAEMON_UPGRADED', { version: '1.1' }, { ...former, stopped: null }],
    ['DAEMON_UPGRADED', { version: '0.9', bootId: 'boot-b' }, former],
    ['DAEMON_RECOVERED', { bootId: 'boot-b' }, inShutdown],
    ['DAEMON_RECOVERED', { bootId: 'boot-b', version: '1.1' }, { ...inShutdown, stopped: null }],
    ['DAEMON_RESTARTED', {}, inShutdown],
  ];
  for (const [type, given, before] of cases)
    it(`is recorded as ${type} with ${JSON.stringify(given)} after ${JSON.stringify(before)}`, () => {
      expect(lifecycleOf({ ...start, ...given }, before)).to.equal(type);
    });
});

describe('the record of runs', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.end());

  const begin = (given: Partial<RunStart>, keep = true) =>
    bench.run((db) => beginRun(db, { ...start, ...given }, keep));
  const end = (run: string, at: number) =>
    bench.run((db) => endRun(db, { run, at, detail: 'stopped' }, true));
  const types = () =>
    bench
      .run((db) => db.all<{ type: string }>('SELECT type FROM events ORDER BY id'))
      .then((rows) => rows.map(({ type }) => type));

  it('has exactly one lifecycle event a start, for any number of requests', async () => {
    const first = await begin({ run: 'run-1', at: 1000 });
    expect(await begin({ run: 'run-1', at: 1000 })).to.deep.equal(first);
    await bench.reopen();
    expect(await begin({ run: 'run-1', at: 1000 })).to.deep.equal(first);
    expect(await types()).to.deep.equal(['DAEMON_START']);
  });

  it('lists the events of a run in order', async () => {
    await begin({ run: 'run-1', at: 1000 });
    await end('run-1', 1500);
    await begin({ run: 'run-2', at: 1510 });
    const crash = await begin({ run: 'run-3', at: 1600 });
    const upgrade = await begin({ run: 'run-4', at: 1700, version: '1.1' });
    await bench.run((db) => saveSequence(db, { run: 'run-4', sequence: 'office: local_poweroff/host done' }));
    await end('run-4', 1800);
    await end('run-4', 1801);
    const recovery = await begin({
      run: 'run-5',
      at: 1900,
      version: '1.1',
      bootId: 'boot-b',
    });
    expect(await types()).to.deep.equal([
      'DAEMON_START',
      'DAEMON_STOP',
      'DAEMON_RESTARTED',
      'DAEMON_AFTER_CRASH',
      'DAEMON_UPGRADED',
      'DAEMON_STOP',
      'DAEMON_RECOVERED',
    ]);
    expect(crash.detail).to.equal('version 1.0; the previous run ended without a clean stop');
    expect(upgrade.detail).to.equal(
      'version 1.1; previous version 1.0; the previous run ended without a clean stop',
    );
    expect(recovery.detail).to.equal(
      'version 1.1; a shutdown stopped the machine: office: local_poweroff/host done; down for 100 s',
    );
  });

  it('says for how long it was down by the clock of the boot, over a boot where the wall clock tells it', async () => {
    const stop = (run: string, at: number, bootMs: number) =>
      bench.run((db) => endRun(db, { run, at, bootMs, detail: 'stopped' }, true));
    const note = (id: string, ...zeros: readonly number[]) =>
      bench.run((db) =>
        new BootNotes().note(
          db,
          zeros.map((at) => ({ at, boot: { id, ms: 0 } })),
        ),
      );
    const now = 1_700_000_000;
    await begin({ run: 'run-1', at: 1_000, bootMs: 5_000 });
    await stop('run-1', 1_010, 15_000);
    const again = await begin({ run: 'run-2', at: now, bootMs: 18_500 });
    expect(again.detail).to.equal('version 1.0; down for 3 s');
    await stop('run-2', now + 100, 118_500);
    await note('boot-a', 995, now - 18);
    const other = await begin({ run: 'run-3', at: now + 400, bootId: 'boot-b', bootMs: 10_000 });
    expect(other.detail).to.equal('version 1.0; down for an unknown time, since the clock was set');
    await note('boot-b', now + 390);
    await stop('run-3', now + 500, 110_000);
    const earlier = await begin({ run: 'run-4', at: 2_000, bootId: 'boot-c', bootMs: 10_000 });
    expect(earlier.detail).to.equal('version 1.0; down for an unknown time, since the clock was set');
    await note('boot-c', now + 590);
    await stop('run-4', now + 700, 110_000);
    const good = await begin({ run: 'run-5', at: now + 760, bootId: 'boot-d', bootMs: 10_000 });
    expect(good.detail).to.equal('version 1.0; down for 60 s');
  });

  it('keeps a shutdown across restarts on the same boot, and drops it when power returns', async () => {
    await begin({ run: 'run-1', at: 1000 });
    await bench.run((db) => saveSequence(db, { run: 'run-1', sequence: 'office: containers/all done' }));
    await begin({ run: 'run-2', at: 1100 });
    expect((await begin({ run: 'run-3', at: 1200, bootId: 'boot-b' })).type).to.equal('DAEMON_RECOVERED');
    await bench.run((db) => saveSequence(db, { run: 'run-3', sequence: 'office: containers/all done' }));
    await bench.run((db) => saveSequence(db, { run: 'run-3', sequence: null }));
    expect((await begin({ run: 'run-4', at: 1300, bootId: 'boot-c' })).type).to.equal('DAEMON_AFTER_CRASH');
  });

  it('limits the list of servers of a large shutdown, and returns what follows the list', async () => {
    const told = Array.from(
      { length: 85 },
      (_, n) => `remote_servers/esx-rack12-node${String(n)}.example.com done`,
    );
    for (const sequence of [
      `office: ${told.join(', ')}`.slice(0, maxDetailLength),
      '🔋'.repeat(2000),
      `-${'🔋'.repeat(1999)}-`,
    ]) {
      await begin({ run: `before ${sequence}`, at: 1000, version: 'v'.repeat(64) });
      // As a previous build without the limit wrote it.
      await bench.run((db) => db.run('UPDATE runs SET sequence = ? WHERE boot_id = ?', sequence, 'boot-a'));
      const after = { run: `after ${sequence}`, at: 1300, version: 'w'.repeat(64), bootId: 'boot-b' };
      const begun = await begin(after);
      expect(decode(storageContract.requests['run.begin'].result, begun)).to.include({ ok: true });
      expect(begun.detail)
        .to.match(/done|🔋/)
        .and.to.satisfy((text: string) => text.endsWith('ended without a clean stop'));
      expect(begun.detail).to.not.match(/[\ud800-\udbff](?![\udc00-\udfff])/);
      expect(await begin(after)).to.deep.equal(begun);
    }
  });

  it('returns a valid answer for a longer record of a previous build', async () => {
    await begin({ run: 'run-1', at: 1000 });
    await bench.run((db) => db.run('UPDATE runs SET lifecycle_detail = ?', 'x'.repeat(maxDetailLength + 85)));
    expect((await begin({ run: 'run-1', at: 1000 })).detail).to.have.length(maxDetailLength);
  });

  it('names the UPSes that have shown a charge or a runtime above 0, rolled up or not', async () => {
    const values = (charge: number | null, runtime: number | null) =>
      metrics.map(({ name }) => (name === 'charge' ? charge : name === 'runtime' ? runtime : 230));
    const samples = [
      { groupId: 'apc', at: 1000, values: values(100, 1200) },
      { groupId: 'eaton', at: 1000, values: values(0, null) },
      { groupId: 'atlantis', at: 1000, values: values(null, 60) },
    ];
    await bench.run((db) => new SampleWriter().append(db, samples));
    const known = [
      { groupId: 'atlantis', charge: false, runtime: true },
      { groupId: 'apc', charge: true, runtime: true },
    ];
    expect((await begin({ run: 'run-1' })).gauges).to.deep.equal(known);
    expect((await begin({ run: 'run-1' })).gauges, 'again').to.deep.equal(known);
    await bench.run((db) =>
      db.exec(`INSERT INTO hourly SELECT key, ${String(metricOf('charge').number)}, 0, 1, 5, 0, 5 FROM ups
        WHERE group_id = 'eaton'; DELETE FROM recent_samples;`),
    );
    expect((await begin({ run: 'run-2' })).gauges).to.deep.equal([
      { groupId: 'eaton', charge: true, runtime: false },
    ]);
  });

  it('works while lifecycle events are not kept', async () => {
    await begin({ run: 'run-1', at: 1000 }, false);
    const second = await begin({ run: 'run-2', at: 1100 }, false);
    expect(second).to.include({ type: 'DAEMON_AFTER_CRASH', id: null });
    expect(await types()).to.deep.equal([]);
  });

  it('does not grow with every crash', async () => {
    for (let turn = 0; turn < 40; turn += 1) await begin({ run: `run-${String(turn)}`, at: turn });
    const kept = await bench.run((db) => db.number('SELECT count(*) AS value FROM runs'));
    expect(kept).to.be.below(20);
  });
});
