// What a predefined pre-shutdown action is: a script for a POSIX shell, and what a drill looks for beforehand.
import type { PreShutdownAction } from '../../../shared/domain/plan.js';

/** What is done on the server: an action of the plan, in the time it has now, which may be less than its own. */
export interface ActionOrder extends Pick<PreShutdownAction, 'projects' | 'mounts' | 'runtime' | 'uri'> {
  readonly useSudo: boolean;
  readonly seconds: number;
  /** The container this daemon runs in, which is left alone wherever it is met. */
  readonly ownContainer: string | null;
}

export interface Action {
  /** Lines for `script` of shell.ts. They say what people must know on standard output and end with `finish STATUS`. */
  lines(order: ActionOrder): readonly string[];
  /** Commands it would run, of which one of each list must be there; arguments as a sudo rule would name them. */
  needs(action: Pick<PreShutdownAction, 'runtime'>): readonly (readonly string[])[];
}

/** Leaves room to say what was found before the action's own time is over. */
const reportSeconds = 1;

/** Sets `$grace` and `$end`: a fifth of the time, 10 s at most, is kept for the forcing. */
export function timesWithin(seconds: number): string {
  const end = Math.max(1, Math.floor(seconds) - reportSeconds);
  const forcing = Math.min(10, Math.max(1, Math.round(end / 5)));
  return `grace=${String(Math.max(1, end - forcing))} end=${String(end)}`;
}

/**
 * Sets `$S` (sudo or nothing) and the clock: seconds are counted from here, `grace_over` tells that it is time to force,
 * `time_over` that it is time to report.
 */
export function prologue({ useSudo, seconds }: ActionOrder): readonly string[] {
  return [
    `S=${useSudo ? "'sudo -n'" : ''}`,
    'host=$(uname -n)',
    'began=$(date +%s)',
    timesWithin(seconds),
    'grace_over() { [ "$(($(date +%s) - began))" -ge "$grace" ]; }',
    'time_over() { [ "$(($(date +%s) - began))" -ge "$end" ]; }',
    "what='what runs'",
    `say() { printf '%s\\n' "$*"; }`,
    'have() { command -v "$1" >/dev/null 2>&1; }',
    'need() { have "$1" || { say "$1 is not installed on $host"; finish 1; }; }',
  ];
}

/**
 * Asks everything that runs to stop, all before waiting for any; waits for all together; forces what is left while
 * there is time; says by name what had to be forced and what still runs. The action defines:
 *   running       prints one word for each thing that runs; fails, with a reason, when that cannot be known
 *   ask WORD...   asks these, and does not wait for them
 *   force WORD... stops these hard, and does not wait for them
 *   name WORD     prints what people call it
 * Where more than one thing is brought down, it says in `$what` of which it cannot be known what runs.
 */
export const bringDown: readonly string[] = [
  // Asked again for its reason: on the way to success tools warn of all sorts of things.
  'unknown() { say "$what on $host cannot be listed: $(running 2>&1 | tail -n 3 | tr "\\n" " ")"; finish 1; }',
  'names() { for one in "$@"; do n=$(name "$one" 2>/dev/null); printf " %s" "${n:-$one}"; done; }',
  'left=$(running 2>/dev/null) || unknown',
  '[ -n "$left" ] || finish 0',
  'ask $left',
  'until [ -z "$left" ] || grace_over; do sleep 1; left=$(running 2>/dev/null) || unknown; done',
  'forced=',
  'if [ -n "$left" ]; then',
  '  forced=$(names $left)',
  '  force $left',
  '  until [ -z "$left" ] || time_over; do sleep 1; left=$(running 2>/dev/null) || unknown; done',
  'fi',
  '[ -z "$left" ] || { say "still running:$(names $left)"; finish 1; }',
  '[ -z "$forced" ] || say "did not stop in ${grace} s and were forced:$forced"',
  'finish 0',
];

/** Defines a function that starts one command for each of its words, all at once, saying nothing. */
export const eachAtOnce = (name: string, command: string): string =>
  `${name}() { for one in "$@"; do { ${command}; } >/dev/null 2>&1 & done; }`;
