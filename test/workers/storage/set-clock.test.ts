import { expect } from 'chai';
import fc from 'fast-check';
import type { EventType } from '../../../shared/domain/status/events.js';
import type { EventRecord, SampleRecord } from '../../../shared/protocol/storage.js';
import { BatteryTracker } from '../../../workers/storage/battery/tracker.js';
import { CoverageCounter } from '../../../workers/storage/coverage/counter.js';
import { Cutoffs } from '../../../workers/storage/cutoffs.js';
import { EnergyCounter } from '../../../workers/storage/energy/counter.js';
import { appendEvents } from '../../../workers/storage/events.js';
import { slewMs } from '../../../workers/storage/outages/clocks.js';
import { OutageTracker } from '../../../workers/storage/outages/tracker.js';
import { retain } from '../../../workers/storage/retention.js';
import { rollUp } from '../../../workers/storage/rollup.js';
import { SampleWriter } from '../../../workers/storage/samples.js';
import { Bench, sampleOf } from './fixture.js';

const retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 };
const start = 1_790_000_000;
const boot = 'boot';
const battery = {
  ...{ groupId: 'office', feedsHost: true, installDate: '', expectedLifeYears: 5, nominalRuntimeSeconds: 0 },
  ...{ updateIntervalSeconds: 3600, minHistoryDays: 30, horizonDays: 90, thresholdScore: 50 },
  ...{ warnScore: 60, criticalScore: 40 },
};

