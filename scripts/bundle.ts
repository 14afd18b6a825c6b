// A step of the build: replaces each compiled program in dist/ by a bundle. What only some runs need goes to dist/chunks. A
// process that reads one file instead of two hundred starts sooner and is smaller.
// Usage: node dist/scripts/bundle.js
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { builtinModules } from 'node:module';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const tree = fileURLToPath(new URL('../../', import.meta.url));
const output = join(tree, 'dist');
const workers = readdirSync(join(tree, 'workers')).filter((name) =>
  existsSync(join(tree, 'workers', name, 'worker.ts')),
);
/** Loaded before what Node needs for modules, as CommonJS: supervisor-guard.cjs. */
const guard = 'shared/runtime/supervisor-guard';
/** What is started as a process or a thread; each keeps its path. */
const programs = [
  'scripts/ridethrough',
  'scripts/simulated-upsd/main',
  guard,
  'supervisor/config/load/reader',
  'supervisor/main',
  'workers/api/auth/auth-store/has-users',
  'workers/api/auth/login/verify-password',
  ...workers.map((name) => `workers/${name}/worker`),
];
/**
 * Left in node_modules: native code, what finds its own files at run time, what only some installations load, and what
 * library-errors.ts knows by its path.
 */
const external = ['async-mqtt', 'nodemailer', 'piscina', 'sqlite3', 'ssh2'];

const moduleUrl = /moduleUrlOf\("([^"]+)"\)/g;
const programPath = /"programAt:([^"]+)"/g;

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

/** A program that another one imports stays a file of its own. */
const otherPrograms: Plugin = {
  name: 'other programs',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const name = relative(tree, join(resolveDir, path)).replace(/\.js$/, '');
      return kind === 'dynamic-import' && programs.includes(name)
        ? { path: `programAt:${name}.js`, external: true }
        : undefined;
    });
  },
};

/**
 * An import of a module of Node reads everything that it offers, also what it loads when it is first read: the WebSocket of
 * http, the promises of fs. `require` reads nothing.
 */
const modulesOfNode: Plugin = {
  name: 'modules of Node',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^(node:)?[a-z]/ }, ({ kind, path }) =>
      kind === 'import-statement' && builtinModules.includes(path.replace(/^node:/, ''))
        ? { path, namespace: 'required' }
        : undefined,
    );
    bundler.onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

/** bunyan works without them: probes of DTrace, rotation of files, JSON of circular objects, traces by source maps. */
const ofBunyan: Plugin = {
  name: 'optional packages of bunyan',
  setup: (bundler) => {
    const optional = /^(dtrace-provider|mv|safe-json-stringify|source-map-support)$/;
    bundler.onResolve({ filter: optional }, ({ path }) => ({ path, namespace: 'absent' }));
    bundler.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'module.exports = null;' }));
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

const asModule = {
  // What only some runs need is loaded then.
  splitting: true,
  format: 'esm',
  // Node's own modules are required.
  banner: {
    js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
  },
} as const;
const asCommonJs = { format: 'cjs', outExtension: { '.js': '.cjs' } } as const;

const built = await Promise.all(
  programs.map((path) =>
    build({
      entryPoints: [join(tree, `${path}.ts`)],
      outbase: tree,
      outdir: output,
      chunkNames: 'chunks/[name]-[hash]',
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      external: external.flatMap((name) => [name, `${name}/*`]),
      // As modules: of these the bundler leaves out what nothing calls.
      alias: {
        'io-ts': join(tree, 'node_modules/io-ts/es6/index.js'),
        'fp-ts/lib': join(tree, 'node_modules/fp-ts/es6'),
      },
      plugins: [ownPlaces, otherPrograms, modulesOfNode, ofBunyan, mediaTypes],
      write: false,
      logLevel: 'warning',
      ...(path === guard ? asCommonJs : asModule),
    }),
  ),
);

rmSync(join(output, 'chunks'), { recursive: true, force: true });
for (const { path, text } of built.flatMap(({ outputFiles }) => outputFiles)) {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const from = (place: string): string => relative(folder, join(output, place));
  writeFileSync(
    path,
    text
      .replace(
        moduleUrl,
        (_, place: string) => `new URL(${JSON.stringify(from(place))}, import.meta.url).href`,
      )
      .replace(programPath, (_, place: string) => JSON.stringify(from(place).replace(/^(?!\.)/, './'))),
  );
}
