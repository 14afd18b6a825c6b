// Determines whether a user exists who could log in, for the one rule that needs it. Runs only in the reader process; a child
// with the API worker's code and account opens the database. Never fails: without an answer the result is `unknown`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import { launchCommand } from '../../host/launcher.js';
import { readAccounts } from '../../host/accounts.js';
import { workerCommandLine, workerEnvironment } from '../../supervision/worker-command.js';
import type { KnownUsers } from '../check/nut.js';
import type { ConfigFile } from '../schema/file.js';
import { fileKeys } from '../schema/file.js';
import { withDefaults } from '../../../shared/domain/base/keys.js';

/** The database, and the account that owns it. */
export interface UsersQuery {
  readonly database: string;
  readonly user: string;
}

export type FindUsers = (question: UsersQuery) => Promise<KnownUsers>;

/** SQLite stops waiting after 2.5 s; the rest is for a busy machine. Well below the timeout of the reader. */
const answerMs = 5_000;
/** The child opens one small file. */
const heapLimitMb = 64;
/** The answer is one line. */
const maxOutputBytes = 4096;

const program = fileURLToPath(new URL('../../../workers/api/auth/auth-store/has-users.js', import.meta.url));

/** Undefined when nothing in the file depends on users: control is off, or `api.auth.enabled` is set. */
export function usersQuery(file: ConfigFile): UsersQuery | undefined {
  const { api, nut_control: control, supervisor } = withDefaults(fileKeys, file);
  if (!control.enabled || api.auth.enabled !== null) return undefined;
  return { database: api.auth.db_path, user: supervisor.worker_users.api };
}

/** Settles within `deadlineMs`, even if the file system hangs. */
export function findUsers(
  { database, user }: UsersQuery,
  deadlineMs = answerMs,
  entry = program,
): Promise<KnownUsers> {
  const account = process.getuid?.() === 0 ? (readAccounts().get(user) ?? null) : null;
  const line = workerCommandLine({ entry, heapLimitMb, account, nodePath: process.execPath });
  const { file, args } = launchCommand([...line, database]);
  return new Promise((settle) => {
    let child;
    try {
      child = spawn(file, args, {
        cwd: '/',
        env: workerEnvironment(process.env, process.pid),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch (error) {
      // ENOMEM and similar are thrown; ENOENT and similar come as 'error'.
      settle(checkFailed(database, error));
      return;
    }
    const started = child;
    const { stdout } = started;
    let output = '';
    const finish = (known: KnownUsers): void => {
      clearTimeout(timer);
      started.kill('SIGKILL');
      // A child in uninterruptible sleep does not end; it must not keep this process alive.
      stdout.destroy();
      started.unref();
      settle(known);
    };
    const timer = setTimeout(
      () => finish(unknown(`${database} does not answer within ${String(deadlineMs / 1000)} s`)),
      deadlineMs,
    );
    stdout.on('data', (chunk: Buffer) => {
      if (output.length < maxOutputBytes) output += chunk.toString('utf8');
    });
    started.on('error', (error) => finish(checkFailed(database, error)));
    started.on('close', () => finish(knownFrom(output, database)));
  });
}

const unknown = (why: string): KnownUsers => ({ kind: 'unknown', why });

const checkFailed = (database: string, error: unknown): KnownUsers =>
  unknown(`${database} could not be read: ${errorMessage(error)}`);

function knownFrom(output: string, database: string): KnownUsers {
  const answer = answerIn(output);
  if (typeof answer === 'object' && answer !== null) {
    if ('users' in answer && answer.users === true) return { kind: 'some' };
    if ('users' in answer && answer.users === false) return { kind: 'none', database };
    if ('unknown' in answer && typeof answer.unknown === 'string') return unknown(answer.unknown);
  }
  return unknown(`the program that looks into ${database} ended without an answer`);
}

function answerIn(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    // The child died while it wrote its line.
    return null;
  }
}
