// Stops all containers that still run: of Docker and Podman, and of the rootless Podman of users.
import * as t from 'io-ts';
import { finite } from '../base/units.js';
import { kind, need } from './kind.js';
import { swarmFormat } from '../commands/kept-off.js';
import { quoteWord } from '../commands/shell-words.js';
import {
  enginesOf,
  inParts,
  inspectAll,
  own,
  ownDocker,
  policiesOf,
  stopsOf,
  unitsOf,
} from './container-script.js';
import type { ServerAction } from './server-action.js';
import { ContainerRuntime } from './server-action.js';
import { forceOff, prologue } from './stop-script.js';

/** Of `stop_timeout`, and of a step on a server. */
export const maxStopSeconds = 3_600;

export const engines = { auto: ['podman', 'docker'], podman: ['podman'], docker: ['docker'] } as const;

export const stopContainers = kind({
  name: 'stopContainers',
  properties: { runtime: ContainerRuntime, includeUserContainers: t.boolean, stopTimeoutSeconds: finite },
  words: ({ stopTimeoutSeconds }, target) => `stop ${target} within ${String(stopTimeoutSeconds)} s`,
  needs: ({ runtime }) => [
    need(engines[runtime], 'containers', 'containers would be stopped by the power-off alone'),
  ],
  runsInMounts: true,
});

export const stopContainersOnServer: ServerAction = {
  stops: [...stopsOf('docker'), ...stopsOf('podman')],
  needs: ({ runtime }) => enginesOf(runtime).map((engine) => `${engine} ps -q`),
  policies: policiesOf('', [
    `  [ "$tool" != docker ] || $S docker info --format ${quoteWord(swarmFormat)} 2>/dev/null`,
  ]),
  lines: (order) => [
    ...prologue(order),
    own(order),
    ...inParts,
    ...ownDocker,
    `engines=${quoteWord(enginesOf(order.runtime).join(' '))}`,
    // A container is written TOOL:ID.
    'running() { for tool in $tools; do ids=$($S "$tool" ps -q --no-trunc) || return 1; for id in $ids; do [ "$id" = "$own" ] || say "$tool:$id"; done; done; }',
    'only() { tool=$1; shift; for one in "$@"; do case $one in ("$tool":*) say "${one#*:}" ;; esac; done; }',
    unitsOf,
    // What systemd starts again after its stop is stopped by its unit.
    'units=',
    'ask() { for tool in $tools; do if [ -z "$units" ]; then in_parts "$S $tool stop -t $grace" $(only "$tool" "$@"); else { in_parts "$S $tool stop -t $grace" $(only "$tool" "$@"); wait; $S systemctl stop $units; } >/dev/null 2>&1 & fi; done; }',
    'force() { for tool in $tools; do in_parts "$S $tool kill" $(only "$tool" "$@"); done; }',
    `name() { $S "\${1%%:*}" inspect -f '{{.Name}}' "\${1#*:}" | sed 's,^/,,'; }`,
    'found() { ran "${1%%:*}" "${1#*:}"; }',
    `called() { for tool in $tools; do $S "$tool" inspect -f '{{.Id}} {{.Name}}' $(only "$tool" "$@") | while read -r id known; do ran "$tool" "$id" "" "\${known#/}"; done; done; }`,
    // An engine that fails or hangs must not keep the containers of the other running: each in a subshell that its report ends.
    // Docker without its daemon runs nothing: 3.
    'down() {',
    '  [ "$tool" != docker ] || own_docker || exit 1',
    '  answer=$($S "$tool" ps -q 2>&1) || case $answer in',
    '    (*"docker daemon running"* | *"and if the daemon is running"*) exit 3 ;;',
    '    (*) say " what $tool runs on $host cannot be listed: $(say "$answer" | tail -n 3 | tr "\\n" " ")"; exit 1 ;;',
    '  esac',
    '  tools=$tool',
    // Podman neither lists nor stops a paused container; docker does both.
    '  [ "$tool" != podman ] || { paused=$($S podman ps -q --no-trunc --filter status=paused 2>/dev/null); [ -z "$paused" ] || $S podman unpause $paused >/dev/null 2>&1; units=$(units_of $S podman); }',
    // A swarm starts a task again 5 s after its end, unless the service says otherwise.
    `  [ "$tool" != docker ] || [ "$($S docker info --format '{{.Swarm.LocalNodeState}}' 2>/dev/null)" != active ] || linger=7`,
    ...forceOff,
    '}',
    'shells=',
    'for tool in $engines; do ! have "$tool" || { ( finish() { exit "$1"; }; down ) & shells="$shells $!"; }; done',
    '[ -n "$shells" ] || { say "no container engine (looked for: $engines) is installed on $host"; finish 1; }',
    'status=3',
    'for one in $shells; do wait "$one"; end=$?; case $end in (3) ;; (0) [ "$status" = 1 ] || status=0 ;; (*) status=1 ;; esac; done',
    '[ "$status" != 3 ] || { say "no container engine runs on $host"; status=1; }',
    'finish "$status"',
  ],
};

