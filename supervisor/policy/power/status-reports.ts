// Status words of which the begin and the end are reported: ALARM with its text and others, and words that NUT does not define. The
// reports decide nothing, and no state that is displayed: conditions.ts goes by each reading.
// Bounded in what they remember and in how often they report, since a device may repeat any word and any text.
import type { Variables } from '../../../shared/domain/ups/reading.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import { truncate } from '../../../shared/domain/base/truncate.js';
import { isKnownWord } from '../../../shared/domain/ups/status-words.js';
import { reuseUnchanged } from '../base/comparison.js';

/** The words whose begin and end are reported. */
const reportedWords = ['BYPASS', 'OVER', 'RB', 'ALARM', 'OFF', 'ECO', 'CAL'] as const;
export type ReportedWord = (typeof reportedWords)[number];

/** A word ends when no good reading has shown it for this long: one that flaps is reported twice a minute at most. */
const goneAfterMs = 30_000;
/**
 * OFF beside OL for less is a battery test of some APC Back-UPS (8 s, networkupstools/nut#2104), and says nothing of the load
 * (upsmon OFFDURATION).
 */
const offOnLineMs = 30_000;
/** Another text of the same alarm is reported no more often than this. */
const textPauseMs = 60_000;
const maxTextLength = 300;
/** A device that invents words is reported this many times. */
const maxUnknown = 20;

export interface StatusReports {
  /** When a reading last showed the word (monotonic ms); null where it was not reported, or has ended. */
  readonly shownMs: Readonly<Record<ReportedWord, number | null>>;
  /** When a reading first showed an RB that is not reported yet (monotonic ms). */
  readonly firstRbMs: number | null;
  /** The text that was reported last; null without ALARM. */
  readonly alarm: { readonly text: string; readonly reportedMs: number } | null;
  /** Reported once each. */
  readonly unknown: readonly string[];
}

export type StatusReport =
  | { readonly kind: 'began'; readonly word: ReportedWord }
  | { readonly kind: 'ended'; readonly word: ReportedWord }
  /** The alarm says something else. */
  | { readonly kind: 'alarmChanged' }
  | { readonly kind: 'unknown'; readonly word: string; readonly isLast: boolean };

export const noStatusReports: StatusReports = {
  shownMs: { BYPASS: null, OVER: null, RB: null, ALARM: null, OFF: null, ECO: null, CAL: null },
  firstRbMs: null,
  alarm: null,
  unknown: [],
};

/** What the alarm says, on one line; "" without ALARM or without a text. */
export function alarmText(words: readonly string[], variables: Variables): string {
  if (!words.includes('ALARM')) return '';
  const text = variables['ups.alarm'] ?? '';
  return truncate(singleLine(text.replaceAll(/\s+/g, ' ').trim()), maxTextLength);
}

/** Without an OFF that is none, or not yet. `offSinceMs`: since when the output is off by every reading; null: it is not. */
export function reportableWords(
  { shownMs }: StatusReports,
  words: readonly string[],
  offSinceMs: number | null,
  askedMs: number,
): readonly string[] {
  const isLasting = shownMs.OFF !== null || !words.includes('OL');
  const isOff = offSinceMs !== null && (isLasting || askedMs - offSinceMs >= offOnLineMs);
  return isOff ? words : words.filter((word) => word !== 'OFF');
}

/**
 * `holdMs`: how long one sample of the status may be shown. Some APC Back-UPS show RB in one sample now and then, with a good battery
 * (networkupstools/nut#2347). So RB, which is not urgent, is reported once it is shown for longer. What must last has done so until the
 * reading was asked for.
 */
export function statusReportsAfter(
  before: StatusReports,
  words: readonly string[],
  variables: Variables,
  holdMs: number,
  nowMs: number,
  askedMs: number,
): StatusReports {
  const shownMs = { ...before.shownMs };
  const firstRbMs = firstRbAfter(before, words, holdMs, nowMs, askedMs);
  for (const word of reportedWords) {
    const lastMs = shownMs[word];
    const isPending = word === 'RB' && firstRbMs !== null && askedMs - firstRbMs <= holdMs;
    if (words.includes(word)) shownMs[word] = isPending ? null : nowMs;
    else if (lastMs !== null && askedMs - lastMs >= goneAfterMs) shownMs[word] = null;
  }
  const alarm = shownMs.ALARM === null ? null : alarmAfter(before.alarm, words, variables, nowMs);
  const unknown = unknownAfter(before.unknown, words);
  return reuseUnchanged(before, {
    shownMs: reuseUnchanged(before.shownMs, shownMs),
    firstRbMs,
    alarm,
    unknown,
  });
}

function firstRbAfter(
  { shownMs, firstRbMs }: StatusReports,
  words: readonly string[],
  holdMs: number,
  nowMs: number,
  askedMs: number,
): number | null {
  if (shownMs.RB !== null) return null;
  const isSame = firstRbMs !== null && askedMs - firstRbMs < holdMs + goneAfterMs;
  return isSame || !words.includes('RB') ? firstRbMs : nowMs;
}

/** What a reading has brought. */
export function statusReports(before: StatusReports, after: StatusReports): readonly StatusReport[] {
  const isLast = after.unknown.length === maxUnknown;
  const isAlarmChanged = before.alarm !== null && after.alarm !== null && before.alarm !== after.alarm;
  return [
    ...reportedWords.flatMap((word): readonly StatusReport[] => {
      const [wasShown, isShown] = [before.shownMs[word] !== null, after.shownMs[word] !== null];
      return wasShown === isShown ? [] : [{ kind: isShown ? 'began' : 'ended', word }];
    }),
    ...(isAlarmChanged ? [{ kind: 'alarmChanged' } as const] : []),
    ...after.unknown
      .slice(before.unknown.length)
      .map((word): StatusReport => ({ kind: 'unknown', word, isLast })),
  ];
}

/** Whether both have reported the same. */
export function sameStatusReports(a: StatusReports, b: StatusReports): boolean {
  const isShown = (of: StatusReports, word: ReportedWord): boolean => of.shownMs[word] !== null;
  return (
    a.alarm === b.alarm &&
    a.unknown === b.unknown &&
    reportedWords.every((word) => isShown(a, word) === isShown(b, word))
  );
}

function alarmAfter(
  before: StatusReports['alarm'],
  words: readonly string[],
  variables: Variables,
  nowMs: number,
): StatusReports['alarm'] {
  if (!words.includes('ALARM')) return before;
  const text = alarmText(words, variables);
  if (before !== null && (before.text === text || nowMs - before.reportedMs < textPauseMs)) return before;
  return { text, reportedMs: nowMs };
}

function unknownAfter(before: readonly string[], words: readonly string[]): readonly string[] {
  if (before.length >= maxUnknown || words.every(isKnownWord)) return before;
  const all = new Set([...before, ...words.filter((word) => !isKnownWord(word))]);
  return all.size === before.length ? before : [...all].slice(0, maxUnknown);
}
