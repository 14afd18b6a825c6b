// What upsmon on this machine is configured to do, and whether it runs. Runs only in the reader process.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Upsmon, UpsmonFile } from '../configuration/upsmon.js';
import { readBounded } from './bounded-file.js';

/** Debian and Fedora, SUSE, and NUT's own default. */
const folders = ['/etc/nut', '/etc/ups', '/usr/local/ups/etc', '/usr/local/etc/nut'];
const maxBytes = 262_144;
/** Far more than a machine has; a loop over /proc must end. */
const maxProcesses = 100_000;

export function findUpsmon(environment: NodeJS.ProcessEnv): Upsmon {
  const own = environment['NUT_CONFPATH'] ?? '';
  const path = [...(own === '' ? [] : [own]), ...folders]
    .map((folder) => join(folder, 'upsmon.conf'))
    .find((one) => existsSync(one));
  if (path === undefined) return { kind: 'none' };
  const isRunning = runs('upsmon');
  const read = readBounded(path, maxBytes);
  if (!read.ok) return { kind: 'unreadable', path, fault: read.fault, isRunning };
  return { kind: 'found', file: { path, ...parseUpsmon(read.text) }, isRunning };
}

function runs(program: string): boolean {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .slice(0, maxProcesses)
      .some((pid) => commandOf(pid) === program);
  } catch {
    // Without /proc it is not known; the file decides.
    return false;
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    // The process has ended, or belongs to somebody else.
    return '';
  }
}

export function parseUpsmon(text: string): Omit<UpsmonFile, 'path'> {
  const lines = text.split('\n').map(nutWords);
  const value = (key: string): string => lines.findLast(([first]) => first === key)?.[1] ?? '';
  return {
    monitors: lines.flatMap(([first, system = '', power = '', , , role = '']) =>
      first === 'MONITOR' && system !== ''
        ? [{ system, powerValue: numberOf(power) ?? 0, isPrimary: /^(?:primary|master)$/i.test(role) }]
        : [],
    ),
    shutdownCommand: value('SHUTDOWNCMD'),
    minSupplies: numberOf(value('MINSUPPLIES')) ?? 1,
    cutsPower: value('POWERDOWNFLAG') !== '',
    notifyCommand: value('NOTIFYCMD'),
  };
}

const numberOf = (text: string): number | null => (/^\d{1,6}$/.test(text) ? Number(text) : null);

/** The words of a line as NUT's parseconf reads them: double quotes, a backslash before a character, `#` for a comment. */
export function nutWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let place = 0; place < line.length; place += 1) {
    const character = line.charAt(place);
    if (character === '\\') word = (word ?? '') + line.charAt((place += 1));
    else if (character === '"') {
      isQuoted = !isQuoted;
      word ??= '';
    } else if (isQuoted || !/[\s#]/.test(character)) word = (word ?? '') + character;
    else {
      if (word !== null) words.push(word);
      word = null;
      if (character === '#') return words;
    }
  }
  return word === null ? words : [...words, word];
}
