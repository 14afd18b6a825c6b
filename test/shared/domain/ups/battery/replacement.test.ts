import { expect } from 'chai';
import type { Prospect } from '../../../../../shared/domain/ups/battery/replacement.js';
import { forecastOf } from '../../../../../shared/domain/ups/battery/replacement.js';
import { scoreOf, valueOfAge, valueOfRatio } from '../../../../../shared/domain/ups/battery/score.js';
import type { Trend } from '../../../../../shared/domain/ups/battery/trend.js';

const now = Date.UTC(2026, 0, 1) / 1000;
const limits = { thresholdScore: 50, minHistoryDays: 14 };
const certain: Trend = { slope: -0.001, low: -0.0012, high: -0.0008 };

function prospect(ratio: number, trend: Trend | null, more: Partial<Prospect> = {}): Prospect {
  const runtime = { ratio, error: 0.01, trend };
  const values = { capacity: null, runtime: valueOfRatio(ratio), selfTest: null, anomalies: 100, age: null };
  const { score } = scoreOf(values);
  return { values, score, capacity: null, runtime, age: null, historyDays: 100, nowSeconds: now, ...more };
}

describe('the replacement of a battery', () => {
  it('is predicted with a band around the date', () => {
    const { replacement, daysRemaining } = forecastOf(prospect(0.9, certain), limits);
    expect(daysRemaining).to.be.within(135, 145);
    expect(replacement.state).to.equal('predicted');
    const [earliest, date, latest] = [replacement.earliest, replacement.date, replacement.latest].map((day) =>
      Date.parse(day ?? ''),
    );
    expect(earliest).to.be.lessThan(date ?? 0);
    expect(date).to.be.lessThan(latest ?? 0);
  });

  it('is never in 0 days: at least one, or due now', () => {
    for (let ratio = 0.9; ratio > 0.7; ratio -= 0.0003) {
      const { replacement, daysRemaining } = forecastOf(prospect(ratio, certain), limits);
      if (replacement.state === 'due') expect(daysRemaining).to.equal(null);
      else expect(daysRemaining).to.be.at.least(1);
    }
  });

  it('is due after a failed test, and with RB, whatever the score is', () => {
    const { values } = prospect(1, null);
    const failed = prospect(1, null, { values: { ...values, selfTest: 0 }, score: 65 });
    expect(forecastOf(failed, limits).replacement.state).to.equal('due');
  });

  it('is not predicted from a trend that may be none, nor from one that rises', () => {
    for (const trend of [
      null,
      { slope: -0.001, low: -0.003, high: 0.001 },
      { slope: 0.01, low: 0.005, high: 0.02 },
    ])
      expect(forecastOf(prospect(0.9, trend), limits).replacement.state).to.equal('none');
  });

  it('has no latest date when the decline may end', () => {
    const uncertain = {
      capacity: { ratio: 0.9, error: 0, trend: { slope: -0.001, low: -0.002, high: -0.00001 } },
    };
    const values = { capacity: 75, runtime: null, selfTest: null, anomalies: 100, age: null };
    const { replacement } = forecastOf(
      prospect(0.9, null, { ...uncertain, runtime: null, values, score: 78 }),
      limits,
    );
    expect([replacement.state, replacement.latest]).to.deep.equal(['predicted', null]);
  });

  it('is not known with a short history or without a score', () => {
    expect(forecastOf(prospect(0.9, certain, { historyDays: 13 }), limits).replacement.state).to.equal(
      'unknown',
    );
    expect(forecastOf(prospect(0.9, certain, { score: null }), limits).replacement.state).to.equal('unknown');
  });

  it('is seen to come by age', () => {
    const values = { capacity: null, runtime: null, selfTest: 100, anomalies: 0, age: valueOfAge(4, 5) };
    const age = { years: 4, expectedYears: 5 };
    const { replacement, daysRemaining } = forecastOf(
      prospect(1, null, { values, score: scoreOf(values).score, runtime: null, age }),
      { ...limits, thresholdScore: 70 },
    );
    expect(replacement.earliest).to.equal(replacement.latest);
    expect(daysRemaining).to.be.within(360, 640);
  });
});

describe('the score of a battery', () => {
  const none = { capacity: null, runtime: null, selfTest: null, anomalies: null, age: null };

  it('is the weighted mean of what is known', () => {
    const all = scoreOf({ capacity: 50, runtime: 50, selfTest: 50, anomalies: 50, age: 50 });
    expect([Math.round(all.score ?? 0), all.confidence]).to.deep.equal([50, 1]);
    const { score, confidence } = scoreOf({ ...none, capacity: 100, selfTest: 0 });
    expect([Math.round(score ?? 0), confidence]).to.deep.equal([67, 0.6]);
  });

  it('is unknown below a confidence of 0.30', () => {
    expect(scoreOf({ ...none, runtime: 80 })).to.deep.equal({ score: null, confidence: 0.25 });
    expect(scoreOf({ ...none, runtime: 80, anomalies: 80 })).to.deep.equal({ score: 80, confidence: 0.3 });
    expect(scoreOf(none)).to.deep.equal({ score: null, confidence: 0 });
  });

  it('gives 50 for 80 % of the capacity and at the end of the expected life', () => {
    expect([1.2, 1, 0.8, 0.6, 0].map(valueOfRatio).map(Math.round)).to.deep.equal([100, 100, 50, 0, 0]);
    expect([0, 5, 10, 12].map((years) => valueOfAge(years, 5))).to.deep.equal([100, 50, 0, 0]);
  });
});
