// For the pictures: outages, battery tests, energy and coverage that go with the generated history.
import { dayOf, startOfDay } from '../../shared/domain/base/local-calendar.js';

const hour = 3600;
const day = 24 * hour;

export interface Past {
  /** SQL: the key of the UPS. */
  readonly key: string;
  readonly now: number;
  readonly outages: readonly { readonly ago: number; readonly seconds: number }[];
  readonly isGap: (ts: number) => boolean;
  readonly watts: (ts: number) => number;
}

/** The statements for two years of days. */
export function dayRows({ key, now, isGap, watts }: Past): readonly string[] {
  const statements: string[] = [];
  for (let at = now - 730 * day; at <= now; at += day) {
    const from = startOfDay(dayOf(at * 1000)) / 1000;
    const hours: number[] = [];
    for (let ts = from; ts < Math.min(now, from + day); ts += hour / 4) if (!isGap(ts)) hours.push(watts(ts));
    const joules = hours.reduce((sum, one) => sum + one * (hour / 4), 0);
    const [date, seconds] = [dayOf(from * 1000), (hours.length * hour) / 4].map(String);
    statements.push(
      `INSERT OR REPLACE INTO energy_days VALUES (${date ?? ''}, ${key}, ${String(joules)}, ${seconds ?? ''}, 0)`,
      `INSERT OR REPLACE INTO coverage_days VALUES (${date ?? ''}, ${key}, ${seconds ?? ''}, ${String(from * 1000)}, ${String(from * 1000)})`,
    );
  }
  return [
    ...statements,
    `INSERT OR REPLACE INTO energy_last VALUES (${key}, ${String((now - 60) * 1000)}, 300, 0, ${String((now - 730 * day) * 1000)}, 1e9)`,
  ];
}

export function outageRows({ key, now, outages }: Past): readonly string[] {
  return [...outages].reverse().map(({ ago, seconds }) => {
    const [from, to] = [now - ago, now - ago + seconds].map((ts) => String(Math.round(ts * 1000)));
    const charge = String(Math.round(100 - seconds / 30));
    return `INSERT INTO outages (ups, cause, started, ended, end_seen, low_charge, joules)
      VALUES (${key}, 'outage', ${from ?? ''}, ${to ?? ''}, 1, ${charge}, ${String(seconds * 340)})`;
  });
}

/** One a month; the oldest failed. */
export function testRows({ key, now }: Past): readonly string[] {
  return [1, 31, 61, 92, 122].map((days) => {
    const started = startOfDay(dayOf((now - days * day) * 1000)) / 1000 + 3 * hour;
    const [result, raw] = days === 122 ? ['FAILED', 'Done and error'] : ['PASSED', 'Done and passed'];
    return `INSERT INTO self_tests VALUES (${key}, ${String(started)}, ${String(started + 22)}, 'test.battery.start.quick',
      'scheduler', '${result}', '${raw}', NULL)`;
  });
}
