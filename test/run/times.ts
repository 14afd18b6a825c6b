// The committed times of the tests and checks: test/run/times.txt, refreshed by `npm run test:times`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Cost } from './cost.js';

export const tree = fileURLToPath(new URL('../../../', import.meta.url));
const file = `${tree}test/run/times.txt`;
const heading = '# name, seconds, seconds of processor time; made by: npm run test:times\n';

export type Times = ReadonlyMap<string, Cost>;

export function readTimes(): Times {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(' '))
      .map(([name = '', wall, cpu]) => [name, { wall: Number(wall), cpu: Number(cpu) }]),
  );
}

/** Names that are not in `measured` keep their time if they are in `known`. */
export function writeTimes(measured: Times, known: ReadonlySet<string>): void {
  const all = new Map([...[...readTimes()].filter(([name]) => known.has(name)), ...measured]);
  const lines = [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { wall, cpu }]) => `${name} ${wall.toFixed(2)} ${cpu.toFixed(2)}\n`);
  writeFileSync(file, `${heading}${lines.join('')}`);
}
