// `ridethrough demo`: the daemon as a dry run on a simulated UPS. Starts nothing but a dry run; ends every process and deletes
// every file that it has created.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ScenarioName } from '../../simulated-upsd/scenarios.js';
import { isScenarioName, scenarioNames, scenarios } from '../../simulated-upsd/scenarios.js';
import type { DemoChild } from './child.js';
import { startChild } from './child.js';
import { demoConfiguration, refusalOf } from './configuration.js';
import { inDirectory, requestDaemon } from '../control/control-socket.js';
import { AddressBody } from '../../../shared/http/bodies.js';
import type { Simulator } from './simulator.js';
import { startSimulator } from './simulator.js';
import { exitCode, UsageError } from '../usage.js';

/** The end of the demo, with a message if there is one. */
interface Ending {
  readonly code: number;
  readonly why?: string;
}

interface DemoOptions {
  readonly scenario: ScenarioName;
  readonly port: number;
  readonly speed: number;
  readonly once: boolean;
}

/** The outage of 16 minutes takes 48 s: long enough to watch, short enough to wait for. */
const defaultSpeed = '20';
/** The daemon starts in about a second; a busy machine gets much more. */
const startMs = 30_000;
/** A drain takes a second, a sequence of a dry run no more than that. */
const daemonKillAfterMs = 15_000;

/** Runs until Ctrl-C, SIGTERM or the end of the daemon; returns the exit code. */
export async function demo(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (!(await isFree(options.port))) {
    print(
      `Port ${String(options.port)} of 127.0.0.1 is in use, perhaps by another demo or an installed daemon.\n` +
        `End that program, or use another port: ridethrough demo --port ${String(options.port + 1)}`,
    );
    return exitCode.failed;
  }
  const directory = mkdtempSync(join(tmpdir(), 'ridethrough-demo-'));
  const started: DemoChild[] = [];
  try {
    // Workers may run as other users and must reach the control socket.
    chmodSync(directory, 0o711);
    const { code, why } = await show(options, directory, started);
    if (why !== undefined) print(why);
    return code;
  } finally {
    // The daemon first, so that it does not see its UPS disappear.
    for (const child of started.reverse()) await child.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts everything and waits for the first reason to end. */
async function show(options: DemoOptions, directory: string, started: DemoChild[]): Promise<Ending> {
  const { port, speed } = options;
  const stopped = stopRequested();
  const simulator = await startSimulator(speed, (line) => print(`UPS | ${line}`));
  if (simulator === undefined) return failureOf('The simulated UPS did not start. Its message is above.');
  started.push(simulator.child);
  const file = join(directory, 'config.toml');
  const text = demoConfiguration({ directory, upsdPort: simulator.port, apiPort: port, speed });
  writeFileSync(file, text, { mode: 0o600 });
  const refusal = await refusalOf(file);
  if (refusal !== undefined) return failureOf(`${refusal}.`);
  const daemon = startChild({
    program: 'ridethrough.js',
    args: ['run', '--config', file],
    stdio: ['ignore', 'inherit', 'inherit'],
    killAfterMs: daemonKillAfterMs,
  });
  started.push(daemon);
  const ending = Promise.race([
    stopped,
    daemon.ended.then((code) => ({ code })),
    simulator.child.ended.then(() => failureOf('The simulated UPS ended unexpectedly.')),
  ]);
  const address = await Promise.race([listens(inDirectory(join(directory, 'run'))), ending]);
  if (typeof address === 'object' && address !== null) return address;
  if (address === null)
    return failureOf(`The daemon did not listen on port ${String(port)} within ${String(startMs / 1000)} s.`);
  print(welcome(`http://${address}`, file));
  return Promise.race([ending, play(simulator, options)]);
}

/** Plays the scenario of the options, then those the user types. With `once` it resolves at the end of a scenario. */
function play(simulator: Simulator, { scenario, speed, once }: DemoOptions): Promise<Ending> {
  return new Promise((resolve) => {
    let end: NodeJS.Timeout | undefined;
    const start = (name: ScenarioName): void => {
      simulator.play(name);
      clearTimeout(end);
      if (once)
        end = setTimeout(
          () => resolve({ code: exitCode.fine }),
          (1000 * scenarios[name].lengthSeconds) / speed,
        );
    };
    start(scenario);
    createInterface({ input: process.stdin }).on('line', (line) => {
      const word = line.trim();
      if (isScenarioName(word)) start(word);
      else if (word !== '') print(`There is no scenario "${word.slice(0, 40)}". ${choices}`);
    });
  });
}

const choices = `Type ${scenarioNames.slice(0, -1).join(', ')} or ${scenarioNames.at(-1) ?? ''}, and Enter.`;

function welcome(url: string, file: string): string {
  const program = `node ${relative(process.cwd(), process.argv[1] ?? '')}`;
  return `
Ridethrough monitors a simulated UPS. This is a dry run: nothing on this machine is ever shut down.

  Look at it            ${url}/
  In another terminal   ${program} status --config ${file}
  Other scenarios       ${choices}
  End                   Ctrl-C
`;
}

/** Resolves at the first of Ctrl-C, SIGTERM, a closed terminal, or a closed standard output. */
function stopRequested(): Promise<Ending> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => resolve({ code: exitCode.fine }));
    process.stdout.on('error', () => resolve({ code: exitCode.fine }));
  });
}

/** Where the API listens; null if it does not within `startMs`. */
async function listens(controlSocket: string): Promise<string | null> {
  for (const end = performance.now() + startMs; performance.now() < end; await pause(100)) {
    const told = await requestDaemon(controlSocket, 'address', AddressBody, {
      method: 'GET',
      withinMs: 1000,
    });
    if (told.ok && told.value.address !== null) return told.value.address;
  }
  return null;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port }, () => server.close(() => resolve(true)));
  });
}

function optionsOf(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: { type: 'string', default: 'outage' },
      port: { type: 'string', default: '9191' },
      speed: { type: 'string', default: defaultSpeed },
      once: { type: 'boolean', default: false },
    },
  });
  const { scenario, once } = values;
  if (!isScenarioName(scenario))
    throw new UsageError(`there is no scenario "${scenario}"; there are ${scenarioNames.join(', ')}`);
  return {
    scenario,
    once,
    port: number('port', values.port, 0, 65535),
    speed: number('speed', values.speed, 1, 1000),
  };
}

function number(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    throw new UsageError(`--${option} expects a number from ${String(min)} to ${String(max)}, not "${text}"`);
  return value;
}

function failureOf(why: string): Ending {
  return { code: exitCode.failed, why };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
