// One job as a group of processes: what it tells, what it prints, and its end.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunJob } from './jobs.js';
import type { TestMessage } from './messages.js';
import { tree } from './times.js';

/** Without news for this long it hangs: mocha ends a single test after 10 minutes, some of the simulation after an hour. */
const hangMs = 65 * 60_000;
/** Of what it prints, in characters. */
const keptOutput = 100_000;

export interface Ended {
  /** How it ended, where that was not with 0. */
  readonly problem: string | null;
  readonly output: string;
}

export function runJob(
  job: RunJob,
  env: NodeJS.ProcessEnv,
  onMessage: (message: TestMessage) => void,
  aborted: AbortSignal,
): Promise<Ended> {
  const [command, ...args] =
    job.kind === 'check'
      ? (['npm', 'run', '--silent', job.script] as const)
      : ([nodeFor(job.files), fileURLToPath(new URL('files.js', import.meta.url)), ...job.files] as const);
  const child = spawn(command, args, {
    cwd: tree,
    env,
    // A group of its own, to be ended as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(job.kind === 'tests' ? (['ipc'] as const) : [])],
  });
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
  };
  let output = '';
  const keep = (chunk: string) => (output = (output + chunk).slice(-keptOutput));
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep);
  let hung = false;
  const hang = setTimeout(() => {
    hung = true;
    end();
  }, hangMs);
  child.on('message', (message: TestMessage) => {
    hang.refresh();
    onMessage(message);
  });
  aborted.addEventListener('abort', end);
  return new Promise((resolve) => {
    let problem: string | null = null;
    const settle = () => {
      clearTimeout(hang);
      aborted.removeEventListener('abort', end);
      resolve({ problem: hung ? `it did nothing for ${String(hangMs / 60_000)} minutes` : problem, output });
    };
    child.once('error', (error) => {
      problem = error.message;
      settle();
    });
    child.once('exit', (code, signal) => {
      if (code !== 0) problem = `it ended with ${String(signal ?? code)}`;
      // What it has left behind may hold its output open; what has left the group holds it no longer than this.
      end();
      setTimeout(settle, 2_000).unref();
    });
    child.once('close', settle);
  });
}

/** The simulation takes half the time on the newest release, where scripts/test.sh has fetched it. All else runs on this node. */
function nodeFor(files: readonly string[]): string {
  const folder = join(tree, 'node_modules/.cache/ridethrough-tools/node');
  if (!/\/(simulation|mutation)\//.test(files[0] ?? '') || !existsSync(folder)) return process.execPath;
  const [newest] = readdirSync(folder)
    .map((name) => join(folder, name, 'bin/node'))
    .filter((file) => existsSync(file));
  return newest ?? process.execPath;
}
