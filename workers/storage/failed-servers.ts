// Stores which remote servers are FAILED and whether the notification was sent, over restarts of the daemon. Not in the events,
// which operators and the retention delete.
import type { FailedServer } from '../../shared/protocol/storage.js';
import type { Database } from './database.js';

export function saveFailedServers(db: Database, failed: readonly FailedServer[]): Promise<object> {
  return db.transaction(async () => {
    await db.run('DELETE FROM failed_servers');
    await db.run(
      `INSERT INTO failed_servers (server, place, notified)
       SELECT value ->> 'server', value ->> 'place', value ->> 'notified' FROM json_each(?)`,
      JSON.stringify(failed),
    );
    return {};
  });
}

export async function loadFailedServers(db: Database): Promise<{ failed: readonly FailedServer[] }> {
  const rows = await db.all<{ server: string; place: string; notified: number }>(
    'SELECT server, place, notified FROM failed_servers ORDER BY server',
  );
  return { failed: rows.map((row) => ({ ...row, notified: row.notified === 1 })) };
}
