// The simulated upsd of the demo as a child process: its port, its scenario, its output.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ScenarioName } from '../../simulated-upsd/scenarios.js';
import type { DemoChild } from './child.js';
import { startChild } from './child.js';
import { demoUps } from './configuration.js';

/** It has only sockets to close. */
const killAfterMs = 2_000;

export interface Simulator {
  readonly child: DemoChild;
  readonly port: number;
  play(name: ScenarioName): void;
}

/** Undefined when it ends before it listens; its message is on standard error. */
export async function startSimulator(
  speed: number,
  say: (line: string) => void,
): Promise<Simulator | undefined> {
  const child = startChild({
    program: 'simulated-upsd/main.js',
    args: ['--ups', demoUps, '--speed', String(speed)],
    stdio: ['pipe', 'pipe', 'inherit'],
    killAfterMs,
  });
  const { stdin, stdout } = child.process;
  if (stdin === null || stdout === null) throw new Error('a child with pipes has none');
  // Writing to an ended simulator fails; `ended` reports the end.
  stdin.on('error', () => undefined);
  const lines = createInterface({ input: stdout });
  const first = once(lines, 'line') as Promise<[string]>;
  const [line] = await Promise.race([first, child.ended.then(() => [''])]);
  const [, port] = /^listening on 127\.0\.0\.1:(\d+)$/.exec(line) ?? [];
  if (port === undefined) {
    await child.end();
    return undefined;
  }
  lines.on('line', say);
  return { child, port: Number(port), play: (name) => void stdin.write(`${name}\n`) };
}
