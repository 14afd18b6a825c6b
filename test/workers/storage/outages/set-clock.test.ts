import { expect } from 'chai';
import type { EventType } from '../../../../shared/domain/events.js';
import type { EventRecord } from '../../../../shared/protocol/storage.js';
import { OutageTracker } from '../../../../workers/storage/outages/tracker.js';
import { Bench } from '../fixture.js';

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
