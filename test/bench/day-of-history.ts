// A database as a daemon has it after a day: samples of every second, and ten thousand events of a month.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseName } from '../../shared/protocol/storage.js';
import { Database } from '../../workers/storage/database.js';
import { migrate } from '../../workers/storage/migrations.js';

const day = 86_400;
const eventCount = 10_000;
const types = [
  ['power_event', 'ON_BATTERY'],
  ['power_event', 'POWER_RESTORED'],
  ['diagnostics', 'VOLTAGE_NORMALIZED'],
  ['diagnostics', 'AVR_BOOST_ACTIVE'],
  ['audit', 'CONTROL_COMMAND'],
  ['lifecycle', 'DAEMON_START'],
  ['shutdown', 'SHUTDOWN_TRIGGERED'],
] as const;

/** Creates the database in `directory`; the day ends at `now` (Unix seconds). */
export async function writeDay(directory: string, groupIds: readonly string[], now: number): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, databaseName);
  writeFileSync(path, '');
  const db = await Database.open(path);
  await db.exec('PRAGMA journal_mode = WAL');
  await migrate(db);
  await db.transaction(async () => {
    for (const group of groupIds) await db.run('INSERT INTO ups (group_id) VALUES (?)', group);
    await db.run(
      `INSERT INTO samples (ups, ts, charge, runtime, load, voltage, frequency)
       WITH RECURSIVE second (ts) AS (SELECT ?1 UNION ALL SELECT ts + 1 FROM second WHERE ts + 1 < ?2)
       SELECT key, ts * 1000 + 137, 8000 + abs(ts * 7919 + key) % 2000, 1800 + ts % 60,
         2000 + abs(ts * 17 + key) % 900, 22900 + abs(ts * 13) % 200, 5000
       FROM second CROSS JOIN ups`,
      now - day,
      now,
    );
    for (let number = 0; number < eventCount; number += 1) {
      const [category, type] = types[number % types.length] ?? types[0];
      const detail = `Battery: ${String(80 + (number % 20))} %, load: ${String(20 + (number % 10))} %, runtime: 1800 s`;
      await db.run(
        'INSERT INTO events (ts, source, category, type, detail) VALUES (?, ?, ?, ?, ?)',
        now - 30 * day + number * 250,
        groupIds[number % groupIds.length] ?? '',
        category,
        type,
        detail,
      );
    }
  });
  await db.close();
}
