// Scripts for a server: what its tools say of guests that were stopped there, and their start (specification/recovery.md#guests-of-a-server).
// The text decides nothing. Each id has the strict form of its engine (guest.ts) and is one quoted word. Pure.
import { ownDocker } from '../actions/container-script.js';
import { asOwners } from '../actions/containers.js';
import { requestedByHa } from '../actions/proxmox.js';
import type { ActionOrder } from '../actions/server-action.js';
import { prologue } from '../actions/stop-script.js';
import { libvirtOf } from '../actions/virtual-machines.js';
import { inspectFormat } from '../commands/container-state.js';
import { quoteWord } from '../commands/shell-words.js';
import type { StoppedGuest } from './guest.js';

export interface GuestScript extends Pick<ActionOrder, 'useSudo' | 'seconds' | 'uri'> {
  readonly guests: readonly StoppedGuest[];
  /** Begins each line of an answer: `KIND PLACE TEXT`, each after a tab. `PLACE` is that of the guest in `guests`. */
  readonly mark: string;
}

/** What a line says of a guest: the words of its tool, or what came of its start. */
export const answerKinds = [
  /** The clock of the server, Unix seconds, at the begin and at the end of a look. */
  'clock',
  /** Whole seconds since the boot of the server. Systems other than Linux do not say it. */
  'uptime',
  /** A container that is there, as `inspectFormat`. */
  'container',
  /** Its id is unknown, but a container has its name. */
  'renamed',
  /** The state of a guest. */
  'state',
  /** A line of `virsh domblklist --details`, and the file system of each file among them. */
  'disk',
  'fileSystem',
  /** The list of the disks is complete. */
  'listed',
  /** HA keeps it. */
  'ha',
  /** The tool refused, with its words. */
  'refusal',
  'started',
] as const;
export type AnswerKind = (typeof answerKinds)[number];

const common = ({ useSudo, seconds, uri, mark }: GuestScript): readonly string[] => [
  ...prologue({ useSudo, seconds, ranMark: mark }),
  ...libvirtOf(uri),
  ...asOwners,
  ...ownDocker,
  // On one line, of which the end has the reason.
  `tell() { printf '${mark}\\t%s\\t%s\\t%s\\n' "$1" "$2" "$(say "$3" | tail -n 4 | tr "\\n\\t" "  " | tail -c 4000)"; }`,
  'engine() { tool=$1 owner=$2; shift 2; if [ -n "$owner" ]; then as "$owner" "$tool" "$@"; else $S "$tool" "$@"; fi; }',
];

/** Prints what is known of each guest. Changes nothing. */
export function lookLines(script: GuestScript): readonly string[] {
  return [
    ...common(script),
    'moment() { tell clock 0 "$(date +%s)"; { read -r up idle </proc/uptime; } 2>/dev/null && tell uptime 0 "${up%%.*}"; }',
    'moment',
    `format=${quoteWord(inspectFormat)}`,
    'container() {',
    '  answer=$(engine "$2" "$3" inspect --type container --format "$format" "$4" 2>/dev/null) && { tell container "$1" "$answer"; return; }',
    '  answer=$(engine "$2" "$3" inspect --type container --format "{{.Id}}" "$4" 2>&1) && answer=$(engine "$2" "$3" inspect --type container --format "$format" "$4" 2>&1)',
    '  case $answer in',
    '    (*[Nn]"o such container"* | *[Nn]"o such object"*) if [ "$5" != "$4" ] && engine "$2" "$3" inspect --type container --format "{{.Id}}" "$5" >/dev/null 2>&1; then tell renamed "$1"; else tell state "$1" gone; fi ;;',
    '    (*) tell refusal "$1" "$answer" ;;',
    '  esac',
    '}',
    'domain() {',
    '  answer=$(libvirt domstate "$2" --reason 2>&1) || { case $answer in (*"not found"* | *"failed to get domain"*) tell state "$1" gone ;; (*) tell refusal "$1" "$answer" ;; esac; return; }',
    '  tell state "$1" "$answer"',
    '  case $answer in ("shut off"*) ;; (*) return ;; esac',
    '  answer=$(libvirt domblklist "$2" --details 2>&1) || { tell refusal "$1" "$answer"; return; }',
    '  say "$answer" | while read -r type device target source; do',
    '    case $type:$device in (: | -*: | Type:Device | *:cdrom | *:floppy) continue ;; esac',
    '    tell disk "$1" "$type $device $target $source"',
    '    case $type:$source in (file:/*) ;; (*) continue ;; esac',
    '    answer=$(stat -L -f -c %T -- "$source" 2>/dev/null || $S stat -L -f -c %T -- "$source" 2>&1) && tell fileSystem "$1" "$answer" || tell refusal "$1" "its disk $target cannot be read: $answer"',
    '  done',
    '  tell listed "$1"',
    '}',
    ...proxmoxLook,
    ...looksOf(script.guests),
    // Without it, the time of the script itself is not known.
    'moment',
  ];
}