export const asOwners: readonly string[] = [
  // Each running container of podman has a conmon process of its owner.
  `owners() { ps -e -o uid= -o comm= | while read -r uid what; do [ "$what" != conmon ] || [ "$uid" = 0 ] || say "$uid"; done | sort -u; }`,
  'me=$(id -u)',
  // As the owner, with the owner's runtime directory, where the login may change the user.
  'as() {',
  '  uid=$1; shift',
  '  run=/run/user/$uid; [ -d "$run" ] || run=',
  '  if [ "$uid" = "$me" ]; then "$@"',
  '  elif [ -n "$S" ]; then sudo -n -H -u "#$uid" env ${run:+"XDG_RUNTIME_DIR=$run"} "$@"',
  '  else runuser -u "$(id -nu "$uid")" -- env ${run:+"XDG_RUNTIME_DIR=$run"} HOME="$(getent passwd "$uid" | cut -d: -f6)" "$@"',
  '  fi',
  '}',
];

export const stopRootlessOnServer: ServerAction = {
  stops: stopsOf('podman'),
  needs: () => ['podman ps -q'],
  policies: (order) => [
    ...prologue(order),
    ...asOwners,
    `for uid in $(owners); do ${inspectAll('as "$uid" podman ps -q', 'as "$uid" podman inspect')}; done`,
    'finish 0',
  ],
  lines: (order) => [
    ...prologue(order),
    own(order),
    ...inParts,
    'need podman',
    'need ps',
    ...asOwners,
    // The podman of one user must not keep the containers of the others running.
    'mute=',
    'users=; for uid in $(owners); do if answer=$(as "$uid" podman ps -q --no-trunc 2>&1); then users="$users $uid"; paused=$(as "$uid" podman ps -q --no-trunc --filter status=paused 2>/dev/null); [ -z "$paused" ] || as "$uid" podman unpause $paused >/dev/null 2>&1; else mute="$mute what podman of user $uid runs on $host cannot be listed: $(say "$answer" | tail -n 3 | tr "\\n" " ")"; fi; done',
    'running() { for uid in $users; do ids=$(as "$uid" podman ps -q --no-trunc) || return 1; for id in $ids; do [ "$id" = "$own" ] || say "$uid:$id"; done; done; }',
    'of() { uid=$1; shift; for one in "$@"; do case $one in ("$uid":*) say "${one#*:}" ;; esac; done; }',
    'users() { for one in "$@"; do say "${one%%:*}"; done | sort -u; }',
    unitsOf,
    'ask() { for uid in $(users "$@"); do { units=$(units_of as "$uid" podman); in_parts "as $uid podman stop -t $grace" $(of "$uid" "$@"); wait; [ -z "$units" ] || as "$uid" systemctl --user stop $units; } >/dev/null 2>&1 & done; }',
    'force() { for uid in $(users "$@"); do in_parts "as $uid podman kill" $(of "$uid" "$@"); done; }',
    'found() { ran podman "${1#*:}" "${1%%:*}"; }',
    `called() { for uid in $(users "$@"); do as "$uid" podman inspect -f '{{.Id}} {{.Name}}' $(of "$uid" "$@") | while read -r id known; do ran podman "$id" "$uid" "$known"; done; done; }`,
    `name() { printf '%s of %s' "$(as "\${1%%:*}" podman inspect -f '{{.Name}}' "\${1#*:}")" "$(id -nu "\${1%%:*}")"; }`,
    // In a subshell, which the report ends.
    '(',
    'finish() { exit "$1"; }',
    ...forceOff,
    ')',
    'status=$?',
    '[ -z "$mute" ] || { say "$mute"; status=1; }',
    'finish "$status"',
  ],
};
