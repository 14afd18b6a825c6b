// Actions on containers: of Docker and Podman, of the rootless Podman of users, and compose projects.
import type { Action, ActionOrder } from './action.js';
import { forceOff, prologue, timesWithin } from './action.js';
import { restartPolicyFormat, swarmFormat } from '../../../shared/domain/commands/kept-off.js';
import { quoted } from '../../../shared/domain/commands/shell-words.js';

/** The command line tools stop about fifty in parallel and the others later, so they get them in batches. */
const batchSize = 40;

/** Excludes the container of the daemon, which still has to send the final command of the host. */
const own = ({ ownContainer }: ActionOrder): string => `own=${quoted(ownContainer ?? '')}`;

/** Defines `in_parts COMMAND ID...`: runs the command for these ids in parts, all parts in parallel. */
const inParts = [
  'in_parts() {',
  '  command=$1; shift',
  '  while [ $# -gt 0 ]; do',
  '    part=; n=0',
  `    while [ $# -gt 0 ] && [ "$n" -lt ${String(batchSize)} ]; do part="$part $1"; n=$((n + 1)); shift; done`,
  '    $command $part >/dev/null 2>&1 &',
  '  done',
  '}',
];

const enginesOf = (runtime: ActionOrder['runtime']): readonly string[] =>
  runtime === 'podman' || runtime === 'docker' ? [runtime] : ['docker', 'podman'];

/** The first one present runs the projects, in the same order as on this host. */
function composersOf(runtime: ActionOrder['runtime']): readonly string[] {
  const ofDocker = ['docker compose', 'docker-compose'];
  switch (runtime) {
    case null:
      return [...ofDocker, 'podman compose', 'podman-compose'];
    case 'auto':
      return ['podman-compose', 'podman compose', ...ofDocker];
    case 'podman':
      return ['podman-compose', 'podman compose'];
    case 'docker':
      return ofDocker;
  }
}

/** `list` and `inspect` end in their options. */
const inspectAll = (list: string, inspect: string): string =>
  `ids=$(${list} --no-trunc 2>/dev/null) && [ -z "$ids" ] || ${inspect} --format ${quoted(restartPolicyFormat)} $ids 2>/dev/null`;

const policiesOf =
  (filter: string, more: readonly string[] = []) =>
  (order: ActionOrder): readonly string[] => [
    ...prologue(order),
    `for tool in ${enginesOf(order.runtime).join(' ')}; do`,
    '  have "$tool" || continue',
    `  ${inspectAll(`$S "$tool" ps -q${filter}`, '$S "$tool" inspect')}`,
    ...more,
    'done',
    'finish 0',
  ];

