// Reads how long each server took: of the kept measurements the median and the 95 % (nearest rank).
import * as t from 'io-ts';
import type { ServerTimes } from '../../../shared/domain/outage/server-time.js';
import { noServerTimes, ServerPhase } from '../../../shared/domain/outage/server-time.js';
import { finite } from '../../../shared/domain/base/units.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ReadOptions, ReadPool } from './read-pool.js';

const Rows = t.readonlyArray(
  t.type({
    server: t.string,
    phase: ServerPhase,
    drill: finite,
    count: finite,
    p50Ms: finite,
    p95Ms: finite,
    lastMs: finite,
  }),
);

/** By the name of the server; absent without any measurement. */
export function readServerTimes(
  pool: ReadPool,
  options: ReadOptions,
): Promise<Outcome<ReadonlyMap<string, ServerTimes>>> {
  return pool.read(
    'server times',
    async (ask) => {
      const rows = await ask(
        `SELECT server, phase, drill, max(number) AS count, max(at) AS lastMs,
           max(took) FILTER (WHERE place <= (number + 1) / 2) AS p50Ms,
           max(took) FILTER (WHERE place <= (19 * number + 19) / 20) AS p95Ms
         FROM (
           SELECT server, phase, drill, at, took,
             row_number() OVER (PARTITION BY server, phase, drill ORDER BY took) AS place,
             count(*) OVER (PARTITION BY server, phase, drill) AS number
           FROM server_times)
         GROUP BY server, phase, drill`,
        {},
      );
      if (!Rows.is(rows)) throw new Error('unexpected row of server times');
      const times = new Map<string, ServerTimes>();
      for (const { server, phase, drill, count, p50Ms, p95Ms, lastMs } of rows) {
        const known = times.get(server) ?? noServerTimes;
        const kind = drill === 1 ? 'drill' : 'sequence';
        const summary = {
          count,
          p50Seconds: p50Ms / 1000,
          p95Seconds: p95Ms / 1000,
          lastTs: Math.floor(lastMs / 1000),
        };
        times.set(server, { ...known, [kind]: { ...known[kind], [phase]: summary } });
      }
      return times;
    },
    options,
  );
}
