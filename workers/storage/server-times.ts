// Keeps how long servers took, the newest measurements of each (specification/remote-servers.md#measured-times).
import type { ServerTime } from '../../shared/domain/outage/server-time.js';
import type { Database } from './database.js';

/** Of one server, one phase, and drills or sequences: a year of weekly drills. */
const kept = 50;

/** `at` and `took` in ms. */
export const serverTimeTable = `
  CREATE TABLE server_times (
    server TEXT NOT NULL,
    phase TEXT NOT NULL,
    drill INTEGER NOT NULL,
    at INTEGER NOT NULL,
    took INTEGER NOT NULL,
    PRIMARY KEY (server, phase, drill, at)
  ) STRICT, WITHOUT ROWID;
`;

/** Server, phase and time are the key: what is sent again changes nothing. */
export function keepServerTimes(db: Database, times: readonly ServerTime[]): Promise<object> {
  return db.transaction(async () => {
    await db.run(
      `INSERT OR REPLACE INTO server_times (server, phase, drill, at, took)
       SELECT value ->> 'server', value ->> 'phase', value ->> 'isDrill',
         CAST(round(1000 * (value ->> 'at')) AS INTEGER), CAST(round(1000 * (value ->> 'seconds')) AS INTEGER)
       FROM json_each(?)`,
      JSON.stringify(times),
    );
    await db.run(
      `DELETE FROM server_times WHERE (server, phase, drill, at) IN (
         SELECT server, phase, drill, at FROM (
           SELECT server, phase, drill, at,
             row_number() OVER (PARTITION BY server, phase, drill ORDER BY at DESC) AS place
           FROM server_times WHERE server IN (SELECT value ->> 'server' FROM json_each(?))
         ) WHERE place > ${String(kept)})`,
      JSON.stringify(times),
    );
    return {};
  });
}
