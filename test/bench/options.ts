// What may be said to a benchmark beside its name.
import { parseArgs } from 'node:util';

/** Undefined: the benchmark's own default. */
export interface BenchOptions {
  /** UPSes of the fleet. */
  readonly ups: number | undefined;
  /** How long it is measured. */
  readonly seconds: number | undefined;
  /** Shutdowns that are timed. */
  readonly rounds: number | undefined;
  /** Hours that pass for the daemon of the soak. */
  readonly hours: number | undefined;
  /** How many of its seconds pass in a second. */
  readonly speed: number | undefined;
}

/** The names of benchmarks and the options in an argument list. Throws, with a sentence, for what is neither. */
export function readOptions(args: readonly string[]): {
  readonly names: readonly string[];
  readonly options: BenchOptions;
} {
  const string = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ups: string, seconds: string, rounds: string, hours: string, speed: string },
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
    rounds: number('rounds', 0),
    hours: number('hours', 0.1),
    speed: number('speed', 1),
  };
  return { names: positionals, options };
}
