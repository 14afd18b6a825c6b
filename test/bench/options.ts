// The command line of the benchmarks.
import { parseArgs } from 'node:util';
import { errorMessage } from '../../shared/domain/base/error-message.js';

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
  /** Remote servers of each UPS, each looked at over TCP where recovery is on; 100 at most. */
  readonly servers: number | undefined;
  /** `[recovery] enabled`. */
  readonly recovery: boolean;
}

const string = { type: 'string' } as const;
const known = {
  ups: string,
  seconds: string,
  interval: string,
  'per-server': string,
  rounds: string,
  hours: string,
  speed: string,
  servers: string,
  recovery: { type: 'boolean' },
} as const;

interface Asked {
  readonly names: readonly string[];
  readonly options: BenchOptions;
}

/** Parses names of `benchmarks` and options. Anything else is a problem: a line, and the usage. */
export function readOptions(
  args: readonly string[],
  benchmarks: readonly string[],
): Asked | { readonly problem: string } {
  try {
    return parsed(args, benchmarks);
  } catch (error) {
    const [reason] = errorMessage(error).split('. ');
    const options = Object.entries(known).map(
      ([name, { type }]) => ` [--${name}${type === 'string' ? ' NUMBER' : ''}]`,
    );
    return {
      problem: `${reason ?? ''}\nusage: npm run bench -- [NAME...]${options.join('')}\nnames: ${benchmarks.join(', ')}\n`,
    };
  }
}

function parsed(args: readonly string[], benchmarks: readonly string[]): Asked {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: known });
  const number = (name: Exclude<keyof typeof values, 'recovery'>, least: number): number | undefined => {
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
    servers: number('servers', 1),
    recovery: values.recovery === true,
  };
  const unknown = positionals.filter((name) => !benchmarks.includes(name));
  if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(', ')}`);
  return { names: positionals, options };
}
