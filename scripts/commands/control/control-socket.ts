// Requests of the command line to the running daemon: HTTP over the control socket. Explains why the socket cannot be reached.
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { isInstanceLocked } from '../../../shared/runtime/instance-lock.js';
import { decode } from '../../../shared/domain/base/decode.js';
import { ErrorBody } from '../../../shared/http/errors.js';
import type * as t from 'io-ts';
import { defaultConfigPath, withoutConfiguration } from '../usage.js';

/** The API waits at most 2 s for the supervisor; without an answer by then the daemon hangs or restarts. */
const answerMs = 5_000;
/** A few hundred UPSes are a few hundred KiB. */
const maxBytes = 20 * 1024 * 1024;
/** `supervisor.runtime_directory` when the configuration cannot be read. */
const defaultDirectory = '/run/ridethrough';

export type DaemonReply<A> =
  | { readonly ok: true; readonly value: A; readonly text: string }
  /** `message`: the failure, its consequence and the remedy. */
  | {
      readonly ok: false;
      readonly message: string;
      /** Of the answer (specification/api.md#error-codes). */
      readonly code?: string;
      readonly details?: unknown;
      /** Nothing listens on the socket, and no daemon is known to run. */
      readonly notRunning?: true;
    };

export type SocketPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: number; readonly message: string };

/**
 * The path of the control socket by the configuration; the default path when the default file cannot be read. Members of the
 * socket's group may not read that file, and it may be invalid during an edit; the daemon runs anyway.
 */
async function controlSocketPath(configPath: string): Promise<SocketPath> {
  const loaded = await readConfiguration(configPath);
  if (loaded.ok) return { ok: true, path: inDirectory(loaded.configuration.supervisor.runtimeDirectory) };
  if (configPath === defaultConfigPath) return { ok: true, path: inDirectory(defaultDirectory) };
  const problems = loaded.problems.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  return { ok: false, code: withoutConfiguration(loaded), message: problems.join('\n') };
}

/** The socket by the options of a command: `--socket`, else by the configuration. */
export function socketOf(values: { readonly socket?: string; readonly config: string }): Promise<SocketPath> {
  if (values.socket === undefined) return controlSocketPath(values.config);
  return Promise.resolve({ ok: true, path: values.socket });
}

export function inDirectory(directory: string): string {
  return join(directory, 'control.sock');
}

export interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly withinMs: number;
  /** JSON. */
  readonly body?: string;
}

/** Requests one resource, `status` or `explain?ups=office`. A 503 with a body for `codec` is an answer too. */
export async function requestDaemon<C extends t.Mixed>(
  socketPath: string,
  what: string,
  codec: C,
  options: RequestOptions = { method: 'GET', withinMs: answerMs },
): Promise<DaemonReply<t.TypeOf<C>>> {
  const answered = await got(socketPath, `/control/v1/${what}`, options);
  if (!answered.ok) return answered;
  const body = parseJson(answered.text);
  const decoded = decode(codec, body);
  if (decoded.ok) return { ok: true, value: decoded.value as t.TypeOf<C>, text: answered.text };
  const refused = decode(ErrorBody, body);
  if (refused.ok) {
    const { message, ...error } = refused.value.error;
    return {
      ok: false,
      ...error,
      message: message.replace('GET /api/v1/ups lists', '`ridethrough status` lists'),
    };
  }
  return {
    ok: false,
    message: `The daemon sent an answer that this program does not understand. The daemon may run another version: restart it.`,
  };
}

/** Requests one resource that is not JSON, as text. */
export async function requestText(socketPath: string, what: string): Promise<DaemonReply<string>> {
  const read = await requestBytes(socketPath, what, answerMs);
  return read.ok ? { ...read, value: read.text } : read;
}

/** Requests one resource that is not text either. */
export async function requestBytes(
  socketPath: string,
  what: string,
  withinMs: number,
): Promise<DaemonReply<Buffer>> {
  const answered = await got(socketPath, `/control/v1/${what}`, { method: 'GET', withinMs });
  if (!answered.ok) return answered;
  if (answered.status === 200) return { ok: true, value: answered.bytes, text: answered.text };
  const refused = decode(ErrorBody, parseJson(answered.text));
  return refused.ok
    ? { ok: false, ...refused.value.error }
    : { ok: false, message: `The daemon answered with status ${String(answered.status)}.` };
}

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No codec accepts undefined, so the caller reports it.
    return undefined;
  }
}

function got(
  socketPath: string,
  path: string,
  { method, withinMs, body }: RequestOptions,
): Promise<
  | { ok: true; status: number; text: string; bytes: Buffer }
  | { ok: false; message: string; notRunning?: true }
> {
  return new Promise((resolve) => {
    const fail = (message: string): void => {
      outgoing.destroy();
      resolve({ ok: false, message });
    };
    const outgoing = request({ socketPath, path, method, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) fail('The answer of the daemon does not end. Restart the daemon.');
        else chunks.push(chunk);
      });
      incoming.once('end', () => {
        const all = Buffer.concat(chunks);
        resolve({ ok: true, status: incoming.statusCode ?? 0, text: all.toString('utf8'), bytes: all });
      });
      incoming.once('error', (error) => fail(failureText(error, socketPath)));
    });
    const timer = setTimeout(
      () =>
        fail(
          `The daemon does not answer on ${socketPath} within ${String(withinMs / 1000)} s. Its API may be restarting: try again. If it still does not answer, see the log of the daemon.`,
        ),
      withinMs,
    );
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.once('error', (error) => {
      const isAlive = isNobody(error) ? daemonIsAlive(socketPath) : true;
      const message = failureText(error, socketPath, isAlive);
      if (isAlive === true) fail(message);
      else resolve({ ok: false, message, notRunning: true });
    });
    outgoing.end(body);
  });
}

/** The reason of an unreachable daemon, and the remedy. */
export function failureText(
  error: NodeJS.ErrnoException,
  socketPath: string,
  isAlive = isNobody(error) ? daemonIsAlive(socketPath) : true,
): string {
  const { code, message } = error;
  if (isNobody(error)) return nobodyText(socketPath, isAlive);
  if (code === 'EACCES')
    return `This user may not connect to ${socketPath}. Use sudo, or add the user to the group ridethrough-admin and log in again.`;
  return `The request to ${socketPath} failed: ${message}. The daemon may be restarting: try again.`;
}

function nobodyText(socketPath: string, isAlive: boolean | null): string {
  if (isAlive === false)
    return `The daemon is not running: nothing listens on ${socketPath}. Nothing is monitored or shut down. Start it with: systemctl start ridethrough (or, without systemd: ridethrough run).`;
  if (isAlive === null)
    return `The daemon is not running, or its API is being restarted: nothing listens on ${socketPath}. See: systemctl status ridethrough`;
  return `The daemon runs, but its API does not: nothing listens on ${socketPath}. Monitoring and shutdown do not need it. It is being restarted: try again. If it still does not answer, see the log of the daemon.`;
}

/** The daemon locks its part of the runtime directory; null where this user cannot know. */
function daemonIsAlive(socketPath: string): boolean | null {
  return isInstanceLocked(join(dirname(socketPath), 'supervisor'));
}

function isNobody({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}
