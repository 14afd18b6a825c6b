// The jobs of a run: the checks of the sources, batches of unit tests, and a process for every other file of tests.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cost } from './cost.js';
import { isInDefault } from './levels.js';
import type { Job } from './schedule.js';
import type { Times } from './times.js';
import { tree } from './times.js';

export type Level = 'units' | 'default' | 'all';

export interface TestJob extends Job {
  readonly kind: 'tests';
  /** Compiled, relative to the tree. */
  readonly files: readonly string[];
}

export interface CheckJob extends Job {
  readonly kind: 'check';
  /** Of package.json. */
  readonly script: string;
}

export type RunJob = TestJob | CheckJob;

const checks = ['build:policy', 'layers', 'lint', 'format'];

/** Node and mocha start in 0.6 s, for any number of files; a longer batch may be the last that ends. */
const batchSeconds = 15;
const startUp = { wall: 0.6, cpu: 0.6 };

/** What is not measured yet: an integration test starts early. */
const unknown = { apart: { wall: 30, cpu: 15 }, unit: { wall: 1, cpu: 1 } };

const apart = /^dist\/test\/(integration|simulation|mutation)\//;

/** Every compiled file of tests. */
export function allFiles(): readonly string[] {
  return readdirSync(join(tree, 'dist/test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => `dist/test/${file}`)
    .sort();
}

/** `test/NAME.test.ts`, `dist/test/x.test.js`, or the folder of some. */
export function filesNamed(names: readonly string[], files: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const compiled = name.replace(/^(\.\/)?(dist\/)?/, 'dist/').replace(/\.ts$/, '.js');
    const found = files.filter(
      (file) => file === compiled || file.startsWith(`${compiled.replace(/\/$/, '')}/`),
    );
    if (found.length === 0) throw new Error(`there is no file of tests ${name}`);
    return found;
  });
}

export function filesOf(level: Level, files: readonly string[]): readonly string[] {
  if (level === 'all') return files;
  return files.filter((file) => isInDefault(shortName(file)) && (level === 'default' || !apart.test(file)));
}

export function jobsOf(files: readonly string[], times: Times, withChecks: boolean): readonly RunJob[] {
  const alone = files.filter((file) => apart.test(file)).map((file) => testJob([file], times));
  const together = batches(
    files.filter((file) => !apart.test(file)),
    times,
  ).map((batch) => testJob(batch, times));
  return [...(withChecks ? checks.map((script) => checkJob(script, times)) : []), ...alone, ...together];
}

/** In the order of their names, since files of a folder load the same modules. */
export function batches(files: readonly string[], times: Times): readonly (readonly string[])[] {
  const made: string[][] = [];
  let seconds = Infinity;
  for (const file of files) {
    const { wall } = costOf(file, times);
    if (seconds + wall > batchSeconds) {
      made.push([]);
      seconds = 0;
    }
    made.at(-1)?.push(file);
    seconds += wall;
  }
  return made;
}

function testJob(files: readonly string[], times: Times): TestJob {
  const costs = files.map((file) => costOf(file, times));
  const sum = (key: 'wall' | 'cpu') => costs.reduce((total, cost) => total + cost[key], startUp[key]);
  const [first = ''] = files;
  const name =
    files.length === 1 ? shortName(first) : `${shortName(first)} and ${String(files.length - 1)} more`;
  return { kind: 'tests', name, files, cost: { wall: sum('wall'), cpu: sum('cpu') } };
}

function checkJob(script: string, times: Times): CheckJob {
  return { kind: 'check', name: `npm run ${script}`, script, cost: times.get(script) ?? unknown.apart };
}

function costOf(file: string, times: Times): Cost {
  return times.get(shortName(file)) ?? (apart.test(file) ? unknown.apart : unknown.unit);
}

/** As the source is called, without what all have in common. */
export function shortName(file: string): string {
  return file.replace(/^.*\bdist\/test\//, '').replace(/\.test\.js$/, '');
}

export function sourceOf(file: string): string {
  return `test/${shortName(file)}.test.ts`;
}
