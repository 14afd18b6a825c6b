// `ridethrough reload`: the running daemon reads its configuration again; prints the changes, or the problems.
import { parseArgs } from 'node:util';
import * as t from 'io-ts';
import { decode } from '../../../shared/domain/base/decode.js';
import { ReloadReport } from '../../../shared/protocol/api.js';
import { requestDaemon, socketOf } from './control-socket.js';
import { complain, daemonOptions, exitCode, withoutConfiguration } from '../usage.js';

/** Reading the file takes at most 30 s, and another reload may run first. */
const answerMs = 65_000;

/** The details of RELOAD_REJECTED. */
const Rejection = t.intersection([
  t.type({ errors: t.readonlyArray(t.type({ path: t.string, message: t.string })) }),
  t.partial({ isUnread: t.literal(true) }),
]);

/** Returns the exit code: 0 when the file is in force, 78 when it is invalid, 75 when nobody could read it, 1 when the request fails. */
export async function reload(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: daemonOptions,
  });
  const socket = await socketOf(values);
  if (!socket.ok)
    return complain(
      'reload',
      `${socket.message}\nTo use the control socket without this file: --socket PATH`,
      socket.code,
    );
  const reply = await requestDaemon(socket.path, 'reload', ReloadReport, {
    method: 'POST',
    withinMs: answerMs,
  });
  if (reply.ok) {
    process.stdout.write(values.json ? `${reply.text}\n` : report(reply.value));
    return exitCode.fine;
  }
  const rejection = decode(Rejection, reply.details);
  if (!rejection.ok) return complain('reload', reply.message);
  const { errors } = rejection.value;
  if (values.json) process.stdout.write(`${JSON.stringify(rejection.value)}\n`);
  const lines = errors.map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`);
  return complain('reload', [reply.message, ...lines].join('\n'), withoutConfiguration(rejection.value));
}

function report({ applied, restartedWorkers, restartRequired }: ReloadReport): string {
  const list = (paths: readonly string[]) => paths.map((path) => `  ${path}\n`).join('');
  const changed = applied.length === 0 ? 'Nothing changed.\n' : `Applied:\n${list(applied)}`;
  const started = restartedWorkers.length === 0 ? '' : `Workers restarted:\n${list(restartedWorkers)}`;
  if (restartRequired.length === 0) return `${changed}${started}`;
  return `${changed}${started}Needs a restart of the daemon (systemctl restart ridethrough):\n${list(restartRequired)}`;
}
