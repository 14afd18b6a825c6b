import { expect } from 'chai';
import type { Period, PeriodName } from '../../../../shared/domain/base/local-calendar.js';
import { periodAt } from '../../../../shared/domain/base/local-calendar.js';
import { Report } from '../../../../shared/domain/outage/report.js';
import type { SampleRecord } from '../../../../shared/protocol/storage.js';
import { readOutages } from '../../../../workers/api/history/outages.js';
import { ReadPool } from '../../../../workers/api/history/read-pool.js';
import { readReport } from '../../../../workers/api/history/report.js';
import { composeReport } from '../../../../workers/api/report/compose.js';
import { CoverageCounter } from '../../../../workers/storage/coverage/counter.js';
import { EnergyCounter } from '../../../../workers/storage/energy/counter.js';
import { OutageTracker } from '../../../../workers/storage/outages/tracker.js';
import { rollUp } from '../../../../workers/storage/rollup.js';
import { SampleWriter } from '../../../../workers/storage/samples.js';
import { keepTests } from '../../../../workers/storage/self-tests/self-tests.js';
import { inTimeZone } from '../../../fixtures/time-zone.js';
import { Bench, sampleOf } from '../../storage/fixture.js';
import { row } from '../fixture.js';

const calm = { signal: new AbortController().signal, deadlineMs: 30_000 };
const local = (text: string): number => new Date(text).getTime() / 1000;
const everySeconds = 60;

interface Given {
  readonly load?: number;
  readonly voltage?: (at: number) => number;
  readonly watts?: number;
}

/** As the storage worker keeps them. */
class History {
  readonly bench = new Bench();
  readonly #writer = new SampleWriter();
  readonly #coverage = new CoverageCounter();
  readonly #energy = new EnergyCounter();
  readonly #outages = new OutageTracker();
  #seq = 0;

  async read(
    from: number,
    to: number,
    { load = 20, voltage = () => 230, watts = 100 }: Given = {},
  ): Promise<void> {
    const samples: SampleRecord[] = [];
    for (let at = from; at <= to; at += everySeconds)
      samples.push({
        ...sampleOf('office', at, { charge: 100, load, voltage: voltage(at) }),
        power: { watts, estimated: 2 },
      });
    await this.bench.run(async (db) => {
      await this.#writer.append(db, samples);
      await this.#coverage.count(db, samples, true);
      await this.#energy.count(db, samples, true);
      await this.#outages.countSamples(db, samples, to * 1000);
      await this.#coverage.write(db);
      await this.#energy.write(db, to * 1000);
    });
  }

