// A program: prints whether the authentication database at a path has a user, as the API would find it, and ends. It runs as
// the API worker's user, the only one that opens that file. It may hang; its parent ends it.
import { StoreUnavailable } from './connection.js';
import { AuthFile } from './store.js';

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: has-users.js AUTH_DB');
process.stdout.write(JSON.stringify(await lookUp(path)));

async function lookUp(database: string): Promise<{ users: boolean } | { unknown: string }> {
  const store = new AuthFile(database, { looksOnly: true });
  try {
    return { users: await store.hasUsers() };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { unknown: error.message };
  } finally {
    await store.close();
  }
}
