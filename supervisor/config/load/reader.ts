// The reader process: reads the configuration for the supervisor, prints one JSON object on standard output and ends.
// It may hang on a dead file system; its parent kills it at the deadline.
import { findUsers } from '../read/known-users.js';
import { findUpsmon } from '../read/upsmon.js';
import { loadFile } from './load.js';

const [path, usersMatter] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: reader.js FILE [without-users]');
const find = usersMatter === 'without-users' ? undefined : findUsers;
process.stdout.write(JSON.stringify(await loadFile(path, process.env, find, findUpsmon(process.env))));
