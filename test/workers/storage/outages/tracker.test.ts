import { expect } from 'chai';
import fc from 'fast-check';
import type { EventType } from '../../../../shared/domain/status/events.js';
import type { ShutdownRecord } from '../../../../shared/domain/outage/outage.js';
import type { EventRecord, SampleRecord } from '../../../../shared/protocol/storage.js';
import { writeEvidence } from '../../../../workers/storage/outages/evidence.js';
import { OutageTracker, saveShutdown } from '../../../../workers/storage/outages/tracker.js';
import { Bench, sampleOf } from '../fixture.js';

const start = 1_700_000_000;

let seq = 0;
function event(type: EventType, at: number, detail = '', source = 'office'): EventRecord {
  seq += 1;
  return { seq, at, source, type, detail };
}

interface Row {
  readonly cause: string;
  readonly started: number;
  readonly ended: number | null;
  readonly end_seen: number;
  readonly interruptions: number;
  readonly low_charge: number | null;
  readonly low_runtime: number | null;
  readonly joules: number | null;
  readonly estimated: number;
}

describe('stored outages', () => {
  let bench: Bench;
  let tracker: OutageTracker;
  beforeEach(() => {
    bench = new Bench();
    tracker = new OutageTracker();
  });
  afterEach(() => bench.end());

  const at = (second: number): number => (start + second) * 1000;
  const happened = (second: number, ...events: EventRecord[]) =>
    bench.run((db) => tracker.recordEvents(db, events, at(second)));
  const measured = (...samples: SampleRecord[]) =>
    bench.run((db) => tracker.countSamples(db, samples, (samples.at(-1)?.at ?? start) * 1000));
  const maintained = (second: number) => bench.run((db) => tracker.maintain(db, at(second)));
  const reads = (second: number, status: string, isWhole = false, groupId = 'office') =>
    tracker.recordChanges([{ groupId, at: start + second, isWhole, variables: { 'ups.status': status } }]);
  const rows = () => bench.run((db) => db.all<Row>('SELECT * FROM outages ORDER BY key'));
  const evidence = () => bench.run((db) => db.number('SELECT count(*) AS value FROM outage_evidence'));

  it('begin and end with the events, with lowest values and the energy drawn', async () => {
    reads(-1, 'OL', true);
    await happened(0, event('ON_BATTERY', start, 'charge 100 %'));
    reads(0, 'OB');
    await measured(
      sampleOf('office', start - 1, { charge: 3, real_power: 999 }),
      sampleOf('office', start, { charge: 100, runtime: 1200, real_power: 100 }),
      sampleOf('office', start + 10, { charge: 90, runtime: 900, real_power: 120 }),
      sampleOf('office', start + 20, { charge: 91, runtime: 950, real_power: 120 }),
    );
    await happened(25, event('POWER_RESTORED', start + 25));
    // Samples are flushed later than events.
    await measured(
      sampleOf('office', start + 24, { charge: 80, runtime: 800, real_power: 120 }),
      sampleOf('office', start + 26, { charge: 10, runtime: 1, real_power: 120 }),
    );
    expect(await rows()).to.have.length(1);
    expect((await rows())[0]).to.include({
      cause: 'outage',
      started: start * 1000,
      ended: at(25),
      end_seen: 1,
      low_charge: 80,
      low_runtime: 800,
      joules: 1100 + 1200 + 480,
    });
  });

  it('draw the energy that is counted for the UPS, and say when it is estimated', async () => {
    const drawn = (second: number, watts: number, estimated: number): SampleRecord => ({
      ...sampleOf('office', start + second, { real_power: 999 }),
      power: { watts, estimated },
    });
    reads(-1, 'OL', true);
    await happened(0, event('ON_BATTERY', start));
    reads(0, 'OB');
    await measured(drawn(0, 100, 0), drawn(10, 120, 0));
    expect((await rows())[0]).to.include({ joules: 1_100, estimated: 0 });
    await measured(drawn(20, 140, 2));
    // The sums continue from the database.
    tracker = new OutageTracker();
    reads(25, 'OB', true);
    await measured(drawn(30, 140, 1));
    expect((await rows())[0]).to.include({ joules: 1_100 + 1_300 + 1_400, estimated: 2 });
  });

  it('are one when less than a minute lies between, and two otherwise', async () => {
    await happened(0, event('ON_BATTERY', start));
    await happened(10, event('POWER_RESTORED', start + 10));
    await happened(70, event('ON_BATTERY', start + 70));
    await happened(80, event('POWER_RESTORED', start + 80));
    await happened(141, event('ON_BATTERY', start + 141));
    expect(await rows()).to.have.length(2);
    expect((await rows())[0]).to.include({ ended: at(80), interruptions: 1 });
    expect((await rows())[1]).to.include({ started: at(141), ended: null });
  });

  it('have the cause that the event names', async () => {
    await happened(0, event('ON_BATTERY', start, 'self-test: charge 100 %'));
    await happened(0, event('ON_BATTERY', start, 'calibration: charge 100 %', 'rack'));
    expect((await rows()).map(({ cause }) => cause)).to.deep.equal(['self-test', 'calibration']);
  });

  it('end at the last sample when the return of power was not seen', async () => {
    reads(-1, 'OL', true);
    await happened(0, event('ON_BATTERY', start));
    reads(0, 'OB');
    await measured(sampleOf('office', start + 300, { charge: 20 }));
    // The host was off; a new daemon finds line power.
    tracker = new OutageTracker();
    reads(4_000, 'OL', true);
    await measured(sampleOf('office', start + 4_000, { charge: 5 }));
    await maintained(4_060);
    expect((await rows())[0]).to.include({ ended: null });
    await maintained(4_120);
    expect((await rows())[0]).to.include({ ended: at(300), end_seen: 0, low_charge: 20 });
  });

  it('end unseen and begin again when the restarted daemon finds another outage', async () => {
    reads(-1, 'OL', true);
    await happened(0, event('ON_BATTERY', start));
    reads(0, 'OB');
    await measured(sampleOf('office', start + 100, { charge: 50 }));
    tracker = new OutageTracker();
    await happened(9_000, event('ON_BATTERY', start + 9_000));
    expect((await rows()).map(({ ended, end_seen }) => [ended, end_seen])).to.deep.equal([
      [at(100), 0],
      [null, 0],
    ]);
  });

  it('go on when the daemon is killed in the middle', async () => {
    reads(-1, 'OL', true);
    await happened(0, event('ON_BATTERY', start));
    reads(0, 'OB');
    await measured(sampleOf('office', start + 10, { charge: 50, real_power: 100 }));
    tracker = new OutageTracker();
    await happened(20, event('ON_BATTERY', start + 20));
    reads(20, 'OB', true);
    await measured(sampleOf('office', start + 30, { charge: 40, real_power: 100 }));
    await happened(40, event('POWER_RESTORED', start + 40));
    expect(await rows()).to.have.length(1);
    expect((await rows())[0]).to.include({ started: at(0), ended: at(40), low_charge: 40, joules: 2000 });
  });

  it('end unseen when nothing was read for an hour, and get their end when it is seen later', async () => {
    reads(-1, 'OL', true);
    await happened(0, event('ON_BATTERY', start));
    reads(0, 'OB');
    await measured(sampleOf('office', start + 10, { charge: 50 }));
    for (let minute = 1; minute < 80; minute += 1) await maintained(minute * 60);
    expect((await rows())[0]).to.include({ ended: at(10), end_seen: 0 });
    await happened(5_000, event('POWER_RESTORED', start + 5_000));
    expect((await rows())[0]).to.include({ ended: at(5_000), end_seen: 1 });
  });

  it('are the same when every event and sample is delivered twice', async () => {
    const pauses = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pauses, async (given) => {
        let now = 0;
        const events = given.map((pause, index) => {
          now += pause;
          return event(index % 2 === 0 ? 'ON_BATTERY' : 'POWER_RESTORED', start + now, '', 'office');
        });
        const outcome = async (times: number): Promise<unknown> => {
          await bench.run((db) => db.exec('DELETE FROM outages'));
          tracker = new OutageTracker();
          for (const one of events)
            for (let time = 0; time < times; time += 1) await happened(one.at - start, one);
          return (await rows()).map(({ started, ended, interruptions }) => [started, ended, interruptions]);
        };
        expect(await outcome(2)).to.deep.equal(await outcome(1));
      }),
      { numRuns: 12 },
    );
  });

  it('keep the readings from ten minutes before to ten minutes after', async () => {
    reads(-1_200, 'OL', true);
    for (let minute = -20; minute < 0; minute += 1) {
      reads(minute * 60 + 1, `OL ${String(minute)}`);
      await maintained(minute * 60 + 60);
    }
    expect(await evidence()).to.equal(0);
    await happened(0, event('ON_BATTERY', start));
    expect(await evidence()).to.be.within(10, 11);
    reads(1, 'OB');
    await happened(30, event('POWER_RESTORED', start + 30));
    const soon = await evidence();
    for (let minute = 1; minute < 30; minute += 1) {
      reads(minute * 60, `OL ${String(minute)}`);
      await maintained(minute * 60 + 60);
    }
    expect((await evidence()) - soon).to.be.within(10, 11);
  });

  it('lose the oldest evidence first beyond its bound, and no row', async () => {
    await happened(0, event('ON_BATTERY', start));
    const minutes = Array.from({ length: 1_200 }, (_, minute) => ({
      fromMs: at(minute * 60),
      untilMs: at(minute * 60 + 59),
      changes: Buffer.alloc(100),
      written: false,
    }));
    await bench.run((db) => writeEvidence(db, [{ ups: 1, minutes }], 60_000));
    expect(await evidence()).to.equal(200);
    expect(await bench.run((db) => db.number('SELECT min(ts) AS value FROM outage_evidence'))).to.equal(
      at(1_000 * 60),
    );
    expect(
      await bench.run((db) => db.number("SELECT value FROM marks WHERE name = 'evidence_bytes'")),
    ).to.equal(20_000);
    expect(await rows()).to.have.length(1);
  });

  it('write nothing while every UPS is on line power', async () => {
    const writes = () => bench.run((db) => db.number('SELECT total_changes() AS value'));
    const before = await writes();
    reads(0, 'OL', true);
    for (let minute = 1; minute < 30; minute += 1) {
      reads(minute * 60, `OL ${String(minute)}`);
      await measured(sampleOf('office', start + minute * 60, { charge: 100 }));
      await maintained(minute * 60);
    }
    expect(await writes()).to.equal(before);
  });

  it('keep the newest state of a shutdown', async () => {
    const shutdown = (over: boolean): ShutdownRecord => ({
      ...{
        group: 'office',
        label: 'Office',
        startedAt: start + 0.5,
        trigger: 'LOW_BATTERY' as const,
        why: '',
      },
      ...{ dryRun: false, fedBy: ['office'], boundSeconds: 60, estimateSeconds: 10, over, cancelled: '' },
      steps: [],
    });
    await bench.run((db) => saveShutdown(db, shutdown(false)));
    await bench.run((db) => saveShutdown(db, shutdown(true)));
    const stored = await bench.run((db) => db.all<{ body: string }>('SELECT body FROM outage_shutdowns'));
    expect(stored.map(({ body }) => JSON.parse(body) as unknown)).to.deep.equal([shutdown(true)]);
  });
});
