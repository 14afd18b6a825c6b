// The program that reads the configuration for the supervisor: prints one JSON object on standard output and ends.
// It may hang on a dead file system; whoever started it kills it at the deadline.
import { loadFile } from './load.js';

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: reader.js FILE');
process.stdout.write(JSON.stringify(loadFile(path, process.env)));
