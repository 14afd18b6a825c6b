// Two generated years go through the real storage worker; what it counted, judged and reports agrees with the truth of the
// generator. The bounds are those of docs/verification.md#two-years.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PeriodName } from '../../../shared/domain/base/local-calendar.js';
import { periodAt } from '../../../shared/domain/base/local-calendar.js';
import type { Report } from '../../../shared/domain/outage/report.js';
import { databaseName } from '../../../shared/protocol/storage.js';
import type { BatteryHistory } from '../../../workers/api/history/battery.js';
import { readBatteryHistory } from '../../../workers/api/history/battery.js';
import { readEnergy } from '../../../workers/api/history/energy-series.js';
import type { StoredOutage } from '../../../workers/api/history/outages.js';
import { readOutages } from '../../../workers/api/history/outages.js';
import { ReadPool } from '../../../workers/api/history/read-pool.js';
import { readReport } from '../../../workers/api/history/report.js';
import { composeReport } from '../../../workers/api/report/compose.js';
import { inTimeZone } from '../../fixtures/time-zone.js';
import { row } from '../../workers/api/fixture.js';
import { Feed, batterySettings } from '../../years/feed.js';
import { drawnKwh, gapSeconds, missing, trueScore, value } from '../../years/truth.js';
import { newRuntime } from '../../years/unit-life.js';
import type { TrueDischarge } from '../../years/world.js';
import { batteryStep, World } from '../../years/world.js';

const day = 86_400;
const units = ['rack', 'desk'] as const;
const options = { signal: new AbortController().signal, deadlineMs: 60_000 };

