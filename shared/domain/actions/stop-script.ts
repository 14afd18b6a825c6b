// What the scripts of server actions share: the clock and `sudo`, asking everything to stop, waiting, forcing the rest.
import type { ActionOrder, ServerAction } from './server-action.js';

/** Reserved at the end of the action's time: a last wait of a second, and the report. */
const reportSeconds = 2;

/** Sets `$grace` and `$end`: a fifth of the time, 10 s at most, is reserved to force the rest. */
export function timesWithin(seconds: number): string {
  const end = Math.max(1, Math.floor(seconds) - reportSeconds);
  const forcing = Math.min(10, Math.max(1, Math.round(end / 5)));
  return `grace=${String(Math.max(1, end - forcing))} end=${String(end)}`;
}

/**
 * Sets `$S` (sudo or nothing) and the clock: seconds count from here, `grace_over` is true when it is time to force,
 * `time_over` when it is time to report because another look, as long as the last one (`$slow` s), would end too late.
 */
export function prologue({
  useSudo,
  seconds,
  ranMark,
}: Pick<ActionOrder, 'useSudo' | 'seconds' | 'ranMark'>): readonly string[] {
  return [
    // `ran ENGINE ID USER NAME`: what was found running (recovery/guest.ts). The worker takes these lines out of the report.
    `ran() { printf '%s\\t%s\\t%s\\t%s\\t%s\\n' ${ranMark} "$1" "$2" "$3" "$4"; }`,
    `S=${useSudo ? "'sudo -n'" : ''}`,
    'host=$(uname -n)',
    // Since the boot, which goes on when NTP sets the clock; systems other than Linux have only the date.
    'clock() { { read -r up idle </proc/uptime; } 2>/dev/null && echo "${up%%.*}" || date +%s; }',
    'began=$(clock)',
    timesWithin(seconds),
    'grace_over() { [ "$(($(clock) - began))" -ge "$grace" ]; }',
    'slow=0',
    'time_over() { [ "$(($(clock) - began + slow))" -ge "$end" ]; }',
    "what='what runs'",
    // For what refused a request: one file for each, with the words of the tool.
    'refused=/nowhere linger=0',
    `say() { printf '%s\\n' "$*"; }`,
    'have() { command -v "$1" >/dev/null 2>&1; }',
    'need() { have "$1" || { say "$1 is not installed on $host"; finish 1; }; }',
  ];
}

/**
 * Asks everything that runs to stop, then waits for all together, forces the rest while there is time, and reports by name
 * what was forced and what still runs. The action defines:
 *   running       prints one word for each running item; fails, with a reason, when it cannot list them
 *   ask WORD...   asks these items to stop, without waiting
 *   force WORD... forces these items to stop, without waiting
 *   name WORD     prints the display name
 *   found WORD    prints `ran` of the item, without a tool
 *   called WORD.. prints `ran` of these items with their names, by as few calls of its tool as it can
 * Both print after everything was asked, and the names beside the wait: no stop waits for them.
 * With more than one kind of item, `$what` names the kind in the error of a failed list.
 */
