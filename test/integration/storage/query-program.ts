// Prints the rows of one statement as JSON: `node query-program.js DATABASE SQL`. SQLite resolves links in a path, so a
// file inside another mount namespace can only be opened from inside.
import { Database } from '../../../workers/storage/database.js';

const [path = '', sql = ''] = process.argv.slice(2);
const db = await Database.open(path);
console.log(JSON.stringify(await db.all(sql)));
await db.close();
