// An ssh line of a script as the table that a remote server has here.
import type { Remote } from './shell/verdict.js';

/** Letters that no secret needs quotes for; a command with others is not shown. */
const plain = /^[\w ./:+-]{1,200}$/;

export function remoteServerRow({ host, user, command }: Remote): string {
  const keys: readonly (readonly [string, string])[] = [
    ['name', host],
    ['host', host],
    ['user', user === '' ? 'root' : user],
    ...(plain.test(command) ? [['shutdown_command', command] as const] : []),
  ];
  return `[[remote_servers]] ${keys.map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(', ')}`;
}
