// The import table of ARCHITECTURE.md, held by a machine: modules and layers, folders, packages, and what is called pure.
const pure = require('./pure-code.cjs');

/**
 * The layers of a folder from bottom to top: a module may import those of the layers below its own, and no other of its own
 * layer. A module is a folder or a file. One that is not listed may import nothing of its folder.
 */
const layers = {
  supervisor: [
    ['events', 'guard', 'host', 'policy', 'queues', 'reserve'],
    ['supervision'],
    ['config', 'notifications'],
    ['read-model', 'remote-health', 'sequence'],
    ['engine', 'history', 'recovery'],
    ['api', 'hooks', 'reports', 'self-tests'],
    ['workers'],
    ['daemon'],
    ['main'],
  ],
  'shared/domain': [
    ['base'],
    ['commands', 'services', 'ups'],
    ['actions', 'triggers'],
    ['setup', 'status'],
    ['outage', 'recovery'],
  ],
  'supervisor/policy': [
    ['base', 'plan'],
    ['connection', 'power', 'trigger'],
    ['state'],
    ['view'],
    ['decision'],
    ['configure', 'effects'],
    ['snapshot', 'step'],
  ],
  'supervisor/config': [
    ['schema'],
    ['configuration'],
    ['check', 'derive'],
    ['programs', 'read'],
    ['decode'],
    ['load'],
  ],
  'supervisor/sequence': [
    ['outcome', 'restart-rule'],
    ['actuator', 'journal', 'observer'],
    ['budget', 'fed-loads', 'open-sequences', 'step-progress', 'waits'],
    ['dependencies', 'phases'],
    ['local-performers', 'run'],
    ['event-details', 'shared-steps', 'found-report'],
    ['last-steps'],
    ['sequences'],
  ],
  scripts: [['simulated-upsd'], ['commands'], ['manual', 'ridethrough'], ['bundle', 'compress-page', 'site']],
  'scripts/commands': [
    ['terminal'],
    ['usage'],
    ['control', 'daemon', 'help', 'time'],
    ['demo', 'dispatch', 'events', 'import', 'outages', 'report', 'support', 'users', 'wait'],
    ['status'],
    ['validate'],
    ['drill', 'init'],
    ['catalogue'],
  ],
  web: [['ui'], ['daemon'], ['charts', 'documentation'], ['views'], ['app', 'old-browser']],
  'workers/poller': [['reading', 'wire'], ['session'], ['poller'], ['worker']],
  'workers/api': [
    ['html', 'http'],
    ['auth', 'model', 'openapi', 'outage-report', 'support', 'transport'],
    ['history', 'metrics', 'request'],
    ['report', 'stream'],
    ['routes'],
    ['start'],
    ['worker'],
  ],
};

/** What a worker may import besides shared/, itself, and the packages below. */
const libraries = { prober: ['workers/ssh'], remote: ['workers/ssh'] };

/** Packages each folder may import; the first that fits counts, and where none does it may import none. */
const packages = [
  ['shared/domain/base/decode', ['io-ts', 'fp-ts']],
  ['shared/domain/base/nearest-name', ['fastest-levenshtein']],
  ['shared/(domain|protocol|http)/', ['io-ts']],
  ['supervisor/config/read/', ['toml', 'io-ts']],
  ['supervisor/(config|hooks|sequence/journal|supervision)/', ['io-ts']],
  [
    'workers/api/',
    ['io-ts', 'koa', '@koa/router', 'koa-body', 'prom-client', 'piscina', 'scrypt-kdf', 'sqlite3'],
  ],
  ['workers/log/', ['io-ts', 'bunyan']],
  ['workers/notify/services/mail', ['io-ts', 'nodemailer']],
  ['workers/mqtt/client', ['io-ts', 'async-mqtt']],
  ['workers/ssh/', ['io-ts', 'ssh2']],
  ['workers/storage/', ['io-ts', 'sqlite3']],
  ['workers/', ['io-ts']],
  ['scripts/commands/init/from/eneru', ['io-ts', 'yaml']],
  ['scripts/(ridethrough|commands/)', ['io-ts']],
  ['scripts/(bundle|site/)', ['esbuild']],
  ['web/', ['uplot']],
];

