import { expect } from 'chai';
import type { TriggerExplanation } from '../../shared/domain/status-model.js';
import type { TriggerName } from '../../shared/domain/states.js';
import type { SceneFacts } from '../../web/charts/film-scene.js';
import { sceneOf } from '../../web/charts/film-scene.js';
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

  it('believes the measured pace where it is worse than the promise, and never one that is better', () => {
    expect(forecastOf({ ...course, runtimePace: 10 }).first).to.deep.equal({
      trigger: 'LOW_BATTERY',
      inSeconds: 288,
    });
    expect(forecastOf({ ...course, runtimePace: 0.5 }).emptyInSeconds).to.equal(3600);
    expect(forecastOf({ ...course, depletionRate: 20 }).emptyInSeconds).to.equal(300);
  });

  it('knows nothing of a battery that says nothing, but for the time on it', () => {
    const blind = forecastOf({ ...course, charge: null, runtime: null, onBatterySeconds: 100 });
    expect(blind).to.deep.equal({
      first: { trigger: 'EXTENDED_TIME', inSeconds: 800 },
      emptyInSeconds: null,
    });
  });

  it('leaves out what is switched off, and says of a met trigger that it is now', () => {
    const off = triggers.map((one) => ({ ...one, armed: false }));
    expect(forecastOf({ ...course, triggers: off }).first).to.equal(null);
    const met = [...triggers, trigger('FAILSAFE', 15, { active: true })];
    expect(forecastOf({ ...course, triggers: met }).first).to.deep.equal({
      trigger: 'FAILSAFE',
      inSeconds: 0,
    });
  });

  it('measures the pace over a minute, and only when it has seen enough', () => {
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
    it(`says "${kind}" when ${String(left)} s are left for a plan of 20 to 120 s`, () => {
      const forecast = {
        first: { trigger: 'LOW_BATTERY', inSeconds: 100 } as const,
        emptyInSeconds: 100 + left,
      };
      expect(fitOf(forecast, { boundSeconds: 120, estimateSeconds: 20 }).kind).to.equal(kind);
    });
});

describe('the film strip', () => {
  const facts: SceneFacts = {
    row: row({ runtime: 1200 }),
    triggers,
    plan: { boundSeconds: 100, estimateSeconds: 10 },
    samples: [],
    run: null,
    advisory: false,
    now: 10_000,
  };
  const outage = row({ status: 'OB DISCHRG', timeOnBattery: 60, runtime: 900, batteryCharge: 80 });

  it('begins now on a sunny day and says what would happen', () => {
    const scene = sceneOf(facts);
    expect(scene).to.include({
      start: 10_000,
      outage: false,
      triggerAt: 10_600,
      emptyAt: 11_200,
      tone: 'good',
    });
    expect(scene.text).to.match(/^If the power failed now, the shutdown would start after 10\s.+It fits\.$/);
  });

  it('begins with the outage and shows what is ahead', () => {
    const scene = sceneOf({ ...facts, row: outage });
    expect(scene).to.include({ start: 9_940, outage: true, triggerAt: 10_300, emptyAt: 10_900 });
    expect(scene.end).to.be.greaterThan(10_900);
  });

  it('says so when the plan does not fit', () => {
    const scene = sceneOf({ ...facts, plan: { boundSeconds: 900, estimateSeconds: 700 } });
    expect(scene.tone).to.equal('danger');
    expect(scene.text).to.match(/It does not fit\.$/);
  });

  it('never takes an unknown runtime for an empty or a full battery', () => {
    const scene = sceneOf({ ...facts, row: row({ runtime: null }) });
    expect(scene).to.include({ emptyAt: null, tone: 'unknown' });
    expect(scene.text).to.contain('How long the battery lasts is unknown');
  });

  it('counts what a running sequence still needs, and nothing for one that has ended', () => {
    const run = { startedAt: 9_970, endedAt: null, dryRun: true };
    expect(sceneOf({ ...facts, row: outage, run }).fit).to.include({ needSeconds: 70 });
    expect(sceneOf({ ...facts, row: outage, run: { ...run, endedAt: 9_975 } }).text).to.match(
      /^The rehearsal has ended after 5\s/,
    );
  });

  it('leaves the decision of a member to its group', () => {
    expect(sceneOf({ ...facts, advisory: true }).text).to.match(
      /its group would be told.+quorum of its group decides/,
    );
  });

  it('does not press an outage into a corner for a battery that lasts for days', () => {
    const scene = sceneOf({ ...facts, row: row({ runtime: 400_000 }) });
    expect(scene.end - scene.start).to.be.lessThan(6 * 1100);
  });
});
