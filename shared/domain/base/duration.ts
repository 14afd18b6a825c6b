// Durations as text. Every function says how it rounds; their outputs are part of messages that tests quote.

/** A space that does not break: a number stays with its unit. */
export const noBreakSpace = '\u00a0';

/** Of a text for the page: for mail, events and logs, whose readers search with ordinary spaces. */
export function withOrdinarySpaces(text: string): string {
  return text.replaceAll(noBreakSpace, ' ');
}

/** For the page and `status`, rounded to seconds: `45 s`, `12 min 05 s`, `3 h 20 min`, `4 days`. */
export function durationInWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 172_800) return inUnits(whole, noBreakSpace, 2);
  return [String(Math.floor(whole / 86_400)), 'days'].join(noBreakSpace);
}

/** In the largest unit up to hours, and the next one with at least `digits` where there is a rest. */
export function inUnits(whole: number, space: string, digits: number): string {
  const two = (large: number, unit: string, small: number, smallUnit: string): string => {
    const rest = small === 0 ? [] : [String(small).padStart(digits, '0'), smallUnit];
    return [String(large), unit, ...rest].join(space);
  };
  const minutes = Math.floor(whole / 60);
  if (minutes === 0) return `${String(whole)}${space}s`;
  if (minutes < 60) return two(minutes, 'min', whole % 60, 's');
  return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** For a configured time, not rounded: the largest unit without a remainder, seconds below two minutes: `90 s`, `10 min`, `2 h`. */
export function formatSetting(seconds: number): string {
  if (seconds >= 7200 && seconds % 3600 === 0) return `${String(seconds / 3600)} h`;
  if (seconds >= 120 && seconds % 60 === 0) return `${String(seconds / 60)} min`;
  return `${String(seconds)} s`;
}

/** For a time that a plan takes, rounded to seconds; minutes and seconds where no unit fits: `4 min 35 s`. */
export function formatPlanTime(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 120 || whole % 60 === 0) return formatSetting(whole);
  return `${String(Math.floor(whole / 60))} min ${String(whole % 60)} s`;
}

/** For a timeout or a measured time, rounded to tenths of a second: `0.3 s`, `30 s`. */
export function formatSeconds(seconds: number): string {
  return `${String(Math.round(seconds * 10) / 10)} s`;
}
