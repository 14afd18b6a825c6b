// The files of the dashboard: read once at the start, served from memory by exact path, so that no path can be traversed. The
// build compresses them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from '../../../shared/runtime/log.js';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import type { Route } from '../http/route.js';

/** The output folder of the build, next to the compiled code. */
const builtFiles = new URL('../../../web/', import.meta.url);

/** For every HTML response (specification/api.md#headers). */
const contentSecurityPolicy =
  "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const files = [
  ['/', 'index.html', 'text/html; charset=utf-8', 'The dashboard page.'],
  ['/app.js', 'app.js', 'text/javascript; charset=utf-8', 'The dashboard program.'],
  [
    '/old-browser.js',
    'old-browser.js',
    'text/javascript; charset=utf-8',
    'What tells an old browser that it is too old.',
  ],
  ['/style.css', 'style.css', 'text/css; charset=utf-8', 'The dashboard style.'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml; charset=utf-8', 'The dashboard icon.'],
] as const;

/** The routes of the page; none, with an error in the log, when it was not built. */
export function staticRoutes(log: Logger, folder: URL = builtFiles): readonly Route[] {
  try {
    return files.map(([path, file, type, description]) => {
      const read = (name: string): Buffer => readFileSync(new URL(name, folder));
      const body = read(file);
      const compressed = { br: read(`${file}.br`), gzip: read(`${file}.gz`) };
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      const headers: Record<string, string> = {
        ETag: etag,
        'Cache-Control': 'no-cache',
        Vary: 'Accept-Encoding',
      };
      if (type.startsWith('text/html')) headers['Content-Security-Policy'] = contentSecurityPolicy;
      return {
        method: 'GET',
        path,
        description,
        auth: 'open',
        text: type.replace(/;.*/, ''),
        answer: () => ({ status: 200, type, body, compressed, headers }),
      };
    });
  } catch (error) {
    log.error(
      `the dashboard is not served: ${errorMessage(error)}. The API works without it; reinstall, or run npm run build.`,
    );
    return [];
  }
}
