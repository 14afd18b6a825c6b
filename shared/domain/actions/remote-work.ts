// All work on one server over one connection, as a plan orders it from the remote worker.
import * as t from 'io-ts';
import { finite, integerFrom, oneOf, orNull } from '../base/units.js';
import { withSudo } from '../commands/with-sudo.js';
import { serverActionNames } from './on-servers.js';
import { parameters } from './server-action.js';

/** An action on a remote server before its final command: predefined (on-servers.ts has them), or the operator's text. */
export const PreShutdownAction = t.readonly(
  t.type({
    action: oneOf('command', ...serverActionNames),
    /** The operator's text; null for a predefined action. */
    command: orNull(t.string),
    ...parameters,
    timeoutSeconds: finite,
  }),
  'PreShutdownAction',
);
export type PreShutdownAction = t.TypeOf<typeof PreShutdownAction>;

/** All work on one server over one connection. The settings of the remote worker have the login of `server`. */
export const RemoteWork = t.readonly(
  t.type({
    server: t.string,
    host: t.string,
    port: integerFrom(1, 65535),
    user: t.string,
    useSudo: t.boolean,
    connectTimeoutSeconds: finite,
    actions: t.readonlyArray(PreShutdownAction),
    /** The final command as configured; null where a phase of a delegate has none. */
    final: orNull(t.string),
    /** Reserved for the final command at the end of the step's budget. */
    commandTimeoutSeconds: finite,
  }),
  'RemoteWork',
);
export type RemoteWork = t.TypeOf<typeof RemoteWork>;

/** The commands of the server, in order: predefined actions by name, commands as they are run, the final command last. */
export function remoteCommands({ actions, final, useSudo }: RemoteWork): readonly string[] {
  const before = actions.map(({ action, command, projects, mounts, runtime, uri }) => {
    if (command !== null) return withSudo(command, useSudo);
    const paths = [...projects, ...mounts].map(({ path }) => path);
    const about = [runtime === 'auto' ? null : runtime, uri, ...paths];
    return [action, ...about.filter((word) => word !== null)].join(' ');
  });
  return final === null ? before : [...before, withSudo(final, useSudo)];
}

export function loginOf({ user, host, port }: RemoteWork): string {
  return `${user}@${host}${port === 22 ? '' : `:${String(port)}`}`;
}

export const workWords = (work: RemoteWork): string =>
  `log in to ${loginOf(work)} and run: ${remoteCommands(work).join('; ')}`;
