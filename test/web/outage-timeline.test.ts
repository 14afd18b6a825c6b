import { expect } from 'chai';
import type { TriggerExplanation } from '../../shared/domain/status/status-model.js';
import type { TriggerName } from '../../shared/domain/status/states.js';
import type { TimelineInput } from '../../web/charts/outage-timeline/timeline-model.js';
import { timelineModel } from '../../web/charts/outage-timeline/timeline-model.js';
import { fitOf, forecastOf, paceOf } from '../../web/charts/forecast.js';
import { row } from '../workers/api/fixture.js';

function trigger(name: TriggerName, threshold: number | null, change = {}): TriggerExplanation {
  return {
    name,
    threshold,
    armed: true,
    active: false,
    reading: null,
    readingAge: 0,
    refused: [],
    margin: null,
    delay: 0,
    text: '',
    ...change,
  };
}

const triggers = [
  trigger('LOW_BATTERY', 20),
  trigger('CRITICAL_RUNTIME', 600),
  trigger('EXTENDED_TIME', 900),
  trigger('LOW_BATTERY_FLAG', null),
];
const course = {
  charge: 100,
  runtime: 3600,
  depletionRate: null,
  runtimePace: null,
  onBatterySeconds: 0,
  triggers,
};

describe('the forecast of the page', () => {
  it('names the trigger that comes first, and when the battery is empty', () => {
    expect(forecastOf(course)).to.deep.equal({
      first: { trigger: 'EXTENDED_TIME', inSeconds: 900 },
      emptyInSeconds: 3600,
    });
    const short = forecastOf({ ...course, runtime: 900 });
    expect(short.first).to.deep.equal({ trigger: 'CRITICAL_RUNTIME', inSeconds: 300 });
  });

  it('uses the measured pace only when it is faster than the runtime of the UPS', () => {
    expect(forecastOf({ ...course, runtimePace: 10 }).first).to.deep.equal({
      trigger: 'LOW_BATTERY',
      inSeconds: 288,
    });
    expect(forecastOf({ ...course, runtimePace: 0.5 }).emptyInSeconds).to.equal(3600);
    expect(forecastOf({ ...course, depletionRate: 20 }).emptyInSeconds).to.equal(300);
  });

  it('forecasts only the time on battery when charge and runtime are unknown', () => {
    const blind = forecastOf({ ...course, charge: null, runtime: null, onBatterySeconds: 100 });
    expect(blind).to.deep.equal({
      first: { trigger: 'EXTENDED_TIME', inSeconds: 800 },
      emptyInSeconds: null,
    });
  });

  it('leaves out triggers that are off, and fires an active one now', () => {
    const off = triggers.map((one) => ({ ...one, armed: false }));
    expect(forecastOf({ ...course, triggers: off }).first).to.equal(null);
    const met = [...triggers, trigger('FAILSAFE', 15, { active: true })];
    expect(forecastOf({ ...course, triggers: met }).first).to.deep.equal({
      trigger: 'FAILSAFE',
      inSeconds: 0,
    });
  });

  it('fires nothing before the delay after a transfer, and counts the battery time until then as gone', () => {
    const delayed = [
      trigger('LOW_BATTERY', 20, { delay: 30 }),
      trigger('CRITICAL_RUNTIME', 600, { delay: 30 }),
    ];
    const low = { ...course, runtime: 200, triggers: delayed };
    const forecast = forecastOf(low);
    expect(forecast.first).to.deep.equal({ trigger: 'CRITICAL_RUNTIME', inSeconds: 30 });
    expect(fitOf(forecast, { boundSeconds: 190, estimateSeconds: 20 })).to.deep.equal({
      kind: 'tight',
      needSeconds: 190,
      leftSeconds: 170,
    });
    expect(forecastOf({ ...low, onBatterySeconds: 20 }).first?.inSeconds).to.equal(10);
    const met = delayed.map((one) => ({ ...one, active: true }));
    expect(forecastOf({ ...low, triggers: met }).first?.inSeconds).to.equal(0);
  });

  it('measures the pace over a minute, and never over less than 8 s', () => {
    const points = Array.from({ length: 30 }, (_, index) => ({ ts: index, value: 1000 - 4 * index }));
    expect(paceOf(points)).to.equal(4);
    expect(paceOf(points.slice(0, 5))).to.equal(null);
    expect(paceOf(points.map(({ ts }) => ({ ts, value: 7 })))).to.equal(null);
  });

  for (const [left, kind] of [
    [200, 'fits'],
    [120, 'fits'],
    [60, 'tight'],
    [10, 'short'],
  ] as const)
    it(`has the fit "${kind}" when ${String(left)} s are left for a plan of 20 to 120 s`, () => {
      const forecast = {
        first: { trigger: 'LOW_BATTERY', inSeconds: 100 } as const,
        emptyInSeconds: 100 + left,
      };
      expect(fitOf(forecast, { boundSeconds: 120, estimateSeconds: 20 }).kind).to.equal(kind);
    });
});

