// Lint rules: typed, strict, and the ban on clocks and randomness in pure code.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import pure from './pure-code.cjs';

const pureCode = [...pure.folders.map((folder) => `${folder}/**/*.ts`), ...pure.files];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'coverage/',
      'eslint.config.js',
      '.dependency-cruiser.cjs',
      'pure-code.cjs',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './web/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      eqeqeq: 'error',
    },
  },
  {
    files: pureCode,
    rules: {
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
        ].map((name) => ({ name, message: 'Pure code: time comes in as an input, effects go out as data.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Pure code takes time as an input.' },
        { object: 'Math', property: 'random', message: 'Pure code has no randomness.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'Pure code takes time as an input.',
        },
        { selector: 'CallExpression[callee.name="Date"]', message: 'Pure code takes time as an input.' },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
);
