// Which UPSes have reported a charge and a runtime above 0. The roll-ups know it for years, and by their key at once; the samples
// are for what is not rolled up yet.
import type { MetricName } from '../../shared/domain/status/metrics.js';
import { metricOf } from '../../shared/domain/status/metrics.js';
import type { GaugeRead } from '../../shared/protocol/gauges.js';
import { maxGauges } from '../../shared/protocol/gauges.js';
import type { Database } from './database.js';

function wasRead(name: MetricName): string {
  const ofMetric = `metric = ${String(metricOf(name).number)} AND high > 0`;
  const sources = [
    ...['hourly', 'five_minute'].map((table) => `${table} WHERE ups = key AND ${ofMetric}`),
    ...['recent_samples', 'samples'].map((table) => `${table} WHERE ups = key AND ${name} > 0`),
  ];
  return sources.map((source) => `EXISTS (SELECT 1 FROM ${source})`).join(' OR ');
}

export async function gaugesRead(db: Database): Promise<readonly GaugeRead[]> {
  const rows = await db.all<{ readonly groupId: string; readonly charge: number; readonly runtime: number }>(
    `SELECT group_id AS groupId, ${wasRead('charge')} AS charge, ${wasRead('runtime')} AS runtime FROM ups
     ORDER BY key DESC LIMIT ?`,
    maxGauges,
  );
  return rows.flatMap(({ groupId, ...read }) =>
    read.charge + read.runtime === 0
      ? []
      : [{ groupId, charge: read.charge === 1, runtime: read.runtime === 1 }],
  );
}
