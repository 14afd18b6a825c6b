// The import table of ARCHITECTURE.md, held by a machine: files and packages.
const workers = ['nut', 'ssh', 'storage', 'api', 'mqtt', 'notify', 'log'];

/** Packages each folder may import; a folder that is not listed may import none. */
const packages = {
  '^shared/domain/(?!decode|nearest)': ['io-ts'],
  '^shared/domain/nearest': ['fastest-levenshtein'],
  '^shared/domain/decode': ['io-ts', 'fp-ts'],
  '^shared/(protocol|http)/': ['io-ts'],
  '^shared/runtime/': [],
  '^supervisor/policy/': [],
  '^supervisor/(?!policy/)': ['toml', 'io-ts'],
  '^workers/(poller|notify)/(?!services/mail)': ['io-ts'],
  '^workers/notify/services/mail': ['io-ts', 'nodemailer'],
  '^workers/mqtt/(?!client)': ['io-ts'],
  '^workers/mqtt/client': ['io-ts', 'async-mqtt'],
  '^workers/ssh/': ['io-ts', 'ssh2'],
  '^workers/storage/': ['io-ts', 'sqlite3'],
  '^workers/api/': [
    'io-ts',
    'koa',
    '@koa/router',
    'koa-body',
    'prom-client',
    'piscina',
    'scrypt-kdf',
    'sqlite3',
  ],
  '^workers/log/': ['io-ts', 'bunyan'],
  '^workers/host': [],
  '^scripts/(ridethrough|commands/)': ['io-ts'],
  '^web/': ['uplot'],
};

/** Folders each folder may import from. */
const folders = {
  '^shared/domain/': ['shared/domain'],
  '^shared/(protocol|http)/': ['shared/domain', 'shared/protocol', 'shared/http'],
  '^shared/runtime/': ['shared/domain', 'shared/protocol', 'shared/runtime'],
  '^supervisor/policy/': ['shared/domain', 'supervisor/policy'],
  '^supervisor/(?!policy/)': ['supervisor', 'shared'],
  '^workers/host': ['shared', 'workers/host'],
  ...Object.fromEntries(workers.map((name) => [`^workers/${name}/`, ['shared', `workers/${name}`]])),
  '^scripts/(ridethrough|commands/)': [
    'shared',
    'supervisor',
    'workers/api/auth/auth-store',
    'scripts/commands',
    'scripts/simulated-upsd',
  ],
  '^scripts/simulated-upsd/': ['shared', 'scripts/simulated-upsd'],
  '^web/': ['web', 'shared/domain', 'shared/http'],
};

const esc = (text) => text.replace(/[/@.]/g, '\\$&');

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^(shared/(domain|protocol|http)|supervisor/policy)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'product-without-its-tests',
      severity: 'error',
      from: { path: '^(supervisor|workers|shared|scripts|web)/' },
      to: { path: '^test/' },
    },
    ...Object.entries(folders).map(([from, allowed]) => ({
      name: `files-from-${from}`,
      severity: 'error',
      from: { path: from },
      to: { pathNot: `^(${allowed.map(esc).join('|')}|node_modules)(/|\\.|$)`, dependencyTypes: ['local'] },
    })),
    ...Object.entries(packages).map(([from, allowed]) => ({
      name: `packages-from-${from}`,
      severity: 'error',
      from: { path: from },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer'],
        pathNot: allowed.length
          ? `node_modules/(@types/)?(${allowed.map((p) => esc(p) + '|' + esc(p.replace('@', '').replace('/', '__'))).join('|')})/`
          : '^$',
      },
    })),
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