describe('the timeline of an outage', () => {
  const facts: TimelineInput = {
    row: row({ runtime: 1200 }),
    triggers,
    plan: { boundSeconds: 100, estimateSeconds: 10 },
    samples: [],
    run: null,
    advisory: false,
    now: 10_000,
  };
  const outage = row({ status: 'OB DISCHRG', timeOnBattery: 60, runtime: 900, batteryCharge: 80 });

  it('begins now on line power and states what would happen', () => {
    const model = timelineModel(facts);
    expect(model).to.include({
      start: 10_000,
      outage: false,
      triggerAt: 10_600,
      emptyAt: 11_200,
      tone: 'good',
    });
    expect(model.text).to.match(/^If the power failed now, the shutdown would start after 10\s.+It fits\.$/);
  });

  it('begins with the outage and shows what is ahead', () => {
    const model = timelineModel({ ...facts, row: outage });
    expect(model).to.include({ start: 9_940, outage: true, triggerAt: 10_300, emptyAt: 10_900 });
    expect(model.end).to.be.greaterThan(10_900);
  });

  it('states that the plan does not fit', () => {
    const model = timelineModel({ ...facts, plan: { boundSeconds: 900, estimateSeconds: 700 } });
    expect(model.tone).to.equal('danger');
    expect(model.text).to.match(/It does not fit\.$/);
  });

  it('does not treat an unknown runtime as an empty or a full battery', () => {
    const model = timelineModel({ ...facts, row: row({ runtime: null }) });
    expect(model).to.include({ emptyAt: null, tone: 'unknown' });
    expect(model.text).to.contain('How long the battery lasts is unknown');
  });

  it('uses the remaining time of a running sequence, and 0 for one that has ended', () => {
    const run = { startedAt: 9_970, endedAt: null, dryRun: true, cancelled: false };
    expect(timelineModel({ ...facts, row: outage, run }).fit).to.include({ needSeconds: 70 });
    expect(timelineModel({ ...facts, row: outage, run: { ...run, endedAt: 9_975 } }).text).to.match(
      /^The dry run has ended after 5\s/,
    );
    const cancelled = { ...run, endedAt: 9_975, dryRun: false, cancelled: true };
    expect(timelineModel({ ...facts, row: outage, run: cancelled }).text).to.match(
      /^The shutdown sequence was cancelled\./,
    );
  });

  it('counts no seconds to a limit that is reached', () => {
    const low = { batteryCharge: 5 };
    expect(timelineModel({ ...facts, row: { ...outage, ...low } }).text).to.match(
      /^The limit is reached: low charge/,
    );
    expect(timelineModel({ ...facts, row: row(low) }).text).to.match(
      /^If the power failed now, the shutdown would start at once by low charge/,
    );
  });

  it('leaves the decision of a member to its group', () => {
    expect(timelineModel({ ...facts, advisory: true }).text).to.match(
      /its group would be notified.+quorum of its group decides/,
    );
  });

  it('limits the axis when the battery lasts for days', () => {
    const model = timelineModel({ ...facts, row: row({ runtime: 400_000 }) });
    expect(model.end - model.start).to.be.lessThan(6 * 1100);
  });
});
