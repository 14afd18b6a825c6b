// Runs the real command line as a program.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../../scripts/commands/catalogue.js';
import { dispatch } from '../../../scripts/commands/dispatch.js';

export const program = fileURLToPath(new URL('../../../scripts/ridethrough.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `ridethrough ARGS` with `input` as its whole standard input. */
export function ridethrough(args: readonly string[], input = ''): Promise<Ran> {
  return ran(process.execPath, [program, ...args], input);
}

/** The same in this process, for wrong usage: it is refused before anything is read, and needs no process to show it. */
export async function dispatched(args: readonly string[]): Promise<Ran> {
  let [out, err] = ['', ''];
  const code = await dispatch(args, catalogue, {
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

export function ran(file: string, args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'pipe' });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    // It may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}