describe('two years of two UPSes', function () {
  // Seven minutes beside other tests on one processor.
  this.timeout(1_800_000);
  inTimeZone('Europe/Berlin');
  let directory: string;
  let world: World;
  let feed: Feed;
  let pool: ReadPool;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ridethrough-years-'));
    const [from, until] = ['2024-02-01T00:00:00', '2026-02-01T00:00:00'].map(
      (text) => Date.parse(text) / 1000,
    );
    world = new World({ from: from ?? 0, until: until ?? 0, seed: 7 });
    feed = new Feed(world, directory);
    await feed.feed();
    pool = new ReadPool(join(directory, databaseName));
  });
  after(async () => {
    await pool.close();
    rmSync(directory, { recursive: true });
  });

  const trueDischarges = (name: string, cause?: string): readonly TrueDischarge[] =>
    world.discharges.filter((one) => one.groupId === name && (cause === undefined || one.cause === cause));

  it('give the worker nothing to warn of', () => expect(feed.complaints).to.deep.equal([]));

  it('hold thirty outages, tests, gaps, a leap day, and a clock that is set back', () => {
    const kinds = world.incidents.map(({ kind }) => kind);
    const count = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
    expect([count('outage'), count('gap')]).to.deep.equal([30, 3]);
    expect(count('self-test')).to.be.at.least(40);
    expect(count('calibration')).to.be.at.least(6);
    expect(world.setBackAt).to.be.within(world.from, world.until);
  });

  for (const [name, dayBound] of [
    ['rack', 0.002],
    ['desk', 0.005],
  ] as const) {
    it(`count the energy of ${name} by local day within ${String(100 * dayBound)} %`, async () => {
      const rows = value(await readEnergy(pool, { groupId: name, by: 'day', first: 0 }, options));
      const counted = new Map(rows.map(({ day: date, joules }) => [dashed(date), joules / 3_600_000]));
      const truth = world.unit(name).kwhByDay;
      expect([...counted.keys()].sort()).to.deep.equal([...truth.keys()].sort());
      expect(truth.has('2024-02-29')).to.equal(true);
      for (const [date, kwh] of truth) expect(counted.get(date), date).to.be.closeTo(kwh, dayBound * kwh);
      const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);
      expect(sum(counted.values())).to.be.closeTo(sum(truth.values()), 0.002 * sum(truth.values()));
    });

    // Without the calendar of the generator: the offsets of Central European Time are written out.
    for (const [date, begin, end, hours] of [
      ['2024-03-31', '2024-03-31T00:00+01:00', '2024-04-01T00:00+02:00', 23],
      ['2024-10-27', '2024-10-27T00:00+02:00', '2024-10-28T00:00+01:00', 25],
      ['2025-03-30', '2025-03-30T00:00+01:00', '2025-03-31T00:00+02:00', 23],
      // Four of its hours are in a gap.
      ['2025-10-26', '2025-10-26T00:00+02:00', '2025-10-27T00:00+01:00', 21],
    ] as const)
      it(`count ${String(hours)} hours of ${name} on ${date}, and their energy`, async () => {
        const rows = value(await readEnergy(pool, { groupId: name, by: 'day', first: 0 }, options));
        const found = rows.find((one) => dashed(one.day) === date) ?? missing();
        expect(found.seconds / 3600).to.be.closeTo(hours, 0.01);
        const kwh = drawnKwh(world, name, Date.parse(begin) / 1000, Date.parse(end) / 1000);
        expect(found.joules / 3_600_000).to.be.closeTo(kwh, dayBound * kwh);
      });
  }

  for (const name of units)
    it(`keep every outage of ${name} as it was`, async () => {
      const stored = value(
        await readOutages(pool, { source: name, limit: 1000, from: null, to: null, before: null }, options),
      );
      for (const cause of ['outage', 'self-test', 'calibration']) {
        const truth = trueDischarges(name, cause);
        const found = stored.filter((one) => one.cause === cause);
        expect(found.map(({ start }) => start)).to.deep.equal(truth.map(({ start }) => start));
        for (const [place, one] of found.entries()) sameOutage(one, truth[place]);
      }
      expect(stored.filter(({ interruptions }) => interruptions > 0).map(({ start }) => start)).to.deep.equal(
        world.incidents.filter(({ backSeconds }) => backSeconds !== undefined).map(({ at }) => at),
      );
    });

  for (const name of units)
    it(`keep a curve of every discharge of ${name}, and its energy within 3 %`, async () => {
      const { discharges } = await history(name);
      const truth = [...trueDischarges(name)].reverse();
      expect(discharges.map(({ cause }) => cause)).to.deep.equal(truth.map(({ cause }) => cause));
      for (const [place, one] of discharges.entries()) {
        const { start, kwh, lowestCharge } = truth[place] ?? missing();
        expect(one.curve.seconds.length).to.be.within(2, 200);
        expect([one.start, Math.abs((one.toCharge ?? 0) - lowestCharge) < 2]).to.deep.equal([start, true]);
        // Rounded to 0.1 Wh.
        expect(one.wh, localText(start)).to.be.closeTo(1000 * kwh, boundWh(truth[place]) + 0.05);
        expect(one.curve.wh.at(-1)).to.be.closeTo(one.wh ?? NaN, 0.06);
      }
    });

  it('measure the capacity by discharges within 6 points', async () => {
    for (const name of units) {
      const { discharges } = await history(name);
      const truth = new Map(trueDischarges(name).map((one) => [one.start, one.capacity]));
      const first = new Map<number, number>();
      let compared = 0;
      for (const one of [...discharges].reverse()) {
        if (one.capacity === null) continue;
        const now = truth.get(one.start) ?? missing();
        const base = first.get(one.series) ?? now;
        first.set(one.series, base);
        expect(one.capacity, `${name} ${localText(one.start)}`).to.be.closeTo(now / base, 0.06);
        compared += 1;
      }
      expect(compared).to.be.at.least(10);
    }
  });

  it('follow the score of the battery that dies within 6 points, and of the other within 10', () => {
    for (const [name, bound] of [
      ['rack', 6],
      ['desk', 10],
    ] as const)
      for (const [month, health] of feed.monthly) {
        if (!month.startsWith(name) || health.score === null) continue;
        expect(health.score, month).to.be.closeTo(trueScore(world, name, health), bound);
      }
  });

  it('tell once per tier of the battery that dies, and months before its replacement that the other is due', () => {
    const told = (name: string): readonly string[] =>
      feed.alerts.filter(({ groupId }) => groupId === name).map(({ type }) => type);
    expect(told('rack')).to.deep.equal([
      'BATTERY_REPLACEMENT_PREDICTED',
      'BATTERY_HEALTH_WARNING',
      'BATTERY_HEALTH_CRITICAL',
    ]);
    expect(told('desk')).to.deep.equal(['BATTERY_REPLACEMENT_PREDICTED']);
    const [alert] = feed.alerts.filter(({ groupId }) => groupId === 'desk');
    expect((world.replacedAt - (alert?.at ?? Infinity)) / day).to.be.within(20, 120);
  });

  it('predict the end of the dying battery with a band that holds the truth', () => {
    const alert = feed.alerts.find(
      ({ groupId, type }) => groupId === 'rack' && type === 'BATTERY_REPLACEMENT_PREDICTED',
    );
    const { replacement } = alert?.health ?? missing();
    const [earliest, latest] = [replacement.earliest, replacement.latest].map(
      (date) => Date.parse(date ?? '') / 1000,
    );
    // When the true battery is worth 50 by the terms that are known.
    let due = alert?.at ?? 0;
    const { health } = alert ?? missing();
    while (trueScore(world, 'rack', { ...health, ts: due }) > batterySettings('rack').thresholdScore)
      due += day;
    // A date is a day.
    expect(due).to.be.within(earliest ?? NaN, (latest ?? NaN) + day);
    expect((due - (alert?.at ?? 0)) / day).to.be.within(45, 150);
    expect(((latest ?? NaN) - (earliest ?? NaN)) / day).to.be.at.most(60);
    expect(Math.abs(due - Date.parse(replacement.date ?? '') / 1000) / day).to.be.at.most(14);
    expect(health.replacementDaysRemaining).to.be.at.least(1);
  });

  it('see the new battery of the other within a week, and judge it as new', () => {
    const health = feed.health.get('desk') ?? missing();
    expect(health.series.number).to.equal(2);
    expect(Math.abs(health.series.since - world.replacedAt) / day).to.be.at.most(7);
    expect(health.score).to.be.at.least(90);
    expect(health.replacementDue).to.equal(false);
    expect(feed.health.get('rack')?.series.number).to.equal(1);
  });

  it('estimate the runtime of both within the stated error', () => {
    for (const name of units) {
      const { runtimeEstimate, ts } = feed.health.get(name) ?? missing();
      const { fullSeconds, errorSeconds, loadPercent } = runtimeEstimate ?? missing();
      const truth = newRuntime(loadPercent) * world.unit(name).options.capacity(ts);
      expect(errorSeconds / fullSeconds).to.be.below(0.4);
      expect(fullSeconds).to.be.closeTo(truth, errorSeconds);
    }
  });

  it('report each month as it was', async () => {
    for (let at = world.from + day; at < world.until; at = periodAt('month', at).to + day) {
      const report = await reportOf('month', at);
      for (const name of units) {
        const found = report.ups.find(({ source }) => source === name) ?? missing();
        const inMonth = (start: number): boolean => start >= report.from && start < report.to;
        const outages = trueDischarges(name, 'outage').filter(({ start }) => inMonth(start));
        const tests = world.tests.filter(({ groupId, test }) => groupId === name && inMonth(test.startedTs));
        const passed = tests.filter(({ test }) => test.result === 'PASSED').length;
        expect([found.outages, found.tests], report.title).to.deep.equal([
          outages.length,
          { passed, failed: tests.length - passed, other: 0 },
        ]);
        const seconds = outages.reduce((sum, { start, end }) => sum + end - start, 0);
        expect(found.onBatterySeconds).to.be.closeTo(seconds, 1);
        const kwh = [...world.unit(name).kwhByDay]
          .filter(([date]) => date.startsWith(report.title))
          .reduce((sum, [, one]) => sum + one, 0);
        expect(found.energyKwh).to.be.closeTo(kwh, 0.003 * kwh);
        expect(found.unseenSeconds, report.title).to.be.closeTo(
          gapSeconds(world, name, report.from, report.to),
          300,
        );
      }
    }
  });

  it('report the days of 23 and 25 hours', async () => {
    for (const [date, hours] of [
      ['2024-03-31', 23],
      ['2024-10-27', 25],
    ] as const) {
      const report = await reportOf('day', Date.parse(`${date}T12:00:00`) / 1000);
      const rack = report.ups.find(({ source }) => source === 'rack') ?? missing();
      expect([rack.watchedSeconds / 3600, rack.steps.length, rack.unseenSeconds < 300]).to.deep.equal([
        hours,
        hours,
        true,
      ]);
    }
  });

  async function history(name: string): Promise<BatteryHistory> {
    return value(await readBatteryHistory(pool, name, 500, options));
  }

  async function reportOf(period: PeriodName, at: number): Promise<Report> {
    const asked = periodAt(period, at);
    const data = value(await readReport(pool, asked, world.wall(world.until), options));
    return composeReport({
      ...{ period: asked, now: world.wall(world.until), data, outages: [], remoteHealth: [] },
      rows: units.map((name) => row({ name, label: name, groupId: name })),
      price: { costPerKwh: 0, currency: 'EUR' },
    });
  }
});

function sameOutage(one: StoredOutage, truth: TrueDischarge | undefined): void {
  const { start, end, kwh, lowestCharge } = truth ?? missing();
  expect([one.end, one.endSeen], localText(start)).to.deep.equal([end, true]);
  expect(one.lowestCharge).to.be.closeTo(lowestCharge, 2);
  expect(one.energyWh).to.be.closeTo(1000 * kwh, boundWh(truth));
}

/** 3 %, and what the load draws in the step of 2 s before power returns, of which no reading tells. */
function boundWh(truth: TrueDischarge | undefined): number {
  const { start, end, kwh } = truth ?? missing();
  return 1000 * kwh * (0.03 + batteryStep / (end - start));
}

/** YYYYMMDD as YYYY-MM-DD. */
function dashed(date: number): string {
  return String(date).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
}

function localText(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}
