// States in plain words, for the page and `ridethrough status`.
import type { ConnectionDetail, TriggerName } from './states.js';
import type { UpsRow } from './status-model.js';
import { statusWords } from './status-words.js';
import { hardSpace } from './duration.js';

/** The severity of a state; `unknown` is shown neither as good nor as bad. */
export type Tone = 'good' | 'warning' | 'danger' | 'unknown';

export interface Headline {
  readonly tone: Tone;
  readonly text: string;
}

const details: Readonly<Record<ConnectionDetail, string>> = {
  OK: 'the UPS answers',
  SERVER_DOWN: 'the NUT server cannot be reached',
  TIMEOUT: 'the NUT server does not answer in time',
  DRIVER_NOT_CONNECTED: 'the NUT driver has no connection to the UPS',
  DATA_STALE: 'the NUT server has only stale data of the UPS',
  UNKNOWN_UPS: 'the NUT server has no UPS of this name',
  ACCESS_DENIED: 'the NUT server refuses access',
  TLS_FAILED: 'the encrypted connection to the NUT server failed',
  PROTOCOL_ERROR: 'the answer of the NUT server violates the NUT protocol',
  TOOL_MISSING: 'the program upsc is not installed',
  NEVER_POLLED: 'the first poll has not ended yet',
};

const flags: Readonly<Record<string, string>> = {
  OL: 'line power',
  OB: 'on battery',
  LB: 'battery low',
  HB: 'battery high',
  RB: 'replace the battery',
  CHRG: 'charging',
  DISCHRG: 'discharging',
  BYPASS: 'bypass, load unprotected',
  CAL: 'calibrating',
  OFF: 'output off',
  OVER: 'overloaded',
  TRIM: 'trimming high voltage',
  BOOST: 'boosting low voltage',
  FSD: 'forced shutdown',
  ALARM: 'alarm',
  TEST: 'self test',
  ECO: 'economy mode',
};

const triggers: Readonly<Record<TriggerName, string>> = {
  FSD: 'forced shutdown',
  LOW_BATTERY: 'low charge',
  CRITICAL_RUNTIME: 'short runtime',
  DEPLETION: 'fast drain',
  EXTENDED_TIME: 'long outage',
  LOW_BATTERY_FLAG: 'low-battery flag',
  FAILSAFE: 'lost sight on battery',
};

/** A trigger in words. */
export function triggerInWords(name: TriggerName): string {
  return triggers[name];
}

/** Why the last poll was not good. */
export function detailInWords(detail: ConnectionDetail): string {
  return details[detail];
}

/** Each word of ups.status in plain words; an unknown word stays as it is. */
export function flagsInWords(status: string): readonly string[] {
  return statusWords(status).map((word) => (Object.hasOwn(flags, word) ? flags[word] : undefined) ?? word);
}

/** The same without OL and OB, which are in the headline. */
export function furtherFlagsInWords(status: string): readonly string[] {
  return flagsInWords(
    statusWords(status)
      .filter((word) => word !== 'OL' && word !== 'OB')
      .join(' '),
  );
}

/** The most important fact about a UPS. */
export function headlineOf(row: UpsRow): Headline {
  const words = statusWords(row.status);
  const has = (word: string): boolean => words.includes(word);
  switch (row.connectionState) {
    case 'UNKNOWN':
      return { tone: 'unknown', text: 'Not polled yet' };
    case 'FAILED':
      return {
        tone: 'danger',
        text: has('OB') ? 'Connection lost, last seen on battery' : 'Connection lost',
      };
    case 'GRACE_PERIOD':
      return { tone: 'warning', text: 'No answer, in the grace period' };
    case 'OK':
      break;
  }
  if (has('FSD')) return { tone: 'danger', text: 'Forced shutdown' };
  if (has('OB'))
    return has('LB') ? { tone: 'danger', text: 'On battery, low' } : { tone: 'warning', text: 'On battery' };
  if (has('OFF')) return { tone: 'danger', text: 'Output off' };
  if (has('OVER')) return { tone: 'danger', text: 'Overloaded' };
  if (has('BYPASS')) return { tone: 'warning', text: 'On bypass, unprotected' };
  if (has('RB')) return { tone: 'warning', text: 'On line power, replace the battery' };
  if (has('OL') && has('LB')) return { tone: 'warning', text: 'On line power, battery low' };
  if (has('OL')) return { tone: 'good', text: 'On line power' };
  return { tone: 'unknown', text: words.length === 0 ? 'No status' : 'State unclear' };
}

/**
 * The sentences of an explanation about what happens next, without its first line (the present state) and without its
 * indented lines (the triggers).
 */
export function prospectOf(text: string): readonly string[] {
  const [first = '', ...rest] = text.split('\n');
  const sentences = rest.filter((line) => line !== '' && !line.startsWith(' '));
  return sentences.length === 0 ? [first] : sentences;
}

/** True while the UPS feeds its load from the battery, or did at its last reading. */
export function onBattery(row: UpsRow): boolean {
  return statusWords(row.status).includes('OB');
}

/** For the beginning of a sentence. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A quantity with its unit, or the given word when it is missing: a missing value must not look like zero. */
export function quantity(value: number | null, unit: string, missing = 'unknown'): string {
  if (value === null) return missing;
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${String(rounded)}${hardSpace}${unit}`;
}
