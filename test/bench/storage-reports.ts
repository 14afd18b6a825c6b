// How long the reports take on the database of the storage benchmark.
import type { PeriodName } from '../../shared/domain/base/local-calendar.js';
import { periodAt, periodBefore } from '../../shared/domain/base/local-calendar.js';
import { ReadPool } from '../../workers/api/history/read-pool.js';
import { readReport } from '../../workers/api/history/report.js';
import type { Figure } from './table.js';
import { spread } from './table.js';

const times = 10;

/** `now`: Unix seconds, the end of the samples. */
export async function reportFigures(path: string, now: number): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const pool = new ReadPool(path);
  for (const name of ['day', 'week', 'month'] satisfies PeriodName[])
    for (const period of [periodBefore(name, now), periodAt(name, now)]) {
      const tookMs: number[] = [];
      const cpuMs: number[] = [];
      for (let turn = 0; turn < times; turn += 1) {
        const [begun, usage] = [performance.now(), process.cpuUsage()];
        const read = await readReport(pool, period, now, {
          signal: new AbortController().signal,
          deadlineMs: 60_000,
        });
        if (!read.ok) throw new Error(read.error.message);
        tookMs.push(performance.now() - begun);
        const { user, system } = process.cpuUsage(usage);
        cpuMs.push((user + system) / 1000);
      }
      const which = period.to > now ? 'current' : 'last';
      figures.push({
        what: `report of the ${which} ${name}`,
        value: spread(tookMs, 'ms'),
        against: `CPU ${spread(cpuMs, 'ms')}; goal: under 100 ms`,
      });
    }
  await pool.close();
  return figures;
}