  async outage(from: number, to: number, detail = ''): Promise<void> {
    const event = (at: number, type: 'ON_BATTERY' | 'POWER_RESTORED') => ({
      ...{ seq: ++this.#seq, at, source: 'office', type, detail },
    });
    await this.bench.run(async (db) => {
      await this.#outages.recordEvents(db, [event(from, 'ON_BATTERY')], from * 1000);
      await this.#outages.recordEvents(db, [event(to, 'POWER_RESTORED')], to * 1000);
    });
  }

  async rolledUp(at: number): Promise<void> {
    while (await this.bench.run((db) => rollUp(db, at)));
  }

  async report(period: PeriodName | Period, now: number, at = now): Promise<Report> {
    const asked = typeof period === 'string' ? periodAt(period, at) : period;
    const pool = new ReadPool(this.bench.path);
    const data = await readReport(pool, asked, now, calm);
    const span = { source: null, from: asked.from, to: asked.to - 1, before: null, limit: 100 };
    const outages = await readOutages(pool, span, calm);
    await pool.close();
    if (!data.ok || !outages.ok) throw new Error('the history cannot be read');
    return composeReport({
      ...{ period: asked, now, data: data.value, outages: outages.value },
      rows: [row({ name: 'office@127.0.0.1', label: 'Office', groupId: 'office' })],
      remoteHealth: [],
      price: { costPerKwh: 0.5, currency: 'CHF' },
    });
  }
}

for (const zone of ['Europe/Berlin', 'Asia/Kolkata'])
  describe(`a report in ${zone}`, () => {
    inTimeZone(zone);
    let history: History;
    beforeEach(() => (history = new History()));
    afterEach(() => history.bench.end());

    const office = (report: Report) => {
      expect(Report.is(report)).to.equal(true);
      expect(report.ups).to.have.length(1);
      const [found] = report.ups;
      if (found === undefined) throw new Error('no UPS');
      return found;
    };

    it('agrees with the truth of a day, before and after the roll-up', async () => {
      const day = local('2026-06-15T00:00');
      const sag = day + 14 * 3600 + 120;
      const surge = day + 20 * 60;
      const voltage = (at: number): number => (at === sag ? 187.5 : at === surge ? 251 : 230);
      await history.read(day - 7200, day + 10 * 3600, { voltage });
      // Two hours without a reading, and an outage of ten minutes.
      await history.read(day + 12 * 3600, day + 26 * 3600, { voltage, load: 40 });
      await history.outage(day + 15 * 3600, day + 15 * 3600 + 600);
      await history.outage(day + 16 * 3600, day + 16 * 3600 + 60, 'self-test: x');
      const now = day + 26 * 3600;
      for (const rollUpAt of [day - 7200, now]) {
        await history.rolledUp(rollUpAt);
        const report = await history.report('day', now, day + 3600);
        const found = office(report);
        expect(found).to.deep.include({
          ...{ watchedSeconds: 86_400, readSeconds: 22 * 3600, unseenSeconds: 7200 },
          ...{ onBatterySeconds: 600, testSeconds: 60, outages: 1 },
          ...{ energyKwh: 2.2, cost: 1.1, energyEstimated: true, powerFactor: 0.7, energyPartial: true },
        });
        expect(found.lowestVolts?.value).to.equal(187.5);
        expect(found.highestVolts?.value).to.equal(251);
        // An hour or less before the value.
        expect(sag - (found.lowestVolts?.ts ?? 0)).to.be.within(0, 3600);
        expect(found.meanLoad).to.be.within(30.8, 31);
        expect(found.steps).to.have.length(24);
        if (zone === 'Europe/Berlin')
          expect(found.steps.map(({ load }) => load).slice(8, 14)).to.deep.equal([20, 20, 20, null, 40, 40]);
        expect(report.outages.map(({ cause }) => cause)).to.deep.equal(['outage', 'self-test']);
        expect(report).to.include({ isOver: true, currency: 'CHF', energyKwh: 2.2 });
      }
    });

    it('leaves out what is before and after its period', async () => {
      const day = local('2026-06-15T00:00');
      const outside = (at: number): number => (at < day || at >= day + 86_400 ? 100 : 230);
      await history.read(day - 3600, day + 25 * 3600, { voltage: outside });
      await history.outage(day - 300, day + 300);
      const now = day + 25 * 3600;
      for (const rollUpAt of [day - 3600, now]) {
        await history.rolledUp(rollUpAt);
        const found = office(await history.report('day', now, day));
        expect(found.lowestVolts?.value).to.equal(230);
        expect(found.onBatterySeconds).to.equal(300);
      }
    });

    it('counts nothing of an outage that begins after now, since the clock was set back', async () => {
      const noon = local('2026-06-15T12:00');
      await history.read(noon - 3600, noon);
      await history.bench.run((db) =>
        db.run(
          `INSERT INTO outages (ups, cause, started) SELECT key, 'outage', ? FROM ups`,
          (noon + 600) * 1000,
        ),
      );
      expect(office(await history.report('day', noon))).to.include({ outages: 1, onBatterySeconds: 0 });
    });

    it('of a UPS that is new counts from its first reading, and of one without any is empty', async () => {
      const noon = local('2026-06-15T12:00');
      await history.bench.run((db) => db.run(`INSERT INTO ups (group_id) VALUES ('office')`));
      const empty = office(await history.report('day', noon));
      expect(empty).to.deep.include({ readSeconds: 0, energyKwh: null, lowestVolts: null, cost: null });
      const yesterday = async () => office(await history.report('day', noon + 3600, noon - 86_400));
      expect(await yesterday()).to.include({ watchedSeconds: 86_400, unseenSeconds: 86_400 });
      await history.read(noon, noon + 3600);
      expect(await yesterday()).to.include({ watchedSeconds: 0, unseenSeconds: 0 });
      const found = office(await history.report('day', noon + 3600));
      expect(found).to.include({
        watchedSeconds: 3600,
        readSeconds: 3600,
        unseenSeconds: 0,
        energyPartial: false,
      });
    });

    it('does not count as unseen what is not written yet', async () => {
      const noon = local('2026-06-15T12:00');
      await history.read(noon, noon + 3600);
      const at = async (now: number, day = now) => office(await history.report('day', now, day));
      const read = { watchedSeconds: 3600, readSeconds: 3600, unseenSeconds: 0 };
      expect(await at(noon + 3600 + 36)).to.include(read);
      expect(await at(noon + 3600 + 240)).to.include(read);
      expect(await at(noon + 3600 + 241)).to.include({ watchedSeconds: 3841, unseenSeconds: 241 });
      const midnight = noon + 12 * 3600;
      await history.read(noon + 3600 + 60, midnight - 60);
      expect(await at(midnight + 5, noon)).to.include({ unseenSeconds: 0 });
    });

    it('of history without a count of the time takes the hours that have values', async () => {
      const day = local('2026-06-15T00:00');
      await history.read(day, day + 24 * 3600);
      await history.rolledUp(day + 25 * 3600);
      await history.bench.run((db) => db.run('DELETE FROM coverage_days'));
      const found = office(await history.report('day', day + 25 * 3600, day));
      expect(found.readSeconds).to.equal(86_400);
    });

    it('counts the tests of its period by their result', async () => {
      const day = local('2026-06-15T00:00');
      const test = (startedTs: number, result: 'PASSED' | 'FAILED' | 'UNKNOWN') => ({
        groupId: 'office',
        test: {
          startedTs,
          endedTs: startedTs + 9,
          command: null,
          source: 'device',
          result,
          raw: '',
          date: null,
        } as const,
      });
      await history.bench.run((db) =>
        keepTests(db, [
          test(day - 1, 'FAILED'),
          test(day, 'PASSED'),
          test(day + 60, 'FAILED'),
          test(day + 90, 'UNKNOWN'),
        ]),
      );
      const report = await history.report('day', day + 86_400, day);
      expect(office(report).tests).to.deep.equal({ passed: 1, failed: 1, other: 1 });
      expect(report.tests).to.have.length(3);
    });

    it('has the energy of each day of a month, and only of those that were counted', async () => {
      const [second, fourth] = [local('2026-06-02T00:00'), local('2026-06-04T00:00')];
      await history.read(second, second + 86_400 - 60, { watts: 1000 });
      await history.read(fourth, fourth + 43_200, { watts: 1000 });
      const found = office(await history.report('month', fourth + 43_200));
      expect(found.steps.map(({ kwh }) => (kwh === null ? null : Math.round(kwh)))).to.deep.equal([
        ...[null, 24, null, 12],
        ...Array.from({ length: 26 }, () => null),
      ]);
    });
  });

describe('a report of a day with 25 hours', () => {
  inTimeZone('Europe/Berlin');

  it('counts all of them', async () => {
    const history = new History();
    const day = local('2026-10-25T00:00');
    await history.read(day - 3600, day + 26 * 3600, { watts: 1000 });
    await history.rolledUp(day + 26 * 3600);
    const [found] = (await history.report('day', day + 26 * 3600, day)).ups;
    await history.bench.end();
    expect(found).to.include({
      watchedSeconds: 90_000,
      readSeconds: 90_000,
      energyKwh: 25,
      energyPartial: false,
    });
    expect(found?.steps).to.have.length(25);
  });
});
