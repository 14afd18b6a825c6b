// Stops the virtual machines and the system containers of Proxmox VE.
import { haGuestMark } from '../commands/kept-off.js';
import type { ServerAction } from './server-action.js';
import { guestAction, prologue } from './stop-script.js';

/**
 * The states of QEMU in `qm status --verbose`: `qm shutdown` refuses a guest that is paused, and `qm resume` also wakes one that
 * sleeps. One with a lock is paused by that job.
 */
const qmCondition: readonly string[] = [
  'condition() {',
  '  now=$($S qm status "$1" --verbose)',
  '  lock=$(say "$now" | sed -n "s/^lock: *//p"); now=$(say "$now" | sed -n "s/^qmpstatus: *//p")',
  '  case $now in',
  '    (paused | prelaunch | suspended) if [ -n "$lock" ]; then say "held $now, locked: $lock"; else say resume; fi ;;',
  '    (io-error | save-vm | restore-vm | inmigrate | postmigrate | finish-migrate) say "held $now" ;;',
  '  esac',
  '}',
  'resume() { $S qm resume "$1"; }',
];

/**
 * `kept_by_ha KIND` prints the guests of this kind that HA keeps, `requested KIND` those of them that it was requested to keep started.
 * The configuration has `vm: 101`, or `vm:101` as `ha-manager` shows it, and its lines up to an empty one. Ignored ones are not kept.
 */
export const requestedByHa: readonly string[] = [
  'resources=/etc/pve/ha/resources.cfg',
  'resources() { cat "$resources" 2>/dev/null || $S ha-manager config; }',
  'ha_states() {',
  '  sid= kind=$1',
  '  { [ ! -e "$resources" ] || resources; say; } | while read -r key value; do',
  '    case $key in',
  '      ("$kind:") sid=$value state=started ;;',
  '      ("$kind":*) sid=${key#*:} state=started ;;',
  '      (state) state=$value ;;',
  '      ("") [ -z "$sid" ] || [ "$state" = ignored ] || say "$sid $state"; sid= ;;',
  '    esac',
  '  done',
  '}',
  'kept_by_ha() { ha_states "$1" | while read -r sid _; do say "$sid"; done; }',
  'requested() { ha_states "$1" | while read -r sid state; do case $state in (started | enabled) say "$sid" ;; esac; done; }',
];

/**
 * Names what was found, with one list of the tool. HA takes a stop for a request, so one that ran under HA stays off until its
 * state is set back (recovery/guest.ts).
 */
const called = (engine: 'proxmox_vm' | 'proxmox_ct', kind: 'vm' | 'ct'): readonly string[] => [
  ...requestedByHa,
  `found() { ran ${engine} "$1"; }`,
  'called() {',
  `  ha=" $(requested ${kind} | tr "\\n" " ")"`,
  '  labels | while read -r id known; do',
  '    case " $* " in (*" $id "*) ;; (*) continue ;; esac',
  `    case $ha in (*" $id "*) ran proxmox_ha "${kind}:$id" "" "$known" ;; (*) ran ${engine} "$id" "" "$known" ;; esac`,
  '  done',
  '}',
];

const kinds = { qm: 'vm', pct: 'ct' } as const;

/**
 * `qm` and `pct` have the same syntax. A locked guest (during a backup) refuses a shutdown but can be forced; one that
 * somebody else's shutdown waits for is stopped once that task is aborted.
 */
const proxmox = (
  tool: 'qm' | 'pct',
  running: string,
  labels: string,
  more: readonly string[],
): ServerAction => ({
  ...guestAction(`${tool} list`, [`${tool} shutdown`, `${tool} stop`], () => [running], [
    ...more,
    // Its own time is over: no refusal. A lock that another task keeps ends in the same words.
    `shut() { said=$($S ${tool} shutdown "$1" --timeout "$rest" 2>&1) || { case $said in (*"lock file"*) say "$said" ;; (*"got timeout"*) ;; (*) say "$said" ;; esac; return 1; }; }`,
    // The first words are known from Proxmox VE 8.2 on, and to root alone.
    `kill_guest() { $S ${tool} stop "$1" --skiplock 1 --overrule-shutdown 1 || $S ${tool} stop "$1" --skiplock 1 || $S ${tool} stop "$1"; }`,
    labels,
    'name() { labels | while read -r id known; do [ "$id" != "$1" ] || say "$id ($known)"; done; }',
  ]),
  policies: (order) => [
    ...prologue(order),
    ...requestedByHa,
    `requested ${kinds[tool]} | while read -r id; do say "${haGuestMark} ${kinds[tool]}:$id"; done`,
  ],
});

export const stopProxmoxVms = proxmox(
  'qm',
  // The state is the fourth word from the end, the process the last: a guest without a name is listed as "VM 101".
  'running() { all=$($S qm list) || return 1; say "$all" | while read -r id rest; do set -- $rest; [ $# -ge 4 ] || continue; shift $(($# - 4)); case $id in (*[!0-9]*) ;; (*) [ "$1" = stopped ] || [ "$4" = 0 ] || say "$id" ;; esac; done; }',
  'labels() { $S qm list 2>/dev/null | while read -r id known _; do say "$id $known"; done; }',
  [...qmCondition, ...called('proxmox_vm', 'vm')],
);
export const stopProxmoxCts = proxmox(
  'pct',
  'running() { all=$($S pct list) || return 1; say "$all" | while read -r id state _; do [ "$state" != running ] || say "$id"; done; }',
  // The lock column is usually empty: the name is the last word.
  'labels() { $S pct list 2>/dev/null | while read -r id rest; do say "$id ${rest##* }"; done; }',
  called('proxmox_ct', 'ct'),
);
