// The remote servers that are FAILED and whether the message was sent, kept over restarts of the daemon. Not in the
// events: those are deleted by operators and by age.
import type { FailedServer } from '../../shared/protocol/storage.js';
import type { Database } from './database.js';

/** Replaces what was kept. */
export function keepFailedServers(db: Database, failed: readonly FailedServer[]): Promise<object> {
  return db.transaction(async () => {
    await db.run('DELETE FROM failed_servers');
    await db.run(
      `INSERT INTO failed_servers (server, place, told)
       SELECT value ->> 'server', value ->> 'place', value ->> 'told' FROM json_each(?)`,
      JSON.stringify(failed),
    );
    return {};
  });
}

export async function recallFailedServers(db: Database): Promise<{ failed: readonly FailedServer[] }> {
  const rows = await db.all<{ server: string; place: string; told: number }>(
    'SELECT server, place, told FROM failed_servers ORDER BY server',
  );
  return { failed: rows.map((row) => ({ ...row, told: row.told === 1 })) };
}
