import { expect } from 'chai';
import { scoreColumns } from '../../web/charts/score-columns.js';

const day = 86_400;
const now = Date.UTC(2026, 5, 1, 12) / 1000;
const today = Date.UTC(2026, 5, 1) / 1000;
const none = { state: 'none', date: null, earliest: null, latest: null, thresholdScore: 50 } as const;
const predicted = {
  state: 'predicted',
  date: '2026-07-01',
  earliest: '2026-06-16',
  latest: '2026-08-01',
  thresholdScore: 50,
} as const;
const days = {
  day: [today - day, today],
  series: [1, 1],
  score: [71, 70.5],
  runtimeRatio: [null, null],
};

describe('the score of a battery as a chart', () => {
  it('has the days, and the present score as its last point', () => {
    const { x, score, forecast } = scoreColumns(days, { score: 70, ts: now, replacement: none });
    expect(x).to.deep.equal([today - day, today, now]);
    expect(score).to.deep.equal([71, 70.5, 70]);
    expect(forecast).to.deep.equal([null, null, 70]);
  });

  it('falls to the threshold on the date, and within the band at its ends', () => {
    const { x, forecast, soonest, latest } = scoreColumns(days, {
      score: 70,
      ts: now,
      replacement: predicted,
    });
    const at = (date: string): number => x.indexOf(Date.parse(date) / 1000);
    expect(Math.round(soonest[at('2026-06-16')] ?? 0)).to.equal(50);
    expect(Math.round(forecast[at('2026-07-01')] ?? 0)).to.equal(50);
    expect(Math.round(latest[at('2026-08-01')] ?? 0)).to.equal(50);
    for (const [place] of x.entries())
      if (forecast[place] !== null)
        expect(forecast[place]).to.be.within(soonest[place] ?? 0, latest[place] ?? 100);
    expect(x).to.deep.equal([...x].sort((a, b) => a - b));
  });

  it('has an open upper edge without a latest date', () => {
    const { x, latest } = scoreColumns(days, {
      score: 70,
      ts: now,
      replacement: { ...predicted, latest: null },
    });
    expect([x.at(-1), latest.at(-1)]).to.deep.equal([Date.parse('2026-07-01') / 1000, 70]);
  });

  it('is no longer than two years ahead', () => {
    const far = { ...predicted, date: '2034-07-01', earliest: '2031-01-01', latest: null };
    const { x } = scoreColumns(days, { score: 99, ts: now, replacement: far });
    expect((x.at(-1) ?? 0) - now).to.equal(2 * 365 * day);
  });

  it('begins another line with another battery', () => {
    const replaced = { ...days, series: [1, 2] };
    const { x, score } = scoreColumns(replaced, { score: 100, ts: now, replacement: none });
    expect(x).to.deep.equal([today - day, today - 1, today, now]);
    expect(score[1]).to.equal(null);
  });

  it('shows the days of a battery whose score is unknown now', () => {
    const { x, forecast } = scoreColumns(days, { score: null, ts: now, replacement: none });
    expect([x.length, forecast]).to.deep.equal([2, [null, null]]);
  });
});
