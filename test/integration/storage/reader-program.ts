// Reads events as the API worker does and prints the outcome: `node reader-program.js DATABASE`. Runs as another user.
import { readEvents } from '../../../workers/api/history/events.js';
import { ReadPool } from '../../../workers/api/history/read-pool.js';

const pool = new ReadPool(process.argv[2] ?? '');
const query = { limit: 10, verbosity: 2, category: null, from: null, to: null, before: null } as const;
const signal = new AbortController().signal;
console.log(JSON.stringify(await readEvents(pool, query, { signal, deadlineMs: 5000 })));
await pool.close();
