// Runs one of NUT's programs: no shell, in its own process group, which the deadline kills; output bounded.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Deadline } from '../wire/deadline.js';
import type { NutAnswer } from '../wire/errors.js';
import { answerOf, failureOf } from '../wire/errors.js';
import type { Printed } from './tool-output.js';

/** The limit of an answer over the network. */
const maxOutputBytes = 1_048_576;

export interface ToolRun extends Printed {
  readonly exitCode: number | null;
}

/**
 * Runs `program` from PATH with `input` on its standard input. Returns its output, whatever its exit code. It ends with the
 * thread that started it (setpriv --pdeathsig): upsc up to NUT 2.8.2 waits without limit for a hung server.
 */
export function runTool(
  program: string,
  args: readonly string[],
  input: string,
  deadline: Deadline,
  killers: Set<() => void>,
): Promise<NutAnswer<ToolRun>> {
  const path = findProgram(program);
  if (path === undefined)
    return Promise.resolve(
      failureOf('TOOL_MISSING', `${program} is not in PATH: install nut-client, or use transport "network"`),
    );
  return new Promise((resolve) => {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', path, ...args], {
      detached: true,
      stdio: 'pipe',
      // LC_ALL: its messages are compared. It gets no other variable of the environment.
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    });
    let bytes = 0;
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    const end = (answer: NutAnswer<ToolRun>): void => {
      clearTimeout(timer);
      killers.delete(kill);
      if (!answer.ok) killGroup(child.pid);
      // Does not wait for a grandchild outside the group, which may still hold the pipes.
      for (const stream of child.stdio) stream?.destroy();
      resolve(answer);
    };
    const kill = (): void => end(failureOf('SERVER_DOWN', `the daemon ended ${program}`));
    const timer = setTimeout(
      () => end(failureOf('TIMEOUT', `${program} did not end within ${String(deadline.totalMs)} ms`)),
      deadline.remainingMs,
    );
    killers.add(kill);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxOutputBytes) output[name].push(chunk);
        else end(failureOf('PROTOCOL_ERROR', `${program} printed more than ${String(maxOutputBytes)} bytes`));
      });
    }
    child.on('error', (error) =>
      end(failureOf('TOOL_MISSING', `${program} could not be started: ${error.message}`)),
    );
    child.on('close', (exitCode) =>
      end(answerOf({ exitCode, stdout: Buffer.concat(output.stdout), stderr: Buffer.concat(output.stderr) })),
    );
    // A program that ends without reading closes the pipe: its exit code and output have the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the group has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Searches each time, so that it finds a newly installed program. */
function findProgram(program: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not in this folder or not executable: the next folder may have it, else TOOL_MISSING.
    }
  }
  return undefined;
}
