// Reads the configuration in a child process, within a timeout. The supervisor never opens the file: a file on a dead file
// system would block it, and it must not load the parser.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import { launchCommand } from '../../host/launcher.js';
import type { Configuration, Loaded } from '../configuration/configuration.js';

export type { Loaded } from '../configuration/configuration.js';

/** A file of 1 MiB takes 0.5 s to check, and a starved machine many times that (specification/configuration.md#file). */
const defaultTimeoutMs = 30_000;
/** A configuration with its certificates has at most a few MiB. */
const maxOutputBytes = 16 * 1_048_576;
const maxErrorBytes = 4096;
const setpriv = '/usr/bin/setpriv';

export interface ReadOptions {
  readonly timeoutMs?: number;
  /** False: check the file as if users existed, for the commands that create them. */
  readonly usersMatter?: boolean;
  /** Another reader program, for tests. */
  readonly reader?: string;
}

/** Reads and checks the file at `path`. Never rejects: every failure is a problem in the result. */
export function readConfiguration(path: string, options: ReadOptions = {}): Promise<Loaded> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const reader = options.reader ?? fileURLToPath(new URL('./reader.js', import.meta.url));
  const line = [
    process.execPath,
    reader,
    resolve(path),
    ...(options.usersMatter === false ? ['without-users'] : []),
  ];
  // The child must not outlive a killed supervisor.
  const { file, args } = launchCommand(
    existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', ...line] : line,
  );
  return new Promise((settle) => {
    let child: ChildProcess;
    try {
      child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      // ENOMEM and similar are thrown; ENOENT and similar come as 'error'.
      settle(startFailure(error));
      return;
    }
    const output: Buffer[] = [];
    let length = 0;
    let errors = '';
    let done = false;
    const finish = (loaded: Loaded): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      child.kill('SIGKILL');
      // A child in uninterruptible sleep does not end; it must not keep this process alive.
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      settle(loaded);
    };
    const timer = setTimeout(() => {
      finish(
        unread(
          `${path} could not be read within ${String(timeoutMs / 1000)} s: ` +
            "a file system or a secret's file does not answer, or this machine has no processor time",
        ),
      );
    }, timeoutMs);
    // Without free file descriptors there is no process and no pipe.
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutputBytes) finish(failure(`${path} gives a configuration that is too large`));
      else output.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errors.length < maxErrorBytes) errors += chunk.toString('utf8');
    });
    child.on('error', (error) => finish(startFailure(error)));
    child.on('close', (code, signal) => {
      finish(
        parseAnswer(Buffer.concat(output).toString('utf8')) ?? readerFailure(path, code, signal, errors),
      );
    });
  });
}

const failure = (message: string) => ({
  ok: false as const,
  problems: [{ path: '', message }],
  warnings: [],
});

const unread = (message: string): Loaded => ({ ...failure(message), isUnread: true });

const startFailure = (error: unknown): Loaded =>
  unread(`the configuration reader could not be started: ${errorMessage(error)}`);

function readerFailure(path: string, code: number | null, signal: string | null, errors: string): Loaded {
  const end = signal === null ? `exit code ${String(code)}` : `signal ${signal}`;
  const cause = /^\w*Error.*$/m.exec(errors)?.[0].slice(0, 300);
  return unread(
    `the program that reads ${path} ended without an answer (${end}${cause === undefined ? '' : `, ${cause}`}); ` +
      'unless this machine is short of memory this is a bug in ridethrough, please report it',
  );
}

/** Undefined when `text` is not an answer. The reader is of the same build, so its shape is not validated further. */
function parseAnswer(text: string): Loaded | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    // The reader died while it wrote.
    return undefined;
  }
  if (typeof answer !== 'object' || answer === null || !('ok' in answer)) return undefined;
  if (answer.ok === true && 'configuration' in answer) {
    return { ok: true, configuration: answer.configuration as Configuration };
  }
  return answer.ok === false && 'problems' in answer ? (answer as Loaded) : undefined;
}
