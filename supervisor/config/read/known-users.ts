// Whether there is a user who could log in, for the one rule that needs to know it. Runs only in the reader process; the
// database is opened by a child with the API worker's code and account. Never fails: what cannot be seen is `unknown`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { launchCommand } from '../../host/launcher.js';
import { readAccounts } from '../../host/accounts.js';
import { workerCommandLine, workerEnvironment } from '../../supervision/worker-command.js';
import type { ConfigFile } from '../schema/file.js';
import { fileKeys } from '../schema/file.js';
import { withDefaults } from '../schema/key.js';

export type KnownUsers =
  | { readonly kind: 'some' }
  | { readonly kind: 'none'; readonly database: string }
  /** Nobody needed to know, or nobody looked. */
  | { readonly kind: 'unasked' }
  /** The file is there and does not tell: authentication counts as on (fail closed). */
  | { readonly kind: 'unknown'; readonly why: string };

/** The question for users: which file, and whose it is. */
export interface UsersQuery {
  readonly database: string;
  readonly user: string;
}

export type LookForUsers = (question: UsersQuery) => Promise<KnownUsers>;

/** The database gives up after 2.5 s by itself; the rest is for a busy machine. Well below what the reader is given. */
const answerMs = 5_000;
/** It opens one small file. */
const heapLimitMb = 64;
/** The answer is one line. */
const maxOutputBytes = 4096;

const program = fileURLToPath(
  new URL('../../../workers/api/auth/auth-store/look-for-users.js', import.meta.url),
);

/** Undefined when nothing in the file depends on users: control is off, or authentication is set by hand. */
export function usersQuery(file: ConfigFile): UsersQuery | undefined {
  const { api, nut_control: control, supervisor } = withDefaults(fileKeys, file);
  if (!control.enabled || api.auth.enabled !== null) return undefined;
  return { database: api.auth.db_path, user: supervisor.worker_users.api };
}

/** Settles within `deadlineMs`, whatever the file system does. */
export function lookForUsers(
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
      // ENOMEM and its like are thrown; ENOENT and its like are told by 'error'.
      settle(checkFailed(database, error));
      return;
    }
    const started = child;
    const { stdout } = started;
    let output = '';
    const finish = (known: KnownUsers): void => {
      clearTimeout(timer);
      started.kill('SIGKILL');
      // One in uninterruptible sleep does not end: nothing of it may keep this process.
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
  unknown(`nobody could look into ${database}: ${error instanceof Error ? error.message : String(error)}`);

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
    // It died in the middle of its line.
    return null;
  }
}
