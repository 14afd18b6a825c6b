// Runs one migration and is killed in it: argv is the file, the index of the step, and `step` or `commit` for the moment.
import { Database } from '../../../workers/storage/database.js';
import { migrations } from '../../../workers/storage/migrations.js';

const [, , path = '', step = '', moment = ''] = process.argv;
const db = await Database.open(path);
// Changed pages leave the cache at once: there is something to roll back in the file.
await db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA cache_size = 1; PRAGMA cache_spill = 1; PRAGMA foreign_keys = ON',
);
await db.exec('BEGIN IMMEDIATE');
await db.exec(`${migrations[Number(step)] ?? ''}; PRAGMA user_version = ${String(Number(step) + 1)};`);
if (moment === 'commit') await db.exec('COMMIT');
process.kill(process.pid, 'SIGKILL');
