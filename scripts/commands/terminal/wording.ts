// Quantities and commands as people read them.
import type { CommandLine } from '../../../shared/domain/plan.js';

/** `90 s`, `10 min`, `2 h`: the largest unit that leaves no remainder, seconds below two minutes. */
export function duration(seconds: number): string {
  if (seconds >= 7200 && seconds % 3600 === 0) return `${String(seconds / 3600)} h`;
  if (seconds >= 120 && seconds % 60 === 0) return `${String(seconds / 60)} min`;
  return `${String(seconds)} s`;
}

/** The words of a command so that they could be typed into a shell: what is not plain is quoted. */
export function commandText(command: CommandLine): string {
  return command
    .map((word) =>
      /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, (c) => `\\${c}`)}"`,
    )
    .join(' ');
}

/** As `duration`, with a remainder told beside the minutes: `4 min 35 s`. */
export function longDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 120 || whole % 60 === 0) return duration(whole);
  return `${String(Math.floor(whole / 60))} min ${String(whole % 60)} s`;
}
