// Stops the guests of libvirt: asks all, waits for all together, destroys what still runs.
import * as t from 'io-ts';
import { formatSetting } from '../base/duration.js';
import { finite, orNull } from '../base/units.js';
import { kind, need } from './kind.js';
import { quoteWord } from '../commands/shell-words.js';
import { guestAction } from './stop-script.js';

export const stopVirtualMachines = kind({
  name: 'stopVirtualMachines',
  /** Those that still run after `maxWaitSeconds` are destroyed. */
  properties: { uri: orNull(t.string), maxWaitSeconds: finite },
  words: ({ maxWaitSeconds }, target) =>
    `stop ${target}: ask all, destroy what still runs after ${String(maxWaitSeconds)} s`,
  details: ({ maxWaitSeconds }, limit) => [
    `asked to shut down, destroyed after ${formatSetting(maxWaitSeconds)} (${limit})`,
  ],
  needs: () => [need(['virsh'], 'virtual_machines', 'guests would lose their power while they run')],
});

/** Defines `libvirt`, which is virsh with the connection. */
export const libvirtOf = (uri: string | null): readonly string[] => [
  `uri=${quoteWord(uri ?? '')}`,
  // virsh of a user lists the machines of that user; the action applies to those of the host.
  '[ "$(id -u)" = 0 ] || [ -n "$S$uri" ] || [ -n "$LIBVIRT_DEFAULT_URI" ] || { LIBVIRT_DEFAULT_URI=qemu:///system; export LIBVIRT_DEFAULT_URI; }',
  'libvirt() { $S virsh -q ${uri:+-c "$uri"} "$@"; }',
];

export const stopVmsOnServer = guestAction(
  'virsh list --uuid',
  ['virsh shutdown', 'virsh destroy'],
  ({ uri }) => [...libvirtOf(uri), 'running() { libvirt list --uuid; }'],
  [
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
    'found() { ran libvirt "$1"; }',
    // Both columns in one call; an old virsh refuses that.
    'called() { all=$(libvirt list --all --uuid --name) || return; say "$all" | while read -r id known; do case " $* " in (*" $id "*) ran libvirt "$id" "" "$known" ;; esac; done; }',
    'name() { libvirt domname "$1"; }',
  ],
);