export const forceOff: readonly string[] = [
  // Runs again for the reason, because tools print unrelated warnings also on success.
  'unknown() { say "$what on $host cannot be listed: $(running 2>&1 | tail -n 3 | tr "\\n" " ")"; finish 1; }',
  'names() { for one in "$@"; do n=$(name "$one" 2>/dev/null); w=$(cat "$refused/$one" 2>/dev/null); printf " %s" "${n:-$one}${w:+ ($w)}"; done; }',
  'left=$(running 2>/dev/null) || unknown',
  // A listing that fails says nothing: what was asked keeps its time, and is forced after it.
  'known=yes; look() { at=$(clock); if next=$(running 2>/dev/null); then left=$next; known=yes; else known=; fi; slow=$(($(clock) - at)); }',
  '[ -n "$left" ] || finish 0',
  'ask $left',
  'for one in $left; do found "$one"; done',
  'called $left 2>/dev/null &',
  'until [ -z "$left" ] || grace_over; do sleep 1; look; done',
  'forced=',
  'if [ -n "$left" ]; then',
  '  forced=$(names $left)',
  '  force $left',
  // At least one look after forcing, however late it was.
  '  while sleep 1; look; [ -n "$left" ] && ! time_over; do :; done',
  'fi',
  // What stopped may be started again, for example by a swarm: `linger` seconds.
  'again=; while [ -n "$known" ] && [ -z "$left" ] && [ "$linger" -gt 0 ] && ! time_over; do sleep 1; look; linger=$((linger - 1)); [ -z "$left" ] || again=" (started again after the stop: a swarm?)"; done',
  '[ -n "$known" ] || unknown',
  '[ -z "$left" ] || { say "still running:$(names $left)$again"; finish 1; }',
  '[ -z "$forced" ] || say "did not stop in ${grace} s and were forced:$forced"',
  'finish 0',
];

/** Defines a function that starts one command for each of its words, all in parallel, without output. */
export const inParallel = (name: string, command: string): string =>
  `${name}() { for one in "$@"; do { ${command}; } >/dev/null 2>&1 & done; }`;

/**
 * Defines `ask` and `force` for guests, which a person or a job on them may hold. Each guest is asked again every 5 s until the grace
 * is over: after a refusal, and once after it was resumed or woken. The action defines:
 *   condition ID  prints nothing for one that runs, `resume`, `wake`, or `held WHY` for one that must be neither resumed nor forced:
 *                 resuming the source of a migration destroys its disk
 *   resume ID, wake ID
 *   shut ID       asks for a shutdown, within `$rest` seconds; fails with the reason when it is refused
 *   kill_guest ID
 */
const guestRequests: readonly string[] = [
  `refused=$(mktemp -d 2>/dev/null) || refused=/nowhere`,
  `trap 'rm -rf "$refused"' EXIT`,
  'note() { [ ! -d "$refused" ] || [ -z "$2" ] || say "$2" | tail -n 2 | tr "\n" " " | sed "s/ *$//" >"$refused/$1"; }',
  'persist() {',
  '  more=1',
  '  while kill -0 "$$" 2>/dev/null && ! grace_over; do',
  '    rest=$((began + grace - $(clock))); [ "$rest" -ge 1 ] || rest=1',
  '    now=$(condition "$1" 2>/dev/null); done=',
  '    case $now in',
  '      (held*) answer=${now#held } ;;',
  '      (resume | wake) more=2; answer=$("$now" "$1" 2>&1) && answer=$(shut "$1" 2>&1) && done=yes ;;',
  '      (*) answer=$(shut "$1" 2>&1) && done=yes ;;',
  '    esac',
  '    if [ -n "$done" ]; then rm -f "$refused/$1"; more=$((more - 1)); [ "$more" -gt 0 ] || return 0; else note "$1" "$answer"; fi',
  '    sleep 5',
  '  done',
  '}',
  'condition() { :; }',
  'found() { :; }',
  'called() { :; }',
  // One that took its request may be held since: `persist` has not noted why.
  'is_held() { now=$(condition "$1" 2>/dev/null); case $now in (held*) note "$1" "${now#held }" ;; (*) return 1 ;; esac; }',
  inParallel('ask', 'persist "$one"'),
  inParallel('force', 'is_held "$one" || kill_guest "$one"'),
];

/** Stops guests: `listing` defines `running`, `requests` what is above. `needed` is a command of their tool, `stops` those that stop. */
export const guestAction = (
  needed: string,
  stops: readonly string[],
  listing: (order: ActionOrder) => readonly string[],
  requests: readonly string[],
): ServerAction => ({
  stops,
  needs: () => [needed],
  lines: (order) => [
    ...prologue(order),
    `need ${needed.replace(/ .*/, '')}`,
    ...listing(order),
    ...guestRequests,
    ...requests,
    ...forceOff,
  ],
});
