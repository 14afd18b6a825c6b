// The score of a battery by day and its forecast with the band, as columns for a chart. Pure.
import type { BatteryHealth } from '../../shared/domain/ups/battery/health.js';
import type { BatteryHistoryBody } from '../../shared/http/battery-bodies.js';

const day = 86_400;
/** Further ahead a forecast is a line that says nothing. */
const furthestSeconds = 2 * 365 * day;

/** Of equal length: time, score, forecast, and the two edges of its band. Null draws nothing. */
export interface ScoreColumns {
  readonly x: number[];
  readonly score: (number | null)[];
  readonly forecast: (number | null)[];
  readonly soonest: (number | null)[];
  readonly latest: (number | null)[];
}

export function scoreColumns(
  { day: days, score: scores, series }: BatteryHistoryBody['days'],
  health: Pick<BatteryHealth, 'score' | 'replacement' | 'ts'>,
): ScoreColumns {
  const columns: ScoreColumns = { x: [], score: [], forecast: [], soonest: [], latest: [] };
  const push = (x: number, score: number | null, ...ahead: readonly (number | null)[]): void => {
    columns.x.push(x);
    columns.score.push(score);
    columns.forecast.push(ahead[0] ?? null);
    columns.soonest.push(ahead[1] ?? null);
    columns.latest.push(ahead[2] ?? null);
  };
  const { score, ts } = health;
  for (const [place, at] of days.entries()) {
    if (at >= ts) break;
    // Two batteries are two lines.
    if (place > 0 && series[place] !== series[place - 1]) push(at - 1, null);
    push(at, scores[place] ?? null);
  }
  if (score === null) return columns;
  push(ts, score, score, score, score);
  const { date, earliest, latest, thresholdScore } = health.replacement;
  const expected = secondsOf(date);
  if (expected === null) return columns;
  const ends = [secondsOf(earliest) ?? expected, expected, secondsOf(latest) ?? Infinity] as const;
  const last = Math.min(
    Math.max(expected, Number.isFinite(ends[2]) ? ends[2] : expected),
    ts + furthestSeconds,
  );
  const [soonest, middle, late] = ends.map((end) => (at: number) => {
    const fallen = ((score - thresholdScore) * (at - ts)) / Math.max(day, end - ts);
    return Math.max(0, score - fallen);
  });
  for (const at of [...new Set([...ends, last])].sort((a, b) => a - b))
    if (at > ts && at <= last)
      push(
        at,
        null,
        at <= expected ? (middle?.(at) ?? null) : null,
        soonest?.(at) ?? null,
        late?.(at) ?? null,
      );
  return columns;
}

function secondsOf(date: string | null): number | null {
  return date === null ? null : Date.parse(`${date}T00:00:00Z`) / 1000;
}