/** What happens, in the order of true time. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 900 }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('transfer' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('set' as const),
        to: fc.oneof(
          fc.constantFrom(30, 2_147_483_640, 4_294_967_290, 2_600_000_000, start),
          fc.integer({ min: -100_000, max: 100_000 }).map((by) => start + by),
        ),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  ),
  { minLength: 8, maxLength: 30 },
);

class World {
  readonly bench = new Bench();
  /** True seconds since the boot. */
  second = 1_000;
  /** What the wall clock shows at the boot. */
  zero = start - 1_000;
  onBattery = false;
  readonly lengths: number[] = [];
  readonly lowest: number[] = [];
  samples = 0;
  read = 0;
  #began = 0;
  #sets = 0;
  #transferred = -1_000;
  #charge = 100;
  #seq = 0;
  #writer = new SampleWriter();
  #tracker = new OutageTracker();
  #energy = new EnergyCounter();
  #coverage = new CoverageCounter();
  #batteries = this.#newBatteries();
  readonly #cutoffs = new Cutoffs({ monotonicMs: () => this.second * 1000, wallSeconds: () => this.wall });

  get wall(): number {
    // No two dates are the same to the ms.
    return this.zero + this.second + this.samples / 1e3 / 997;
  }

  #newBatteries(): BatteryTracker {
    const tracker = new BatteryTracker();
    tracker.configure([battery]);
    return tracker;
  }

  /** Never to the same ms: a begin has one date of its own. Within a slew a clock is not set, and lengths are not exact. */
  setTo(seconds: number): void {
    this.#sets += 1;
    const zero = seconds + this.#sets * 0.037 - this.second;
    if (Math.abs(zero - this.zero) * 1000 > slewMs) this.zero = zero;
  }

  restart(): void {
    this.#writer = new SampleWriter();
    this.#tracker = new OutageTracker();
    this.#energy = new EnergyCounter();
    this.#coverage = new CoverageCounter();
    this.#batteries = this.#newBatteries();
    this.#reads(true);
  }

  #reads(isWhole: boolean): void {
    const variables = { 'ups.status': this.onBattery ? 'OB' : 'OL' };
    this.#tracker.recordChanges([{ groupId: 'office', at: this.wall, isWhole, variables }]);
  }

  async transfer(): Promise<void> {
    // Two within a minute are one.
    if (this.second - this.#transferred < 61) await this.wait(61);
    this.#transferred = this.second;
    this.onBattery = !this.onBattery;
    this.#seq += 1;
    const type: EventType = this.onBattery ? 'ON_BATTERY' : 'POWER_RESTORED';
    const event: EventRecord = {
      ...{ seq: this.#seq, at: this.wall, source: 'office', type, detail: '' },
      boot: { id: boot, ms: this.second * 1000 },
    };
    this.#reads(true);
    if (this.onBattery) {
      this.#began = this.second;
      this.#charge = 100;
    } else {
      this.lengths.push(this.second - this.#began);
      this.lowest.push(this.#charge);
    }
    await this.bench.run(async (db) => {
      await appendEvents(db, 'run', [event]);
      await this.#tracker.recordEvents(db, [event], this.wall * 1000);
      await this.#batteries.recordEvents(db, [event]);
    });
  }

  async wait(seconds: number): Promise<void> {
    const samples: SampleRecord[] = [];
    const end = this.second + seconds;
    while (this.second < end) {
      this.second = Math.min(end, this.second + 60);
      this.samples += 1;
      if (this.onBattery) this.#charge = Math.max(1, this.#charge - 1);
      samples.push({
        ...sampleOf('office', this.wall, {
          charge: this.onBattery ? this.#charge : 100,
          runtime: 900,
          load: 20,
        }),
        bootMs: this.second * 1000,
        status: this.onBattery ? 'OB' : 'OL',
        power: { watts: 100, estimated: 0 },
      });
    }
    this.read += seconds;
    await this.bench.run(async (db) => {
      const stored = await this.#writer.append(db, samples);
      await this.#energy.count(db, samples, stored === samples.length);
      await this.#coverage.count(db, samples, stored === samples.length);
      await this.#tracker.countSamples(db, samples, this.wall * 1000, boot);
      await this.#batteries.take(db, samples, stored === samples.length);
    });
  }

  async maintain(): Promise<void> {
    await this.bench.run(async (db) => {
      await this.#tracker.maintain(db, this.wall * 1000, { id: boot, ms: this.second * 1000 });
      await this.#coverage.write(db);
      await this.#energy.write(db, this.wall * 1000);
      for (let step = 0; step < 300; step += 1)
        if (!((await rollUp(db, this.wall)) || (await retain(db, retention, this.wall, this.#cutoffs))))
          return;
    });
  }

  rows = (): Promise<number> =>
    this.bench.run((db) =>
      db.number(`SELECT (SELECT count(*) FROM samples) + (SELECT count(*) FROM recent_samples) + (SELECT count(*) FROM events) +
        (SELECT count(*) FROM outages) AS value`),
    );
  number = (sql: string): Promise<number> =>
    this.bench.run((db) => db.number(`SELECT (SELECT ${sql}) AS value`));
}

describe('the history while the wall clock is set forth and back', () => {
  it('has no negative length, finds the samples of each outage, and loses no row when the clock goes back', async function () {
    await fc.assert(
      fc.asyncProperty(steps, async (happenings) => {
        const world = new World();
        try {
          await world.wait(60);
          let latest = world.wall;
          for (const happening of happenings) {
            if (happening.kind === 'wait') await world.wait(happening.seconds);
            if (happening.kind === 'transfer') await world.transfer();
            if (happening.kind === 'restart') world.restart();
            if (happening.kind === 'set') world.setTo(happening.to);
            const before = await world.rows();
            const isBack = world.wall < latest;
            await world.maintain();
            // Rows with dates of before wait until the clock has come that far.
            if (isBack && world.wall < start - 200_000) expect(await world.rows(), 'rows').to.equal(before);
            latest = Math.max(latest, world.wall);
          }
          if (world.onBattery) await world.transfer();
          await world.maintain();
          const rows = await world.bench.run((db) =>
            db.all<{ ms: number; low: number | null; ended: number | null }>(
              'SELECT ended - started AS ms, low_charge AS low, ended FROM outages ORDER BY key',
            ),
          );
          expect(rows.map(({ ms }) => Math.round(ms / 1000))).to.deep.equal(world.lengths);
          for (const [index, { low }] of rows.entries())
            if ((world.lengths[index] ?? 0) > 60) expect(low).to.equal(world.lowest[index]);
          expect(await world.number('count(*) FROM energy_days WHERE joules < 0 OR seconds < 0')).to.equal(0);
          expect(
            await world.number('count(*) FROM coverage_days WHERE seconds < 0 OR first > last'),
          ).to.equal(0);
          expect(await world.number('ifnull(sum(seconds), 0) FROM coverage_days')).to.be.at.most(
            world.read + 60,
          );
          expect(
            await world.number(
              'count(*) FROM (SELECT n FROM hourly UNION ALL SELECT n FROM five_minute) WHERE n < 1',
            ),
          ).to.equal(0);
        } finally {
          await world.bench.end();
        }
      }),
      {
        numRuns: 25,
        examples: [
          [
            [
              { kind: 'set', to: 30 },
              { kind: 'transfer' },
              { kind: 'set', to: start },
              { kind: 'restart' },
              { kind: 'wait', seconds: 5 },
              { kind: 'set', to: start + 3 },
              { kind: 'wait', seconds: 1 },
            ],
          ],
        ],
      },
    );
  });
});
