import { expect } from 'chai';
import type { RaisedAlerts } from '../../../../../shared/domain/status/battery-alerts.js';
import {
  dueAlerts,
  noAlerts,
  withoutRecovered,
  withRaised,
} from '../../../../../shared/domain/status/battery-alerts.js';

const limits = { warnScore: 30, criticalScore: 15, thresholdScore: 50, horizonDays: 90 };

interface Seen {
  readonly score: number | null;
  readonly days?: number | null;
}

/** The alerts raised by each assessment in turn. */
function raisedBy(seen: readonly Seen[], settings = limits): readonly (readonly string[])[] {
  let raised: RaisedAlerts = noAlerts;
  return seen.map(({ score, days = null }) => {
    const state =
      score === null
        ? 'unknown'
        : score < settings.thresholdScore
          ? 'due'
          : days === null
            ? 'none'
            : 'predicted';
    const health = {
      score,
      replacementDaysRemaining: days,
      replacementDue: state === 'due' || (days !== null && days <= settings.horizonDays),
      replacement: { state, date: null, earliest: null, latest: null, thresholdScore: 50 } as const,
    };
    raised = withoutRecovered(raised, health, settings);
    const due = dueAlerts(raised, health, settings);
    for (const type of due) raised = withRaised(raised, type);
    return due;
  });
}

const [warning, critical, predicted] = [
  'BATTERY_HEALTH_WARNING',
  'BATTERY_HEALTH_CRITICAL',
  'BATTERY_REPLACEMENT_PREDICTED',
] as const;

describe('the alerts of a battery', () => {
  it('are raised once per tier', () => {
    expect(raisedBy([60, 40, 29, 25, 28, 14, 10, 12].map((score) => ({ score })))).to.deep.equal([
      [],
      [predicted],
      [warning],
      [],
      [],
      [critical],
      [],
      [],
    ]);
  });

  it('are raised again only after a recovery of five points', () => {
    const without = { ...limits, thresholdScore: 0 };
    const scores = [29, 31, 29, 34, 29, 35, 29, 14, 19, 14, 20, 14];
    const expected = [[warning], [], [], [], [], [], [warning], [critical], [], [], [], [critical]];
    expect(
      raisedBy(
        scores.map((score) => ({ score })),
        without,
      ),
    ).to.deep.equal(expected);
  });

  it('are only the worse of two tiers', () => {
    expect(raisedBy([{ score: 10 }, { score: 20 }], { ...limits, thresholdScore: 0 })).to.deep.equal([
      [critical],
      [],
    ]);
  });

  it('are off with a limit of 0, and wait while the score is unknown', () => {
    expect(
      raisedBy([{ score: 0 }], { ...limits, warnScore: 0, criticalScore: 0, thresholdScore: 0 }),
    ).to.deep.equal([[]]);
    expect(
      raisedBy([{ score: 29 }, { score: null }, { score: 29 }]).map(({ length }) => length),
    ).to.deep.equal([2, 0, 0]);
  });

  it('report a replacement once, and again after the date has moved far beyond the horizon', () => {
    const days = [300, 91, 90, 89, 95, 88, 179, 90, 181, 90];
    const expected = [[], [], [predicted], [], [], [], [], [], [], [predicted]];
    expect(raisedBy(days.map((left) => ({ score: 80, days: left })))).to.deep.equal(expected);
  });

  it('report a replacement once while its date comes and goes, and again after the score has risen', () => {
    const seen = [
      { score: 61, days: 90 },
      { score: 74.9, days: null },
      { score: 74.9, days: 300 },
      { score: 58, days: 63 },
      { score: 75, days: null },
      { score: 58, days: 63 },
    ];
    expect(raisedBy(seen)).to.deep.equal([[predicted], [], [], [], [], [predicted]]);
  });
});
