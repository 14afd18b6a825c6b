// The program of scripts/site.sh. Usage: node dist/scripts/site/main.js LIBRARIES OUTPUT
import { fileURLToPath } from 'node:url';
import { buildSite } from './build.js';
import { loadLibraries } from './libraries.js';

const [libraries = '', output = ''] = process.argv.slice(2);
const tree = fileURLToPath(new URL('../../../', import.meta.url));
const { pages, sections } = await buildSite(tree, loadLibraries(libraries), output);
process.stdout.write(`${output}: ${String(pages)} pages, ${String(sections)} sections\n`);
