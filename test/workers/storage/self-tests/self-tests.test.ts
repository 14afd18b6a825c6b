import { expect } from 'chai';
import type { SelfTestRecord } from '../../../../shared/domain/ups/self-test.js';
import type { RecalledTests } from '../../../../shared/protocol/self-tests.js';
import { OutageTracker } from '../../../../workers/storage/outages/tracker.js';
import { keepTests, recallTests } from '../../../../workers/storage/self-tests/self-tests.js';
import { Bench, sampleOf } from '../fixture.js';

const at = 1_790_000_000;
const test = (change: Partial<SelfTestRecord> = {}): SelfTestRecord => ({
  startedTs: at,
  endedTs: at + 10,
  command: 'test.battery.start.quick',
  source: 'scheduler',
  result: 'PASSED',
  raw: 'Done and passed',
  date: null,
  ...change,
});

describe('the storage of battery tests', () => {
  let bench: Bench;
  beforeEach(() => (bench = new Bench()));
  afterEach(() => bench.end());

  const keep = (...tests: readonly SelfTestRecord[]) =>
    bench.run((db) =>
      keepTests(
        db,
        tests.map((one) => ({ groupId: 'office', test: one })),
      ),
    );
  const recall = async (now = at + 60, schedule = 'monthly 03:00'): Promise<RecalledTests> => {
    const { ups } = await bench.run((db) =>
      recallTests(db, { schedules: [{ groupId: 'office', schedule }], at: now }),
    );
    const [found] = ups;
    if (found === undefined) throw new Error('nothing was recalled');
    return found;
  };

  it('recalls the test that runs, the last one, the last verdict and the last by schedule', async () => {
    const failed = test({ result: 'FAILED' });
    const unknown = test({ startedTs: at + 100, result: 'UNKNOWN', source: 'api' });
    const running = test({ startedTs: at + 200, endedTs: null, result: 'RUNNING', source: 'api' });
    await keep(failed, unknown, running);
    await bench.reopen();
    expect(await recall()).to.deep.include({ running, last: unknown, verdict: failed, scheduledTs: at });
  });

  it('keeps one row of a test that is written at its begin and at its end', async () => {
    await keep(test({ endedTs: null, result: 'RUNNING' }));
    await keep(test());
    expect(await recall()).to.deep.include({ running: null, last: test() });
    expect(await bench.run((db) => db.number('SELECT count(*) AS value FROM self_tests'))).to.equal(1);
  });

  it('takes a test by schedule that did not start for none, and keeps one row of all tries', async () => {
    await keep(test());
    const refused = (step: number) =>
      test({ startedTs: at + step, result: 'UNKNOWN', raw: 'not started: ERR ACCESS-DENIED' });
    for (const step of [100, 200, 300]) await keep(refused(step));
    expect(await recall()).to.deep.include({ last: refused(300), scheduledTs: at });
    expect(await bench.run((db) => db.number('SELECT count(*) AS value FROM self_tests'))).to.equal(2);
    await keep(
      test({ startedTs: at + 400, result: 'UNSUPPORTED', raw: 'not started: ERR CMD-NOT-SUPPORTED' }),
    );
    expect(await recall()).to.deep.include({ scheduledTs: at + 400 });
  });

  it('takes a test that a later one follows for over, also when only its begin was stored', async () => {
    await keep(test({ endedTs: null, result: 'RUNNING' }));
    await keep(test({ startedTs: at + 100, endedTs: null, result: 'RUNNING' }));
    const later = test({ startedTs: at + 100, endedTs: at + 110 });
    await keep(later);
    expect(await recall()).to.deep.include({ running: null, last: later, verdict: later });
  });

  it('keeps the newest 500 of a UPS', async () => {
    await keep(...Array.from({ length: 510 }, (_, step) => test({ startedTs: at + step })));
    const [count, first] = await bench.run(async (db) => [
      await db.number('SELECT count(*) AS value FROM self_tests'),
      await db.number('SELECT min(started) AS value FROM self_tests'),
    ]);
    expect([count, first]).to.deep.equal([500, at + 10]);
  });

  it('knows since when a schedule has been in effect, until it changes, whatever the clock', async () => {
    expect((await recall(at)).sinceTs).to.equal(at);
    expect((await recall(at + 999)).sinceTs).to.equal(at);
    expect((await recall(at + 999, 'daily 03:00')).sinceTs).to.equal(at + 999);
    expect((await recall(at - 999_999, 'daily 03:00')).sinceTs).to.equal(at + 999);
  });

  describe('with outages', () => {
    const tracker = new OutageTracker();
    const happened = (type: 'ON_BATTERY' | 'POWER_RESTORED', ts: number, detail = '') =>
      bench.run((db) =>
        tracker.recordEvents(db, [{ seq: 1, at: ts, source: 'office', type, detail }], ts * 1000),
      );

    it('recalls one of the last hour, and no test as one', async () => {
      await happened('ON_BATTERY', at, 'self-test: charge 100 %');
      await happened('POWER_RESTORED', at + 10);
      expect((await recall(at + 60)).outageTs).to.equal(null);
      await happened('ON_BATTERY', at + 100);
      await happened('POWER_RESTORED', at + 150);
      expect((await recall(at + 160)).outageTs).to.equal(at + 150);
      expect((await recall(at + 4_000)).outageTs).to.equal(null);
    });

    it('recalls one that began hours ago, and ended with its last reading in the last hour', async () => {
      await happened('ON_BATTERY', at);
      tracker.recordChanges([{ groupId: 'office', at, isWhole: true, variables: { 'ups.status': 'OB' } }]);
      await bench.run((db) =>
        tracker.countSamples(db, [sampleOf('office', at + 7_000, { charge: 60 })], (at + 7_000) * 1000),
      );
      // The shutdown has turned the machine off; it has started again with the power.
      expect((await recall(at + 9_000)).outageTs).to.equal(at + 7_000);
      expect((await recall(at + 11_000)).outageTs).to.equal(null);
    });

    it('recalls one that ended after now: the clock of a machine that has just started is not set yet', async () => {
      await happened('ON_BATTERY', at);
      await happened('POWER_RESTORED', at + 10);
      expect((await recall(at - 999_999)).outageTs).to.equal(at - 999_999);
    });
  });
});