export const stopContainers: Action = {
  needs: ({ runtime }) => [enginesOf(runtime).map((engine) => `${engine} ps -q`)],
  policies: policiesOf('', [
    `  [ "$tool" != docker ] || $S docker info --format ${quoted(swarmFormat)} 2>/dev/null`,
  ]),
  lines: (order) => [
    ...prologue(order),
    own(order),
    ...inParts,
    `engines=${quoted(enginesOf(order.runtime).join(' '))}`,
    // A container is written TOOL:ID.
    'running() { for tool in $tools; do ids=$($S "$tool" ps -q --no-trunc) || return 1; for id in $ids; do [ "$id" = "$own" ] || say "$tool:$id"; done; done; }',
    'only() { tool=$1; shift; for one in "$@"; do case $one in ("$tool":*) say "${one#*:}" ;; esac; done; }',
    'ask() { for tool in $tools; do in_parts "$S $tool stop -t $grace" $(only "$tool" "$@"); done; }',
    'force() { for tool in $tools; do in_parts "$S $tool kill" $(only "$tool" "$@"); done; }',
    `name() { $S "\${1%%:*}" inspect -f '{{.Name}}' "\${1#*:}" | sed 's,^/,,'; }`,
    // An engine that fails or hangs must not keep the containers of the other running: each in a subshell that its report ends.
    // Docker without its daemon runs nothing: 3.
    'down() {',
    '  answer=$($S "$tool" ps -q 2>&1) || case $answer in',
    '    (*"docker daemon running"* | *"and if the daemon is running"*) exit 3 ;;',
    '    (*) say " what $tool runs on $host cannot be listed: $(say "$answer" | tail -n 3 | tr "\\n" " ")"; exit 1 ;;',
    '  esac',
    '  tools=$tool',
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

const asOwners = [
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

export const stopContainersRootless: Action = {
  needs: () => [['podman ps -q']],
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
    'users=; for uid in $(owners); do if answer=$(as "$uid" podman ps -q --no-trunc 2>&1); then users="$users $uid"; else mute="$mute what podman of user $uid runs on $host cannot be listed: $(say "$answer" | tail -n 3 | tr "\\n" " ")"; fi; done',
    'running() { for uid in $users; do ids=$(as "$uid" podman ps -q --no-trunc) || return 1; for id in $ids; do [ "$id" = "$own" ] || say "$uid:$id"; done; done; }',
    'of() { uid=$1; shift; for one in "$@"; do case $one in ("$uid":*) say "${one#*:}" ;; esac; done; }',
    'users() { for one in "$@"; do say "${one%%:*}"; done | sort -u; }',
    'ask() { for uid in $(users "$@"); do in_parts "as $uid podman stop -t $grace" $(of "$uid" "$@"); done; }',
    'force() { for uid in $(users "$@"); do in_parts "as $uid podman kill" $(of "$uid" "$@"); done; }',
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

export const stopCompose: Action = {
  needs: ({ runtime }) => [composersOf(runtime).map((composer) => `${composer} version`)],
  policies: policiesOf(' --filter label=com.docker.compose.project'),
  lines: (order) => [
    ...prologue(order),
    own(order),
    ...inParts,
    'tool=; runtime=',
    `for one in ${composersOf(order.runtime).map(quoted).join(' ')}; do`,
    '  [ -z "$tool" ] && have "${one%% *}" && $S $one version >/dev/null 2>&1 || continue',
    '  tool=$one; case $one in podman*) runtime=podman ;; *) runtime=docker ;; esac',
    'done',
    `[ -n "$tool" ] || { say "no compose (looked for: ${composersOf(order.runtime).join(', ')}) is installed on $host"; finish 1; }`,
    'compose() { $S $tool -f "$project" "$@"; }',
    // Some versions list stopped containers too.
    `running() { ids=$(compose ps -q) || return 1; [ -z "$ids" ] || $S $runtime inspect -f '{{.State.Running}} {{.Id}}' $ids | while read -r runs id; do [ "$runs" != true ] || [ "$id" = "$own" ] || say "$id"; done; }`,
    // Compose keeps the order of dependencies, but would stop the service of the daemon too.
    'ask() {',
    '  if [ -n "$own" ] && compose ps -q 2>/dev/null | grep -q "$own"; then in_parts "$S $runtime stop -t $grace" "$@"',
    '  else compose stop -t "$grace" >/dev/null 2>&1 &',
    '  fi',
    '}',
    'force() { in_parts "$S $runtime kill" "$@"; }',
    `name() { $S $runtime inspect -f '{{.Name}}' "$1" | sed 's,^/,,'; }`,
    'down() {',
    '  [ -e "$project" ] || { say "$project does not exist on $host"; finish 1; }',
    '  what="what runs of $project"',
    '  [ ! -d "$project" ] || for file in compose.yaml compose.yml docker-compose.yaml docker-compose.yml; do',
    '    [ ! -d "$project" ] || [ ! -f "$project/$file" ] || project=$project/$file',
    '  done',
    ...forceOff,
    '}',
    // In parallel, each in a subshell that its report ends; one watchdog for all of them.
    'shells=',
    ...order.projects.map(({ path, timeoutSeconds }) => {
      const times = timesWithin(Math.min(timeoutSeconds, order.seconds));
      return `( finish() { exit "$1"; }; project=${quoted(path)} ${times}; down ) & shells="$shells $!"`;
    }),
    'status=0',
    'for one in $shells; do wait "$one" || status=1; done',
    'finish "$status"',
  ],
};