/** Folders each folder may import from. */
const folders = {
  '^shared/domain/': ['shared/domain'],
  '^shared/(protocol|http)/': ['shared/domain', 'shared/protocol', 'shared/http'],
  '^shared/runtime/': ['shared/domain', 'shared/protocol', 'shared/runtime'],
  '^supervisor/policy/': ['shared/domain', 'supervisor/policy'],
  '^supervisor/reserve/': ['shared/domain', 'supervisor/reserve'],
  '^supervisor/': ['supervisor', 'shared'],
  [`^workers/(?!(?:${Object.keys(libraries).join('|')})/)([^/]+)/`]: ['shared', 'workers/$1'],
  ...Object.fromEntries(
    Object.entries(libraries).map(([name, more]) => [
      `^workers/${name}/`,
      ['shared', `workers/${name}`, ...more],
    ]),
  ),
  '^scripts/(ridethrough|commands/)': [
    'shared',
    'supervisor',
    'workers/api/auth/auth-store',
    'workers/storage/database',
    'workers/poller',
    'scripts/commands',
    'scripts/simulated-upsd',
  ],
  '^scripts/simulated-upsd/': ['shared', 'scripts/simulated-upsd', 'workers/poller/wire/wire'],
  '^scripts/': ['shared', 'supervisor', 'workers', 'scripts'],
  '^web/': ['web', 'shared/domain', 'shared/http'],
};

const esc = (text) => text.replace(/[/@.]/g, '\\$&');
const either = (names) => names.map(esc).join('|');
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

function layersOf(folder, all) {
  const within = (names) => `^${folder}/(${names.join('|')})[/.]`;
  return [
    forbid(
      `${folder}-modules-are-listed`,
      { path: `^${folder}/`, pathNot: within(all.flat()) },
      { path: `^${folder}/` },
    ),
    ...all.flatMap((layer, height) =>
      layer.map((name) =>
        forbid(
          `${folder}/${name}-downwards`,
          { path: within([name]) },
          { path: `^${folder}/`, pathNot: within([name, ...all.slice(0, height).flat()]) },
        ),
      ),
    ),
  ];
}

const places = (names) => names.flatMap((name) => [esc(name), esc(name.replace('@', '').replace('/', '__'))]);
const product = '^(shared|supervisor|workers|scripts|web)/';

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid('no-unresolvable', {}, { couldNotResolve: true }),
    forbid('product-without-its-tests', { path: product }, { path: '^test/' }),
    forbid(
      'pure-without-core',
      { path: [`^(${either(pure.folders)})/`, `^(${either(pure.files)})$`] },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'pure-on-pure',
      { path: `^(${either(pure.folders)})/` },
      {
        path: product,
        pathNot: `^(${either(pure.folders)})/`,
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'web-takes-types-of-http',
      { path: '^web/' },
      { path: '^shared/http/', dependencyTypesNot: ['type-only'] },
    ),
    ...Object.entries(layers).flatMap(([folder, all]) => layersOf(folder, all)),
    ...Object.entries(folders).map(([from, allowed]) =>
      forbid(
        `files-from-${from}`,
        { path: from },
        { pathNot: `^(${either(allowed)}|node_modules)(/|\\.|$)`, dependencyTypes: ['local'] },
      ),
    ),
    ...[...packages, ['(shared|supervisor|workers|scripts|web)/', []]].map(([from, allowed], index, all) =>
      forbid(
        `packages-from-${from}`,
        { path: `^${from}`, pathNot: all.slice(0, index).map(([before]) => `^${before}`) },
        {
          dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer'],
          pathNot: allowed.length > 0 ? `node_modules/(@types/)?(${places(allowed).join('|')})/` : '^$',
        },
      ),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
