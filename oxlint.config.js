// Lint rules: typed, strict, and the ban on clocks and randomness in pure code.
import pure from './pure-code.cjs';

const errors = (names) => Object.fromEntries(names.map((name) => [name, 'error']));

const typed = errors([
  'typescript/no-misused-promises',
  'typescript/no-unnecessary-type-assertion',
  'typescript/no-unsafe-argument',
  'typescript/no-unsafe-assignment',
  'typescript/no-unsafe-call',
  'typescript/no-unsafe-enum-comparison',
  'typescript/no-unsafe-member-access',
  'typescript/no-unsafe-return',
  'typescript/only-throw-error',
  'typescript/prefer-promise-reject-errors',
  'typescript/require-await',
  'typescript/restrict-plus-operands',
]);

const untyped = errors([
  'eqeqeq',
  'no-array-constructor',
  'no-case-declarations',
  'no-empty',
  'no-fallthrough',
  'no-prototype-builtins',
  'no-regex-spaces',
  'no-unexpected-multiline',
  'no-useless-assignment',
  'no-var',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
  'preserve-caught-error',
  'typescript/ban-ts-comment',
  'typescript/consistent-type-imports',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-namespace',
  'typescript/no-require-imports',
  'typescript/no-unnecessary-type-constraint',
  'typescript/no-unsafe-function-type',
]);

export default {
  ignorePatterns: ['node_modules/', 'dist/', 'coverage/', '*.js', '*.cjs'],
  plugins: ['typescript'],
  jsPlugins: ['./pure-code.cjs'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error' },
  rules: {
    // Sorted words, characters of a string, `void` where nothing waits, and defaults in patterns are meant.
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/require-array-sort-compare': 'off',
    ...typed,
    ...untyped,
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
    ],
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
  },
  overrides: [
    {
      files: [...pure.folders.map((folder) => `${folder}/**/*.ts`), ...pure.files],
      rules: {
        'pure/no-present-date': 'error',
        'no-restricted-globals': [
          'error',
          ...[
            'performance',
            'process',
            'setTimeout',
            'setInterval',
            'setImmediate',
            'queueMicrotask',
            'crypto',
            'fetch',
            'document',
            'window',
          ].map((name) => ({
            name,
            message: 'Pure code: time comes in as an input, effects go out as data.',
          })),
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Pure code takes time as an input.' },
          { object: 'Math', property: 'random', message: 'Pure code has no randomness.' },
        ],
      },
    },
    { files: ['test/**/*.ts'], rules: { 'no-unused-expressions': 'off' } },
  ],
};
