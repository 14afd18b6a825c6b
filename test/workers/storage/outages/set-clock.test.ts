import { expect } from 'chai';
import type { EventType } from '../../../../shared/domain/status/events.js';
import type { EventRecord } from '../../../../shared/protocol/storage.js';
import { BootNotes } from '../../../../workers/storage/boots.js';
import { OutageTracker } from '../../../../workers/storage/outages/tracker.js';
import { Bench, sampleOf } from '../fixture.js';

const start = 1_700_000_000;
const at = (second: number): number => (start + second) * 1000;

interface Row {
  readonly started: number;
  readonly ended: number | null;
  readonly dated: number | null;
  readonly interruptions: number;
}

let seq = 0;
/** With the seconds since the boot. */
function onBoot(type: EventType, at: number, seconds: number, id = 'boot'): EventRecord {
  seq += 1;
  return { seq, at, source: 'office', type, detail: '', boot: { id, ms: seconds * 1000 } };
}

describe('stored outages while the wall clock is set', () => {
  let bench: Bench;
  let tracker: OutageTracker;
  beforeEach(() => {
    bench = new Bench();
    tracker = new OutageTracker();
  });
  afterEach(() => bench.end());

  const happened = (second: number, ...events: EventRecord[]) =>
    bench.run((db) => tracker.recordEvents(db, events, at(second)));
  const rows = () => bench.run((db) => db.all<Row>('SELECT * FROM outages ORDER BY key'));
  const years = 730 * 86_400;

  it('are as long as by the clock of the boot, and get the date of their end', async () => {
    const [old, now] = [start - years, start + 27];
    await bench.run((db) => tracker.recordEvents(db, [onBoot('ON_BATTERY', old, 40)], old * 1000));
    // A daemon that has started again reports the outage again.
    tracker = new OutageTracker();
    await happened(20, onBoot('ON_BATTERY', start + 20, 60));
    await happened(27, onBoot('POWER_RESTORED', now, 67));
    const [row, ...more] = await rows();
    expect(more).to.have.length(0);
    expect(row).to.include({ started: start * 1000, ended: at(27), dated: old * 1000, end_seen: 1 });
    // The same events once more, as after a lost answer.
    await happened(27, onBoot('ON_BATTERY', old, 40), onBoot('POWER_RESTORED', now, 67));
    expect(await rows()).to.deep.equal([row]);
  });

  it('end also with a clock that was set back, and never have a negative length', async () => {
    await happened(0, onBoot('ON_BATTERY', start, 40));
    const back = start - 3_600;
    await bench.run((db) => tracker.recordEvents(db, [onBoot('POWER_RESTORED', back, 70)], back * 1000));
    expect((await rows())[0]).to.include({
      started: (back - 30) * 1000,
      ended: back * 1000,
      dated: start * 1000,
      end_seen: 1,
    });
  });

  it('resume by the clock of the boot, with the date of the first begin kept', async () => {
    await happened(0, onBoot('ON_BATTERY', start, 40));
    await happened(10, onBoot('POWER_RESTORED', start + 10, 50));
    await happened(20, onBoot('ON_BATTERY', start + years, 60));
    await happened(20, onBoot('POWER_RESTORED', start + years + 5, 65));
    const all = await rows();
    expect(all).to.have.length(1);
    expect(all[0]).to.include({ interruptions: 1, dated: start * 1000 });
    expect((all[0]?.ended ?? 0) - (all[0]?.started ?? 0)).to.equal(25_000);
  });

  const measured = (id: string, ...samples: readonly (readonly [number, number, number])[]) =>
    bench.run((db) =>
      tracker.countSamples(
        db,
        samples.map(([at, second, charge]) => ({
          ...sampleOf('office', at, { charge, real_power: 100 }),
          bootMs: second * 1000,
        })),
        (samples.at(-1)?.[0] ?? start) * 1000,
        id,
      ),
    );
  const onBattery = () =>
    tracker.recordChanges([
      { groupId: 'office', at: start, isWhole: true, variables: { 'ups.status': 'OB' } },
    ]);

  for (const [way, step] of [
    ['back', -3_600],
    ['forth', 3_600],
    ['forth by years', years],
  ] as const)
    it(`count their samples when the clock is set ${way}, and lie by the new one while they last`, async () => {
      onBattery();
      await happened(0, onBoot('ON_BATTERY', start, 40));
      // One flush, in which the clock is set.
      await measured('boot', [start + 1, 41, 90], [start + 11, 51, 80], [start + step + 21, 61, 70]);
      await measured('boot', [start + step + 31, 71, 60]);
      expect((await rows())[0]).to.include({
        started: (start + step) * 1000,
        dated: start * 1000,
        ended: null,
        last: (start + step + 31) * 1000,
        low_charge: 60,
        joules: 3_000,
      });
      await happened(step + 40, onBoot('POWER_RESTORED', start + step + 40, 80));
      // Late ones, with a date of before.
      await measured('boot', [start + 35, 75, 50]);
      expect((await rows())[0]).to.include({
        started: (start + step) * 1000,
        dated: start * 1000,
        ended: (start + step + 40) * 1000,
        low_charge: 50,
      });
    });

  it('go on over a boot whose clock stands earlier, as long as they were seen', async () => {
    onBattery();
    await happened(0, onBoot('ON_BATTERY', start, 40));
    await measured('boot', [start + 100, 140, 90]);
    const [early] = [1_000];
    tracker = new OutageTracker();
    onBattery();
    await happened(0, onBoot('ON_BATTERY', early, 30, 'next'));
    await measured('next', [early + 10, 40, 80]);
    // The clock is set in the second boot.
    const late = start + 500;
    await happened(0, onBoot('POWER_RESTORED', late, 60, 'next'));
    const all = await rows();
    expect(all).to.have.length(1);
    expect(all[0]).to.include({
      started: (late - 130) * 1000,
      ended: late * 1000,
      dated: start * 1000,
      former_boots: '["boot"]',
      low_charge: 80,
    });
  });

  it('do not take up one whose end was seen before a boot with an earlier clock', async () => {
    await happened(0, onBoot('ON_BATTERY', start, 40));
    await happened(30, onBoot('POWER_RESTORED', start + 30, 70));
    await happened(0, onBoot('ON_BATTERY', 1_000, 30, 'next'));
    expect(await rows()).to.have.length(2);
  });

  it('keep the length by the wall clock where a container has a new clock in the same boot', async () => {
    await happened(0, onBoot('ON_BATTERY', start, 400));
    await happened(60, onBoot('POWER_RESTORED', start + 60, 10));
    expect((await rows())[0]).to.include({ started: at(0), ended: at(60), dated: null });
  });

  it('note where the wall clock stood in each boot, once', async () => {
    const notes = new BootNotes();
    const note = (second: number, ms: number, id = 'boot') =>
      bench.run((db) => notes.note(db, [{ at: second, boot: { id, ms } }]));
    await note(100, 40_000);
    await note(110, 50_000);
    await note(start, 60_000);
    await note(start + 5, 5_000, 'next');
    const noted = () => bench.run((db) => db.all('SELECT id, low, high FROM boots ORDER BY key'));
    const expected = [
      { id: 'boot', low: 60_000, high: at(-60) },
      { id: 'next', low: at(0), high: at(0) },
    ];
    expect(await noted()).to.deep.equal(expected);
    // A process that knows nothing of what is stored.
    await bench.run((db) => new BootNotes().note(db, [{ at: start + 1, boot: { id: 'next', ms: 1_000 } }]));
    expect(await noted()).to.deep.equal(expected);
  });

  it('keep their dates without a step, and over a boot', async () => {
    await happened(0, onBoot('ON_BATTERY', start, 40));
    await happened(60, onBoot('POWER_RESTORED', start + 61.5, 100));
    await happened(500, onBoot('ON_BATTERY', start + 500, 540));
    await happened(700, onBoot('POWER_RESTORED', start + 700, 20, 'next'));
    const all = await rows();
    expect(all.map(({ started, ended, dated }) => [started, ended, dated])).to.deep.equal([
      [at(0), at(61.5), null],
      [at(500), at(700), null],
    ]);
  });
});
