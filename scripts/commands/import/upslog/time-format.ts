// Reads the time of a line: the strftime conversions that upslog writes with @ (upslog(8)). Names are those of the C locale.
import { UsageError } from '../../usage.js';

/** A local time, or seconds since 1970 where the log has them. `offsetSeconds`: east of Greenwich, where it has it. */
export interface ReadTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly offsetSeconds: number | null;
  readonly unix: number | null;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const expansions: Readonly<Record<string, string>> = {
  F: '@Y-@m-@d',
  T: '@H:@M:@S',
  R: '@H:@M',
  D: '@m/@d/@y',
};

const conversions: Readonly<Record<string, string>> = {
  Y: '(?<year>\\d{4})',
  y: '(?<shortYear>\\d{2})',
  m: '(?<month>\\d{2})',
  b: `(?<monthName>${months.join('|')})`,
  h: `(?<monthName>${months.join('|')})`,
  d: '(?<day>\\d{2})',
  e: '(?<day>[ \\d]\\d)',
  H: '(?<hour>\\d{2})',
  M: '(?<minute>\\d{2})',
  S: '(?<second>\\d{2})',
  s: '(?<unix>\\d{1,12})',
  z: '(?<zone>[+-]\\d{4})',
  a: '[A-Z][a-z]{2}',
  A: '[A-Z][a-z]{2,8}',
  j: '\\d{3}',
  Z: '[A-Za-z0-9+-]{1,6}',
  '@': '@',
};

/** The sticky expression of a format; throws a UsageError. */
export function timePattern(format: string): RegExp {
  const whole = format.replace(/@([FTRD])/g, (_, letter: string) => expansions[letter] ?? '');
  const seen: string[] = [];
  const source = whole.replace(/@(.?)|[^@]+/gs, (text: string, letter: string | undefined) => {
    if (letter === undefined) return text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
    const pattern = conversions[letter];
    if (pattern === undefined)
      throw new UsageError(
        `--format: %TIME% with @${letter} cannot be read back; it may have ${[...Object.keys(conversions), ...Object.keys(expansions)].map((one) => `@${one}`).join(' ')}`,
      );
    const [, name = ''] = /\?<(\w+)>/.exec(pattern) ?? [];
    if (name !== '' && seen.includes(name)) throw new UsageError(`--format: %TIME% has @${letter} twice`);
    seen.push(name);
    return pattern;
  });
  const has = (...names: string[]) => names.some((name) => seen.includes(name));
  const isDate = has('year', 'shortYear') && has('month', 'monthName') && has('day');
  if (!has('unix') && !(isDate && has('hour') && has('minute')))
    throw new UsageError('--format: %TIME% needs year, month, day, hour and minute (@Y@m@d @H@M@S), or @s');
  return new RegExp(source, 'y');
}

/** Null for a date or a time of day that does not exist. */
export function timeOf(groups: Readonly<Record<string, string | undefined>>): ReadTime | null {
  const number = (name: string): number => Number(groups[name] ?? 0);
  const { zone: shown } = groups;
  const zone = shown === undefined ? null : /^([+-])(\d\d)(\d\d)$/.exec(shown);
  const time: ReadTime = {
    // POSIX: 69 to 99 are of the last century.
    year: groups['year'] === undefined ? ((number('shortYear') + 31) % 100) + 1969 : number('year'),
    month: groups['monthName'] === undefined ? number('month') : months.indexOf(groups['monthName']) + 1,
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    // A leap second is the second before it.
    second: Math.min(number('second'), 59),
    offsetSeconds:
      zone === null ? null : (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 3600 + Number(zone[3]) * 60),
    unix: groups['unix'] === undefined ? null : number('unix'),
  };
  if (time.unix !== null) return time;
  const { month, day, hour, minute } = time;
  const isInMonth = day <= 28 || day <= new Date(Date.UTC(time.year, month, 0)).getUTCDate();
  const exists =
    time.year >= 1970 && month >= 1 && month <= 12 && day >= 1 && isInMonth && hour < 24 && minute < 60;
  return exists && number('second') <= 60 ? time : null;
}
