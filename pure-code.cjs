// What is called pure: these folders, and every file whose opening comment says "Pure." The import table and lint check it.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const folders = [
  'shared/domain',
  'shared/protocol',
  'shared/http',
  'supervisor/policy',
  'supervisor/reserve',
  'supervisor/config/derive',
  'supervisor/remote-health/machine',
];

const saysSo = (file) =>
  /^(\/\/.*\n)*\/\/.*\bPure\b(?! JavaScript)/.test(readFileSync(file, 'utf8').slice(0, 500));

const files = ['supervisor', 'workers', 'scripts', 'web'].flatMap((root) =>
  readdirSync(join(__dirname, root), { recursive: true })
    .map((name) => `${root}/${name}`)
    .filter((name) => name.endsWith('.ts') && saysSo(join(__dirname, name))),
);

// Lint's rule for the present date: `new Date()` and `Date()`, not `new Date(ms)`.
const isDate = ({ callee }) => callee.type === 'Identifier' && callee.name === 'Date';
const noPresentDate = {
  create: (context) => {
    const refuse = (node) => context.report({ node, message: 'Pure code takes time as an input.' });
    return {
      NewExpression: (node) => isDate(node) && node.arguments.length === 0 && refuse(node),
      CallExpression: (node) => isDate(node) && refuse(node),
    };
  },
};

module.exports = { folders, files, meta: { name: 'pure' }, rules: { 'no-present-date': noPresentDate } };
