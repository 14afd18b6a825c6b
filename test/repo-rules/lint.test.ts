// Lint reports what it is kept for: one violation for each rule, in a small tree with the project's own configuration.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));

const declared = `
declare const unsafe: ReturnType<typeof JSON.parse>;
declare const later: Promise<number>;
declare function f(x: number): number;
`;

/** Sources by the rule that reports them. */
const violations: Readonly<Record<string, readonly string[]>> = {
  'await-thenable': ['export const x = async () => { await f(1); };'],
  'no-array-delete': ['const l = [1]; delete l[0];'],
  'no-base-to-string': ['export const x = (o: { a: 1 }) => o.toString();'],
  'no-duplicate-type-constituents': ['export type T = "a" | "a";'],
  'no-floating-promises': ['later;', 'later.then(() => f(1));', '(async () => { await later; })();'],
  'no-for-in-array': ['for (const i in [1]) f(Number(i));'],
  'no-implied-eval': ['setTimeout("f(1)", 1);'],
  'no-misused-promises': [
    'if (later) f(1);',
    '[1].forEach(async () => { await later; });',
    'export const x: { a: () => void } = { a: async () => { await later; } };',
  ],
  'no-redundant-type-constituents': ['export type T = unknown | string;'],
  'no-unnecessary-type-assertion': ['export const x = f(1) as number;'],
  'no-unsafe-argument': ['f(unsafe);'],
  'no-unsafe-assignment': ['export const x = unsafe;', 'export const x = JSON.parse("1");'],
  'no-unsafe-call': ['unsafe();'],
  'no-unsafe-enum-comparison': ['enum E { a = 1 } export const x = (e: E) => e === 1;'],
  'no-unsafe-member-access': ['f(unsafe.b as number);'],
  'no-unsafe-return': ['export const x = () => unsafe;'],
  'no-unsafe-unary-minus': ['export const x = (s: string) => -s;'],
  'only-throw-error': ['export const x = () => { throw "a"; };'],
  'prefer-promise-reject-errors': ['export const x = () => Promise.reject("a");'],
  'require-await': ['export async function x() { return f(1); }'],
  'restrict-plus-operands': ['export const x = (o: { a: 1 }) => o + "a";'],
  'restrict-template-expressions': ['export const x = (o: { a: 1 }) => `${o}`;'],
  'switch-exhaustiveness-check': [
    'export function x(k: "a" | "b") { switch (k) { case "a": return 1; default: return 2; } }',
    'export function x(k: number) { switch (k) { case 1: return 1; } return 2; }',
  ],
  'unbound-method': ['class A { b() { return this; } } export const x = new A().b;'],
  // Text of a probe file, not a directive of this one.
  'ban-ts-comment': ['// @ts-ignore\nf("1");'],
  'consistent-type-imports': ['import { Dirent } from "node:fs"; export type T = Dirent;'],
  'no-explicit-any': ['export const x = (y: any) => void y;'],
  'no-restricted-exports': ['export default 1;', 'const y = 1; export { y as default };'],
  'no-unused-vars': ['const y = 1;', 'export const x = (y: number) => 1;'],
  'no-useless-assignment': ['export function x() { let y = f(1); y = f(2); return y; }'],
  'preserve-caught-error': ['try { f(1); } catch (e) { throw new Error("x"); }'],
  eqeqeq: ['export const x = f(1) == 2;'],
};

const inPureCode: Readonly<Record<string, readonly string[]>> = {
  'no-present-date': [
    'export const x = new Date();',
    'export const x = new Date;',
    'export const x = Date();',
  ],
  'no-restricted-properties': ['export const x = Date.now();', 'export const x = Math.random();'],
  'no-restricted-globals': [
    'export const x = performance.now();',
    'export const x = process.pid;',
    'setTimeout(() => undefined, 1);',
    'setInterval(() => undefined, 1);',
    'setImmediate(() => undefined);',
    'queueMicrotask(() => undefined);',
    'export const x = crypto.randomUUID();',
    'export const x = () => fetch("a");',
    'export const x = () => String(document);',
    'export const x = () => String(window);',
  ],
};

/** Files of a small tree, by path. */
function treeOf(into: string, sources: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(sources).flatMap(([rule, texts]) =>
    texts.map((text, index) => ({ path: `${into}/${rule}-${String(index)}.ts`, rule, text })),
  );
}

const files = [...treeOf('workers', violations), ...treeOf('shared/domain', inPureCode)];
const allowed = [
  { path: 'shared/domain/allowed.ts', text: 'export const x = new Date(1);' },
  { path: 'workers/allowed.ts', text: 'export const x = (_unused: number) => [new Date(), process.pid];' },
];

/** The rules that lint reports, by file. */
function reported(): ReadonlyMap<string, readonly string[]> {
  const folder = temporaryFolder();
  for (const name of ['supervisor', 'workers', 'scripts', 'web', 'shared/domain'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['oxlint.config.js', 'pure-code.cjs', 'package.json', 'tsconfig.json'])
    copyFileSync(join(project, name), join(folder, name));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'shared/declared.d.ts'), declared);
  for (const { path, text } of [...files, ...allowed]) writeFileSync(join(folder, path), text);
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(project, 'node_modules/oxlint/bin/oxlint'),
      '-c',
      'oxlint.config.js',
      '-f',
      'json',
      'workers',
      'shared',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  const rules = new Map<string, string[]>();
  for (const { code, filename } of diagnostics)
    rules.set(filename, [...(rules.get(filename) ?? []), code.replace(/^.*\(|\)$/g, '')]);
  return rules;
}

describe('lint', () => {
  let rules: ReadonlyMap<string, readonly string[]>;
  before(() => {
    rules = reported();
  });

  it('reports a violation of each rule that the project relies on', () => {
    expect(files.filter(({ path, rule }) => rules.get(path)?.includes(rule) !== true)).to.deep.equal([]);
  });

  it('permits dates of a given time in pure code, and clocks outside of it', () => {
    expect(allowed.map(({ path }) => rules.get(path))).to.deep.equal([undefined, undefined]);
  });
});
