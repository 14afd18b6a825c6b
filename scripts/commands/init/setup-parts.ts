// From what was found and answered to a setup: parses names and servers, and says what is wrong with them.
import type { SetupServer, SetupUps } from '../../../shared/domain/setup/setup.js';
import { remoteServerKeys } from '../../../supervisor/config/schema/remote-server.js';
import { notesOf } from './found-text.js';
import type { FoundUps } from './search.js';

/** The user name and password of a NUT server, and where the configuration finds the password. */
export interface ServerLogin {
  readonly username: string;
  readonly passwordFile: string;
}

export function setupUps(name: string, found: FoundUps | undefined, login: ServerLogin | null): SetupUps {
  return {
    name,
    displayName: found?.description ?? '',
    isRead: found?.look.ok === true,
    notes: notesOf(found),
    login,
  };
}

/** USER@HOST[:PORT]. */
export function parseLogin(text: string): Pick<SetupServer, 'user' | 'host' | 'port'> | undefined {
  const at = text.lastIndexOf('@');
  const [, bracketed, plain = '', digits = '22'] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text.slice(at + 1)) ?? [];
  const [user, host, port] = [text.slice(0, Math.max(0, at)), bracketed ?? plain, Number(digits)];
  const { user: userKey, host: hostKey, port: portKey } = remoteServerKeys;
  return userKey.codec.is(user) && hostKey.codec.is(host) && portKey.codec.is(port)
    ? { user, host, port }
    : undefined;
}

/** NAME=USER@HOST[:PORT]. */
export function parseNamedServer(text: string): SetupServer | undefined {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  const login = parseLogin(text.slice(at + 1));
  return login !== undefined && remoteServerKeys.name.codec.is(name)
    ? { name, ...login, command: '' }
    : undefined;
}
