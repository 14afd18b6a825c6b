import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import type { ShutdownRecord } from '../../../../shared/domain/outage/outage.js';
import type { OutageRecord } from '../../../../workers/api/history/outages.js';
import { readOutage, readOutages } from '../../../../workers/api/history/outages.js';
import { ReadPool } from '../../../../workers/api/history/read-pool.js';
import { writeEvidence } from '../../../../workers/storage/outages/evidence.js';
import { OutageTracker, saveShutdown } from '../../../../workers/storage/outages/tracker.js';
import { Bench } from '../../storage/fixture.js';

const start = 1_700_000_000;
const calm = { signal: new AbortController().signal, deadlineMs: 30_000 };
type Change = readonly [number, Readonly<Record<string, string | null>>];

const shutdown: ShutdownRecord = {
  ...{ group: 'rack', label: 'Rack', startedAt: start + 5, trigger: 'LOW_BATTERY', why: 'charge 5 %' },
  ...{ dryRun: false, fedBy: ['office'], boundSeconds: 60, estimateSeconds: 10, over: true, cancelled: '' },
  steps: [
    {
      ...{ id: 'a', phase: 'remote', target: 'nas', budgetSeconds: 60, estimateSeconds: 10 },
      ...{ startedAt: start + 5, endedAt: start + 9, state: 'done', reason: '' },
    },
  ],
};

describe('outages as they are read', () => {
  let bench: Bench;
  let pool: ReadPool;
  beforeEach(async () => {
    bench = new Bench();
    const tracker = new OutageTracker();
    await bench.run((db) =>
      tracker.recordEvents(
        db,
        [
          { seq: 1, at: start, source: 'office', type: 'ON_BATTERY', detail: '' },
          { seq: 2, at: start + 60, source: 'office', type: 'POWER_RESTORED', detail: '' },
        ],
        (start + 60) * 1000,
      ),
    );
    await bench.run((db) => saveShutdown(db, shutdown));
    pool = new ReadPool(bench.path);
  });
  afterEach(async () => {
    await pool.close();
    await bench.end();
  });

  const keep = (...minutes: readonly (readonly Change[])[]) =>
    bench.run((db) =>
      writeEvidence(db, [
        {
          ups: 1,
          minutes: minutes.map((changes) => ({
            fromMs: (start + (changes[0]?.[0] ?? 0)) * 1000,
            untilMs: (start + (changes.at(-1)?.[0] ?? 0)) * 1000,
            changes: deflateRawSync(
              JSON.stringify(changes.map(([second, variables]) => [(start + second) * 1000, variables])),
            ),
            written: false,
          })),
        },
      ]),
    );
  const outage = async (): Promise<OutageRecord> => {
    const read = await readOutage(pool, 1, (source) => [source], calm);
    if (!read.ok || read.value === null) throw new Error('no outage');
    return read.value;
  };

  it('have their shutdowns, with steps only in the answer of one outage', async () => {
    const list = await readOutages(
      pool,
      { limit: 10, source: null, from: null, to: null, before: null },
      calm,
    );
    if (!list.ok) throw new Error(list.error.message);
    expect(list.value[0]?.shutdowns).to.have.length(1);
    expect(list.value[0]?.shutdowns[0]).to.include({ why: 'charge 5 %' }).and.not.to.have.property('steps');
    expect((await outage()).shutdowns).to.deep.equal([shutdown]);
  });

  it('have the shutdown of the failsafe after an unseen end, in one of them only', async () => {
    const at = (id: number, started: number, ended: number): string =>
      `(${String(id)}, 1, 'outage', ${String((start + started) * 1000)}, ${String((start + ended) * 1000)})`;
    await bench.run((db) =>
      db.exec(
        `INSERT INTO outages (key, ups, cause, started, ended) VALUES ${at(2, 10_000, 10_060)}, ${at(3, 10_400, 10_500)}`,
      ),
    );
    for (const second of [100, 10_200, 10_450, 10_600, 20_000])
      await bench.run((db) => saveShutdown(db, { ...shutdown, startedAt: start + second }));
    const list = await readOutages(
      pool,
      { limit: 10, source: null, from: null, to: null, before: null },
      calm,
    );
    if (!list.ok) throw new Error(list.error.message);
    expect(
      list.value.map(({ id, shutdowns }) => [id, ...shutdowns.map(({ startedAt }) => startedAt - start)]),
    ).to.deep.equal([
      [1, 5],
      [2, 10_200],
      [3, 10_450, 10_600],
    ]);
    const one = await readOutage(pool, 2, (source) => [source], calm);
    expect(one.ok && one.value?.shutdowns.map(({ startedAt }) => startedAt - start)).to.deep.equal([10_200]);
  });

  it('have what each reading changed, and the whole reading at each decision', async () => {
    await keep(
      [
        [-30, { 'ups.status': 'OL', 'ups.load': '20', 'ups.beeper.status': 'muted' }],
        [0, { 'ups.status': 'OB' }],
      ],
      // A minute begins with the whole reading; the beeper is gone.
      [
        [20, { 'ups.status': 'OB', 'ups.load': '20' }],
        [60, { 'ups.status': 'OL' }],
      ],
    );
    const { changes, readings, evidenceComplete } = await outage();
    expect(changes.map(({ ts, variables }) => [ts - start, variables])).to.deep.equal([
      [-30, { 'ups.status': 'OL', 'ups.load': '20', 'ups.beeper.status': 'muted' }],
      [0, { 'ups.status': 'OB' }],
      [20, { 'ups.beeper.status': null }],
      [60, { 'ups.status': 'OL' }],
    ]);
    expect(readings.map(({ at, variables }) => [at, variables['ups.status']])).to.deep.equal([
      ['start', 'OB'],
      ['shutdown rack', 'OB'],
      ['end', 'OL'],
    ]);
    expect(evidenceComplete).to.equal(true);
  });

  it('stay below a bound when a UPS fills its evidence, and say so', async () => {
    const noise = (): string => randomBytes(300_000).toString('base64');
    await keep(
      ...Array.from({ length: 40 }, (_, minute): readonly Change[] => [
        [minute - 20, { 'ups.status': 'OB', noise: noise() }],
      ]),
    );
    const { changes, readings, evidenceComplete } = await outage();
    const chars = changes.reduce((sum, { variables }) => sum + (variables['noise']?.length ?? 0), 0);
    expect(chars).to.be.within(4_000_000, 16_800_000);
    expect(readings).to.have.length(3);
    expect(evidenceComplete).to.equal(false);
  });

  it('stay below a bound also when the evidence deflates to little', async () => {
    const noise = (minute: number): string => String.fromCharCode(97 + (minute % 26)).repeat(1_000_000);
    await keep(
      ...Array.from({ length: 40 }, (_, minute): readonly Change[] => [
        [minute - 20, { 'ups.status': 'OB', noise: noise(minute) }],
      ]),
    );
    const { changes, evidenceComplete } = await outage();
    const chars = changes.reduce((sum, { variables }) => sum + (variables['noise']?.length ?? 0), 0);
    expect(chars).to.be.within(10_000_000, 18_800_000);
    expect(evidenceComplete).to.equal(false);
  });
});
