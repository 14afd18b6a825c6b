// An ssh line of a script as the table that a remote server has here.
import type { Remote } from './shell/verdict.js';

/** Letters that no secret needs quotes for; a command with others is not shown. */
const plain = /^[\w ./:+-]{1,200}$/;
/** Options that have one; `shutdown -p now` has none. */
const withSecret = /(?:^|\s)(?:-p(?!\s+(?:now|\+?\d))|--?(?:pass|user|token|secret|key))/i;

export function remoteServerRow({ host, user, port, key, command }: Remote): string {
  const keys: readonly (readonly [string, string | number])[] = [
    ['name', host],
    ['host', host],
    ['user', user === '' ? 'root' : user],
    ...(/^\d{1,5}$/.test(port) ? [['port', Number(port)] as const] : []),
    ...(key.startsWith('/') && plain.test(key) ? [['ssh_key_path', key] as const] : []),
    ...(plain.test(command) && !withSecret.test(command) ? [['shutdown_command', command] as const] : []),
  ];
  return `[[remote_servers]] ${keys.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ')}`;
}
