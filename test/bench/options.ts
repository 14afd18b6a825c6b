// The command line of the benchmarks.
import { parseArgs } from 'node:util';

/** Undefined: the benchmark's own default. */
export interface BenchOptions {
  /** UPSes of the fleet. */
  readonly ups: number | undefined;
  /** Duration of the measurement. */
  readonly seconds: number | undefined;
  /** Seconds between two polls of a UPS. */
  readonly interval: number | undefined;
  /** UPSes of one simulated server. */
  readonly perServer: number | undefined;
  /** Shutdowns that are timed. */
  readonly rounds: number | undefined;
  /** Hours of the soak in daemon time. */
  readonly hours: number | undefined;
  /** Daemon seconds per real second. */
  readonly speed: number | undefined;
}

/** Parses benchmark names and options. Throws for anything else. */
export function readOptions(args: readonly string[]): {
  readonly names: readonly string[];
  readonly options: BenchOptions;
} {
  const string = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ups: string,
      seconds: string,
      interval: string,
      'per-server': string,
      rounds: string,
      hours: string,
      speed: string,
    },
  });
  const number = (name: keyof typeof values, least: number): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    const value = Number(text);
    if (Number.isFinite(value) && value >= least) return value;
    throw new Error(`--${name} is a number from ${String(least)} on, not ${text}`);
  };
  const options = {
    ups: number('ups', 1),
    seconds: number('seconds', 1),
    interval: number('interval', 0.1),
    perServer: number('per-server', 1),
    rounds: number('rounds', 0),
    hours: number('hours', 0.1),
    speed: number('speed', 1),
  };
  return { names: positionals, options };
}
