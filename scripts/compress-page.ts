// The last step of the build: writes each file of the page as Brotli and gzip too, so that the server does not compress
// at run time. Usage: node dist/scripts/compress-page.js
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = new URL('../web/', import.meta.url);

for (const name of ['index.html', 'app.js', 'old-browser.js', 'style.css', 'icon.svg']) {
  const file = new URL(name, folder);
  const body = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(body, { params }));
  writeFileSync(new URL(`${name}.gz`, folder), gzipSync(body, { level: constants.Z_BEST_COMPRESSION }));
}
