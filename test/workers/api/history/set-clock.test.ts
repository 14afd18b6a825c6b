import { deflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import type { EventType } from '../../../../shared/domain/status/events.js';
import { readOutage } from '../../../../workers/api/history/outages.js';
import { ReadPool } from '../../../../workers/api/history/read-pool.js';
import { BootNotes } from '../../../../workers/storage/boots.js';
import { writeEvidence } from '../../../../workers/storage/outages/evidence.js';
import { OutageTracker } from '../../../../workers/storage/outages/tracker.js';
import { Bench } from '../../storage/fixture.js';

const start = 1_700_000_000;
const calm = { signal: new AbortController().signal, deadlineMs: 30_000 };

describe('outages as they are read after the clock was set', () => {
  let bench: Bench;
  let pool: ReadPool | undefined;
  let seq = 0;
  beforeEach(() => {
    bench = new Bench();
    pool = undefined;
  });
  afterEach(async () => {
    await pool?.close();
    await bench.end();
  });

  const happened = async (type: EventType, at: number, second: number, id = 'boot'): Promise<void> => {
    seq += 1;
    const event = { seq, at, source: 'office', type, detail: '', boot: { id, ms: second * 1000 } };
    await bench.run((db) => new OutageTracker().recordEvents(db, [event], at * 1000));
    await bench.run((db) => new BootNotes().note(db, [event]));
  };
  const outage = async (id = 1) => {
    pool ??= new ReadPool(bench.path);
    const read = await readOutage(pool, id, (source) => [source], calm);
    if (!read.ok || read.value === null) throw new Error('no outage');
    return read.value;
  };

  it('are marked only over a boot, and where it was set by more than a minute in one of the boots', async () => {
    const cases = [
      { set: 3_600, id: 'boot', isMarked: false },
      { set: 0, id: 'b', isMarked: false },
      { set: 59, id: 'c', isMarked: false },
      { set: 61, id: 'd', isMarked: true },
      { set: -61, id: 'e', isMarked: true },
    ];
    for (const [index, { set, id, isMarked }] of cases.entries()) {
      const at = start + index * 100_000;
      const first = id === 'boot' ? id : `before ${id}`;
      await happened('ON_BATTERY', at, 10_000, first);
      await happened('ON_BATTERY', at + 100, id === 'boot' ? 10_100 : 20, id);
      await happened('POWER_RESTORED', at + 160 + set, id === 'boot' ? 10_160 : 80, id);
      const { durationUncertain, durationSeconds } = await outage(index + 1);
      expect({ id, durationUncertain }).to.deep.equal({ id, durationUncertain: isMarked });
      expect(durationSeconds).to.equal(160);
    }
  });

  it('are marked when the clock was set in the boot before, when it stood in 1970, or was set after the end', async () => {
    await happened('DAEMON_START', start - 7_200, 10);
    await happened('ON_BATTERY', start, 100);
    await happened('POWER_RESTORED', start + 60, 20, 'next');
    expect((await outage()).durationUncertain).to.equal(true);
    await happened('ON_BATTERY', 100, 100, 'unset');
    await happened('POWER_RESTORED', 160, 20, 'also unset');
    expect((await outage(2)).durationUncertain).to.equal(true);
    await happened('ON_BATTERY', start + 1_000, 1_000, 'third');
    await happened('POWER_RESTORED', start + 1_060, 20, 'fourth');
    expect((await outage(3)).durationUncertain).to.equal(false);
    await happened('DAEMON_STOP', start + 9_000, 60, 'fourth');
    expect((await outage(3)).durationUncertain).to.equal(true);
  });

  for (const [way, step] of [
    ['forth', 730 * 86_400],
    ['back', -7_200],
  ] as const)
    it(`have their readings by the new clock, in order, when it is set ${way}`, async () => {
      await happened('ON_BATTERY', start, 100);
      await happened('POWER_RESTORED', start + step + 60, 160);
      const minute = (at: number, changes: readonly (readonly [number, string])[]) => ({
        fromMs: at * 1000,
        untilMs: at * 1000,
        changes: deflateRawSync(
          JSON.stringify(changes.map(([second, charge]) => [second * 1000, { 'battery.charge': charge }])),
        ),
        written: false,
      });
      const minutes = [
        minute(start, [
          [start, '100'],
          [start + 20, '90'],
        ]),
        minute(start + step + 40, [[start + step + 40, '80']]),
      ];
      await bench.run((db) => writeEvidence(db, [{ ups: 1, minutes }]));
      const { changes, readings, start: begin, clockSetSeconds } = await outage();
      expect([begin, clockSetSeconds]).to.deep.equal([start + step, step]);
      expect(changes.map(({ ts, variables }) => [ts - begin, variables['battery.charge']])).to.deep.equal([
        [0, '100'],
        [20, '90'],
        [40, '80'],
      ]);
      expect(
        readings.map(({ ts, at, variables }) => [ts - begin, at, variables['battery.charge']]),
      ).to.deep.equal([
        [0, 'start', '100'],
        [60, 'end', '80'],
      ]);
    });
});