/** What HA keeps is said before the state: nobody but HA starts it. */
const proxmoxLook: readonly string[] = [
  ...requestedByHa,
  'ha_vm= ha_ct= ha_read=',
  // Once, and only where a guest of Proxmox is asked for.
  'read_ha() {',
  '  [ -z "$ha_read" ] || return 0',
  '  ha_read=yes; [ ! -e "$resources" ] || resources >/dev/null 2>&1 || ha_read=no',
  '  ha_vm=" $(kept_by_ha vm | tr "\\n" " ") "; ha_ct=" $(kept_by_ha ct | tr "\\n" " ") "',
  '}',
  'guest() {',
  '  read_ha',
  '  [ "$ha_read" = yes ] || { tell refusal "$1" "whether HA keeps it cannot be read: allow the login to run ha-manager"; return; }',
  '  case $2 in (qm) kept=$ha_vm ;; (*) kept=$ha_ct ;; esac',
  '  case $kept in (*" $3 "*) tell ha "$1" ;; esac',
  '  answer=$($S "$2" status "$3" 2>&1) || { case $answer in (*"does not exist"*) tell state "$1" gone ;; (*) tell refusal "$1" "$answer" ;; esac; return; }',
  '  tell state "$1" "${answer#status: }"',
  '}',
];

/** Starts these guests side by side, and prints what came of it. What runs goes on when the connection is lost: a few at a time. */
export function startLines(script: GuestScript): readonly string[] {
  return [
    ...common(script),
    'attempt() { place=$1; shift; if answer=$("$@" 2>&1); then tell started "$place"; else tell refusal "$place" "$answer"; fi; }',
    ...(script.guests.some(({ engine }) => engine === 'docker') ? ['own_docker || finish 1'] : []),
    // Not `wait` alone: the watchdog runs beside them.
    'group=; begin() { attempt "$@" & group="$group $!"; }',
    ...script.guests.flatMap((guest, place) => textOf(startOf(guest, String(place)))),
    '[ -z "$group" ] || wait $group',
  ];
}

type Words = readonly string[];

/** The function of the script with its words. */
function lookOf({ engine, id, name, user }: StoppedGuest, place: string): Words {
  switch (engine) {
    case 'docker':
    case 'podman':
      return ['container', place, engine, user ?? '', id, containerName.test(name) ? name : id];
    case 'libvirt':
      return ['domain', place, id];
    case 'proxmox_vm':
      return ['guest', place, 'qm', id];
    case 'proxmox_ct':
      return ['guest', place, 'pct', id];
    case 'proxmox_ha':
      return ['guest', place, id.startsWith('ct') ? 'pct' : 'qm', id.slice(3)];
  }
}

/** Shown names are of any form; as an argument a name is one of a container, or is not asked for. */
const containerName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/;

function startOf({ engine, id, user }: StoppedGuest, place: string): Words | null {
  switch (engine) {
    case 'docker':
    case 'podman':
      return ['begin', place, 'engine', engine, user ?? '', 'start', id];
    case 'libvirt':
      return ['begin', place, 'libvirt', 'start', id];
    case 'proxmox_vm':
      return ['begin', place, '$S', 'qm', 'start', id];
    case 'proxmox_ct':
      return ['begin', place, '$S', 'pct', 'start', id];
    // HA alone starts it; `qm start` would ask HA for it.
    case 'proxmox_ha':
      return null;
  }
}

const textOf = (words: Words | null): readonly string[] =>
  words === null ? [] : [words.map((word) => (word === '$S' ? word : quoteWord(word))).join(' ')];

/** Each engine in a shell of its own: one that hangs delays its own guests alone. */
function looksOf(guests: readonly StoppedGuest[]): readonly string[] {
  const calls = new Map<string, string[]>();
  guests.forEach((guest, place) => {
    const key = `${guest.engine} ${guest.user ?? ''}`;
    const first = guest.engine === 'docker' ? ['own_docker || exit'] : [];
    calls.set(key, [...(calls.get(key) ?? first), ...textOf(lookOf(guest, String(place)))]);
  });
  const shells = [...calls.values()].filter(({ length }) => length > 0);
  return [
    'shells=',
    ...shells.flatMap((lines) => ['(', ...lines, ') & shells="$shells $!"']),
    '[ -z "$shells" ] || wait $shells',
  ];
}
