// [logging]: format, level and destinations of the log.
import { converted, key, onOff, orNone, table, word } from '../../../shared/domain/base/keys.js';
import { LogLevel } from '../../../shared/domain/status/log-record.js';
import { absolutePath, absolutePathOrNone, host, textThat } from './values.js';

/** RFC 3164, section 4.1.1, by the names of syslog(3). */
const facilities = [
  ...([
    'kern',
    'user',
    'mail',
    'daemon',
    'auth',
    'syslog',
    'lpr',
    'news',
    'uucp',
    'cron',
    'authpriv',
  ] as const),
  ...(['ftp', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'] as const),
] as const;

const address = textThat('the path of a socket such as "/dev/log", or "host:port" (UDP)', (text) => {
  if (absolutePath.is(text)) return true;
  const match = /^(.+):(\d{1,5})$/.exec(text);
  if (match === null) return false;
  const number = Number(match[2]);
  return host.is((match[1] ?? '').replace(/^\[(.*)\]$/, '$1')) && number >= 1 && number <= 65535;
});

export const loggingKeys = {
  format: word(['text', 'json'], 'text'),
  level: key(LogLevel, 'info'),
  file: converted(key(absolutePathOrNone, ''), orNone),
  syslog: table({
    enabled: onOff(false),
    address: key(address, '/dev/log'),
    facility: word(facilities, 'daemon'),
  }),
};
