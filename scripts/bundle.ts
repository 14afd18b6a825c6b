// A step of the build: writes the programs of the product again, each with what it imports in a few files, over what the
// compiler made of them. A process that reads ten files instead of two hundred starts sooner and is smaller.
// Usage: node dist/scripts/bundle.js
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const tree = fileURLToPath(new URL('../../', import.meta.url));
const output = join(tree, 'dist');
const workers = readdirSync(join(tree, 'workers')).filter((name) =>
  existsSync(join(tree, 'workers', name, 'worker.ts')),
);
/** What is started as a process or a thread; each keeps its path. */
const programs = [
  'scripts/ridethrough',
  'scripts/simulated-upsd/main',
  'shared/runtime/supervisor-guard',
  'supervisor/config/load/reader',
  'workers/api/auth/auth-store/has-users',
  'workers/api/auth/login/verify-password',
  ...workers.map((name) => `workers/${name}/worker`),
];
/** Left in node_modules: native code, what finds its own files at run time, and what only some installations load. */
const external = ['async-mqtt', 'bunyan', 'nodemailer', 'piscina', 'sqlite3', 'ssh2'];

const moduleUrl = /moduleUrlOf\("([^"]+)"\)/g;

/** A module finds other files relative to itself: `import.meta.url` stays the place where the compiler has put it. */
const ownPlaces: Plugin = {
  name: 'own places',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const place = relative(tree, path).replace(/\.ts$/, '.js');
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', `moduleUrlOf("${place}")`);
      return { contents: text, loader: 'ts' };
    });
  },
};

/**
 * koa loads two lists of all media types, 450 kB, to look one up by the extension of a file. No route does: each names its
 * type. koa-body looks up `json`.
 */
const mediaTypes: Plugin = {
  name: 'media types',
  setup: (bundler) => {
    const contents = JSON.stringify({ 'application/json': { source: 'iana', extensions: ['json'] } });
    bundler.onLoad({ filter: /mime-db\/db\.json$/ }, () => ({ contents, loader: 'json' }));
  },
};

const { outputFiles } = await build({
  entryPoints: programs.map((path) => join(tree, `${path}.ts`)),
  outbase: tree,
  outdir: output,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: external.flatMap((name) => [name, `${name}/*`]),
  // CommonJS packages require the modules of Node.
  banner: {
    js: "import { createRequire as requireAt } from 'node:module';\nconst require = requireAt(import.meta.url);",
  },
  plugins: [ownPlaces, mediaTypes],
  write: false,
  logLevel: 'warning',
});

rmSync(join(output, 'chunks'), { recursive: true, force: true });
for (const { path, text } of outputFiles) {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const located = (_: string, place: string): string =>
    `new URL(${JSON.stringify(relative(folder, join(output, place)))}, import.meta.url).href`;
  writeFileSync(path, text.replace(moduleUrl, located));
}
