// The table of golden.txt: which trigger starts the sequence of each device, and at which second of an outage of 20 minutes.
// `node dist/test/device-outages/golden.js` writes it again, with the dumps that this machine has.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceDump } from '../fixtures/device-dumps.js';
import { deviceDumps, kindsOfDevices } from '../fixtures/device-dumps.js';
import type { Start } from './play.js';
import { outageOf } from './play.js';
import { grainOfDump } from './shown.js';

export const goldenFile = join(import.meta.dirname, '../../../test/device-outages/golden.txt');

/** `extended_time.enabled` is true by default; without it only charge, runtime and LB can start a sequence. */
export const settings = { usual: '', withoutTime: 'extended=off' } as const;

export function linesOf(
  dumps: readonly DeviceDump[],
  usual = outageOf(dumps, settings.usual, grainOfDump),
  withoutTime = outageOf(dumps, settings.withoutTime, grainOfDump),
): readonly string[] {
  const cell = (start: Start | null | undefined) =>
    start === null || start === undefined ? 'nothing' : `${start.trigger} ${String(start.atSeconds)} s`;
  return dumps.map(({ file }, place) => `${file} | ${cell(usual[place])} | ${cell(withoutTime[place])}`);
}

export const fileOf = (line: string): string => line.split(' | ', 1)[0] ?? '';

/** By file. */
export function golden(): ReadonlyMap<string, string> {
  const lines = readFileSync(goldenFile, 'utf8').split('\n');
  return new Map(
    lines.filter((line) => line.includes(' | ') && !line.startsWith('#')).map((line) => [fileOf(line), line]),
  );
}

if (process.argv[1] === import.meta.filename) {
  const others = golden();
  const written = new Map(
    linesOf([...kindsOfDevices(), ...deviceDumps()]).map((line) => [fileOf(line), line]),
  );
  const lines = [...new Map([...others, ...written]).values()].sort();
  const head = readFileSync(goldenFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('#'));
  writeFileSync(goldenFile, `${[...head, ...lines].join('\n')}\n`);
}
