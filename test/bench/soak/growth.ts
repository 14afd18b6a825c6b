// The memory, files and handles of each process and thread during the soak, and whether any of them grows.
import { pageCacheMb } from '../../../workers/storage/open-database.js';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonProcess } from '../load/daemon-processes.js';
import { holdingsOf } from '../load/daemon-processes.js';
import type { Figure } from '../table.js';
import { hourMs, memoryOf } from './clock-file.js';
import type { Sample, Slope } from './slope.js';
import { isFlat, slopeOf } from './slope.js';

/** Share of the time for compilation, pools, caches and the first rows of the history. The rest must be flat. */
const warmUpShare = 0.25;
/** Fewer samples allow no verdict. */
const leastSamples = 3;
/** One more open file or handle in ten hours. */
const negligibleCount = 0.1;
/**
 * Compiled code grows for days, ever slower, as rare paths are compiled. It is part of the memory of a process. MB per
 * hour.
 */
const negligibleWithCode = 0.1;

export interface Held {
  readonly name: string;
  readonly unit: 'MB' | '';
  readonly samples: readonly Sample[];
}

/** Collects samples of the processes from /proc. */
export class ProcessSamples {
  readonly #processes: readonly DaemonProcess[];
  readonly #held = new Map<string, { unit: Held['unit']; samples: Sample[] }>();

  constructor(processes: readonly DaemonProcess[]) {
    this.#processes = processes;
  }

  take(hour: number): void {
    for (const { name, pid } of this.#processes) {
      const { anonymousMb, threads, openFiles } = holdingsOf(pid);
      // A restarted worker is reported elsewhere and has no growth.
      if (Number.isNaN(anonymousMb)) continue;
      this.#put(`${name}: memory`, 'MB', { hour, value: anonymousMb });
      this.#put(`${name}: threads`, '', { hour, value: threads });
      this.#put(`${name}: open files`, '', { hour, value: openFiles });
    }
  }

  get held(): readonly Held[] {
    return [...this.#held].map(([name, { unit, samples }]) => ({ name, unit, samples }));
  }

  #put(name: string, unit: Held['unit'], sample: Sample): void {
    const { samples } = this.#held.get(name) ?? { samples: [] };
    this.#held.set(name, { unit, samples: [...samples, sample] });
  }
}

/** What each thread wrote after a forced garbage collection: heap, buffers, and handles of its event loop. */
export function threadSamples(
  directory: string,
  processes: readonly DaemonProcess[],
  beganMs: number,
): readonly Held[] {
  return readdirSync(memoryOf(directory))
    .sort()
    .flatMap((file) => {
      const [pid, thread] = file.split('-').map(Number);
      const process = processes.find((one) => one.pid === pid);
      if (process === undefined || thread === undefined) return [];
      const name = thread === 0 ? process.name : `${process.name}, thread ${String(thread)}`;
      const lines = readFileSync(join(memoryOf(directory), file), 'utf8')
        .trim()
        .split('\n');
      const rows = lines.map((line) => JSON.parse(line) as Row);
      const held = (what: string, unit: Held['unit'], of: (row: Row) => number): Held => ({
        name: `${name}: ${what}`,
        unit,
        samples: rows.map((row) => ({ hour: (row.fakeMs - beganMs) / hourMs, value: of(row) })),
      });
      return [
        held('data', 'MB', ({ heapMb, codeMb }) => heapMb - codeMb),
        held('compiled code', 'MB', ({ codeMb }) => codeMb),
        held('buffers', 'MB', ({ externalMb }) => externalMb),
        held('handles', '', ({ resources }) => resources),
      ];
    });
}

interface Row {
  readonly fakeMs: number;
  readonly heapMb: number;
  readonly codeMb: number;
  readonly externalMb: number;
  readonly resources: number;
}

export interface Verdict {
  readonly figures: readonly Figure[];
  readonly growing: readonly string[];
}

/** Caches that fill with the history up to a limit, in MB. */
const caches: ReadonlyMap<string, number> = new Map([['storage: memory', pageCacheMb]]);

/** Always reported; everything else only if it grows. */
const always = /: (?:memory|data)$/;

/** The slope of everything after the first quarter of `hours`. */
export function checkGrowth(held: readonly Held[], hours: number): Verdict {
  const growing: string[] = [];
  const figures = held.flatMap(({ name, unit, samples }): Figure[] => {
    const late = samples.filter(({ hour }) => hour >= warmUpShare * hours);
    // A restarted worker or a short run has too few samples.
    if (late.length < leastSamples) return [{ what: name, value: 'too few samples', against: 'unknown' }];
    const slope = slopeOf(late);
    const means = quarters(samples, hours);
    const flat = isFlat(slope, negligibleOf(name, unit));
    const cacheMb = caches.get(name) ?? 0;
    const fills = !flat && Math.max(...means) - Math.min(...means) < cacheMb;
    if (!flat && !fills) growing.push(name);
    else if (!always.test(name)) return [];
    const value = `${means.map((mean) => mean.toFixed(2)).join(', ')} ${described(slope, unit)}`;
    const against = flat ? 'flat' : fills ? `fills a cache of ${String(cacheMb)} MB` : 'GROWS';
    return [{ what: name, value, against }];
  });
  const shown = new Set(figures.map(({ what }) => what));
  const rest = {
    what: 'compiled code, buffers, threads, open files, handles',
    value: `${String(held.filter(({ name }) => !shown.has(name)).length)} flat`,
  };
  return { figures: [...figures, rest], growing };
}

/** The means of the last three quarters of the time, which show whether the growth continues. */
function quarters(samples: readonly Sample[], hours: number): readonly number[] {
  return [1, 2, 3].map((quarter) => {
    const own = samples.filter(({ hour }) => Math.min(3, Math.floor((4 * hour) / hours)) === quarter);
    return own.reduce((sum, { value }) => sum + value, 0) / own.length;
  });
}

function negligibleOf(name: string, unit: Held['unit']): number | undefined {
  if (unit !== 'MB') return negligibleCount;
  return /: (?:memory|compiled code)$/.test(name) ? negligibleWithCode : undefined;
}

function described({ perHour, error }: Slope, unit: Held['unit']): string {
  const digits = unit === 'MB' ? 4 : 3;
  return `${unit}${unit === '' ? '' : ' '}${perHour >= 0 ? '+' : ''}${perHour.toFixed(digits)} ± ${error.toFixed(digits)} per hour`;
}
