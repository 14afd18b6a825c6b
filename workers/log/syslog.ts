// The syslog form: RFC 3164, at most 1024 bytes a message, always text (a JSON object cut at 1024 bytes would be invalid).
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import { severity, textBody } from './text.js';
import { dateOf } from './time.js';

/** RFC 3164 section 4.1.1: the number of a facility is its index. */
const facilities = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp'],
  ...['ntp', 'audit', 'alert', 'clock'],
  ...['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
];

/** RFC 3164 section 4.1: the longest packet. */
const packetBytes = 1024;
const tag = 'ridethrough';
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The number of a facility; undefined for an unknown name. */
export function facilityNumber(name: string): number | undefined {
  const number = facilities.indexOf(name);
  return number < 0 ? undefined : number;
}

/**
 * Arguments of util-linux `logger` that make it add time and tag to `prioritisedLine`s and send them to the socket at
 * `path`. The tag names the daemon's process: with `--id`, root's logger also claims that PID in the credentials of its
 * packets, which the kernel refuses (EPERM) where root has no capabilities.
 */
export function loggerArguments(path: string, pid: number): string[] {
  return [
    ...['--prio-prefix', '--tag', `${tag}[${String(pid)}]`],
    ...['--size', String(packetBytes), '--socket', path, '--socket-errors=on'],
  ];
}

/** `<28>body`, the input of `logger --prio-prefix`, with room for the time and tag that it adds. */
export function prioritisedLine(facility: number, pid: number): (record: LogRecord) => string {
  return (record) => {
    const start = priority(record, facility);
    const header = `${start}${localTime(record.timestamp)} ${tag}[${String(pid)}]: `;
    return start + cutBytes(textBody(record), packetBytes - header.length);
  };
}

/** A complete packet for UDP: `<28>Nov 21 15:00:00 host ridethrough[123]: body`. */
export function packet(facility: number, hostname: string, pid: number): (record: LogRecord) => string {
  // RFC 3164 section 4.1.2: the name without its domain.
  const host = hostname.split('.')[0]?.replace(/[^!-~]/g, '') ?? '';
  return (record) => {
    const header = `${priority(record, facility)}${localTime(record.timestamp)} ${host} ${tag}[${String(pid)}]: `;
    return header + cutBytes(textBody(record), packetBytes - header.length);
  };
}

function priority(record: LogRecord, facility: number): string {
  return `<${String(facility * 8 + severity[record.level])}>`;
}

/** `Nov  1 15:00:00`, local time, as RFC 3164 requires. */
function localTime(unixSeconds: number): string {
  const date = dateOf(unixSeconds);
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const time = clock.map((part) => String(part).padStart(2, '0')).join(':');
  return `${months[date.getMonth()] ?? ''} ${String(date.getDate()).padStart(2)} ${time}`;
}

/** At most `bytes` bytes of UTF-8, never half a character; a cut text ends in a mark. */
function cutBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  const marker = ' [cut]';
  let end = bytes - marker.length;
  while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return whole.toString('utf8', 0, end) + marker;
}
