// Actions on virtual machines and system containers of hypervisors: libvirt, Proxmox VE, XCP-ng, ESXi.
import type { Action, ActionOrder } from './action.js';
import { forceOff, guestRequests, prologue } from './action.js';
import { quoted } from '../../../shared/domain/commands/shell-words.js';

export const stopVms: Action = {
  needs: () => [['virsh list --uuid']],
  lines: (order) => [
    ...prologue(order),
    'need virsh',
    `uri=${quoted(order.uri ?? '')}`,
    // virsh of a user lists the machines of that user; the action applies to those of the host.
    '[ "$(id -u)" = 0 ] || [ -n "$S$uri" ] || [ -n "$LIBVIRT_DEFAULT_URI" ] || { LIBVIRT_DEFAULT_URI=qemu:///system; export LIBVIRT_DEFAULT_URI; }',
    'libvirt() { $S virsh -q ${uri:+-c "$uri"} "$@"; }',
    'running() { libvirt list --uuid; }',
    ...guestRequests,
    'condition() {',
    '  now=$(libvirt domstate "$1" --reason)',
    '  case $now in',
    '    (paused | "paused (user)" | "paused (starting up)" | "paused (unknown)") say resume ;;',
    '    ("paused (crashed)" | "paused (shutting down)") ;;',
    '    (paused*) say "held $now" ;;',
    '    (pmsuspended*) say wake ;;',
    '  esac',
    '}',
    'resume() { libvirt resume "$1"; }',
    'wake() { libvirt dompmwakeup "$1"; }',
    'shut() { libvirt shutdown "$1"; }',
    'kill_guest() { libvirt destroy "$1"; }',
    'name() { libvirt domname "$1"; }',
    ...forceOff,
  ],
};

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

/** `qm` and `pct` have the same syntax. A locked guest (during a backup) refuses a shutdown but can be forced. */
function proxmox(tool: 'qm' | 'pct', order: ActionOrder): readonly string[] {
  return [
    ...prologue(order),
    `need ${tool}`,
    tool === 'qm'
      ? // The state is the fourth word from the end, the process the last: a guest without a name is listed as "VM 101".
        'running() { all=$($S qm list) || return 1; say "$all" | while read -r id rest; do set -- $rest; [ $# -ge 4 ] || continue; shift $(($# - 4)); case $id in (*[!0-9]*) ;; (*) [ "$1" = stopped ] || [ "$4" = 0 ] || say "$id" ;; esac; done; }'
      : 'running() { all=$($S pct list) || return 1; say "$all" | while read -r id state _; do [ "$state" != running ] || say "$id"; done; }',
    ...guestRequests,
    ...(tool === 'qm' ? qmCondition : []),
    // Its own time is over: no refusal.
    `shut() { said=$($S ${tool} shutdown "$1" --timeout "$rest" 2>&1) || { case $said in (*"got timeout"*) ;; (*) say "$said" ;; esac; return 1; }; }`,
    `kill_guest() { $S ${tool} stop "$1" --skiplock 1 || $S ${tool} stop "$1"; }`,
    tool === 'qm'
      ? `name() { $S qm list 2>/dev/null | while read -r id called _; do [ "$id" != "$1" ] || say "$id ($called)"; done; }`
      : // The lock column is usually empty: the name is the last word.
        `name() { $S pct list 2>/dev/null | while read -r id rest; do [ "$id" != "$1" ] || say "$id (\${rest##* })"; done; }`,
    ...forceOff,
  ];
}

export const stopProxmoxVms: Action = { needs: () => [['qm list']], lines: (order) => proxmox('qm', order) };
export const stopProxmoxCts: Action = {
  needs: () => [['pct list']],
  lines: (order) => proxmox('pct', order),
};

export const stopXcpngVms: Action = {
  needs: () => [['xe vm-list']],
  lines: (order) => [
    ...prologue(order),
    'need xe',
    // Only guests of this host: in a pool `xe` lists those of all hosts.
    'here=$(. /etc/xensource-inventory 2>/dev/null && printf %s "$INSTALLATION_UUID")',
    '[ -n "$here" ] || here=$($S xe host-list hostname="$host" --minimal 2>/dev/null)',
    '[ -n "$here" ] || { say "the UUID of $host in its pool is unknown (/etc/xensource-inventory)"; finish 1; }',
    'running() { all=$($S xe vm-list resident-on="$here" is-control-domain=false params=uuid --minimal) || return 1; printf %s "$all" | tr , "\\n"; }',
    ...guestRequests,
    'of() { $S xe vm-param-get uuid="$1" param-name="$2"; }',
    'condition() { [ "$(of "$1" power-state)" = paused ] || return 0; now=$(of "$1" current-operations); if [ -n "$now" ]; then say "held paused: $now"; else say resume; fi; }',
    'resume() { $S xe vm-unpause uuid="$1"; }',
    'shut() { $S xe vm-shutdown uuid="$1"; }',
    'kill_guest() { $S xe vm-shutdown uuid="$1" force=true; }',
    'name() { $S xe vm-param-get uuid="$1" param-name=name-label; }',
    ...forceOff,
  ],
};

export const stopEsxiVms: Action = {
  needs: () => [['vim-cmd vmsvc/getallvms']],
  lines: (order) => [
    ...prologue(order),
    'need vim-cmd',
    'all=$($S vim-cmd vmsvc/getallvms 2>&1) || { say "$all"; finish 1; }',
    // Annotations may span lines that also begin with a number; the state of such a number is an error.
    'ids=$(say "$all" | while read -r id _; do case $id in ("" | *[!0-9]*) ;; (*) say "$id" ;; esac; done)',
    'state() { $S vim-cmd vmsvc/power.getstate "$1" 2>/dev/null | tail -n 1; }',
    // One request takes up to a second: all run in parallel.
    'running() { for id in $ids; do { case $(state "$id") in ("Powered off" | Suspended | "") ;; (*) say "$id" ;; esac; } & done; wait; }',
    ...guestRequests,
    // Each request takes up to a second: one that sleeps is found by its refusal, since its tools do not answer.
    `sleeps() { $S vim-cmd vmsvc/get.guest "$1" 2>/dev/null | grep -q 'guestState = "standby"'; }`,
    'shut() { said=$($S vim-cmd vmsvc/power.shutdown "$1" 2>&1) && return; ! sleeps "$1" || $S vim-cmd vmsvc/power.on "$1"; say "$said"; return 1; }',
    'kill_guest() { $S vim-cmd vmsvc/power.off "$1"; }',
    `name() { say "$all" | while read -r id rest; do [ "$id" != "$1" ] || { rest=\${rest%%\\[*}; say "$id (\${rest%"\${rest##*[! ]}"})"; }; done; }`,
    ...forceOff,
  ],
};
