// Writes evidence of outages, and deletes the oldest beyond its bound.
import type { Database } from '../database.js';
import type { Minute } from './changes-ring.js';

/** A gibibyte: a year and more of minutes on battery. */
const usualMaxBytes = 1024 * 1024 * 1024;
/** Deleted at a time, so that flushes can run between. */
const perDeletion = 500;

/** One transaction. Marks the minutes as written after it. */
export async function writeEvidence(
  db: Database,
  found: readonly { readonly ups: number; readonly minutes: readonly Minute[] }[],
  maxBytes = usualMaxBytes,
): Promise<void> {
  const minutes = found.flatMap((one) => one.minutes);
  if (minutes.length === 0) return;
  await db.transaction(async () => {
    for (const { ups, minutes: ofUps } of found)
      for (const { fromMs, changes } of ofUps)
        await db.run('INSERT INTO outage_evidence (ups, ts, changes) VALUES (?, ?, ?)', ups, fromMs, changes);
    await addBytes(
      db,
      minutes.reduce((sum, { changes }) => sum + changes.length, 0),
    );
  });
  for (const minute of minutes) minute.written = true;
  while ((await storedBytes(db)) > maxBytes) await dropOldest(db);
}

function storedBytes(db: Database): Promise<number> {
  return db.number("SELECT value FROM marks WHERE name = 'evidence_bytes'");
}

async function addBytes(db: Database, bytes: number): Promise<void> {
  await db.run("UPDATE marks SET value = max(0, value + ?) WHERE name = 'evidence_bytes'", bytes);
}

function dropOldest(db: Database): Promise<void> {
  return db.transaction(async () => {
    const oldest = `SELECT key FROM outage_evidence ORDER BY key LIMIT ${String(perDeletion)}`;
    const bytes = await db.number(
      `SELECT ifnull(sum(length(changes)), 0) AS value FROM outage_evidence WHERE key IN (${oldest})`,
    );
    // Without a row left the mark is wrong: it begins again.
    if (bytes === 0) await db.run("UPDATE marks SET value = 0 WHERE name = 'evidence_bytes'");
    await db.run(`DELETE FROM outage_evidence WHERE key IN (${oldest})`);
    await addBytes(db, -bytes);
  });
}
