// Stops a compose project; on a server several, side by side.
import * as t from 'io-ts';
import { finite } from '../base/units.js';
import { kind, need } from './kind.js';
import { quoteWord } from '../commands/shell-words.js';
import { inParts, own, ownDocker, policiesOf, stopsOf } from './container-script.js';
import type { ActionOrder, ServerAction } from './server-action.js';
import { ContainerRuntime } from './server-action.js';
import { forceOff, prologue, timesWithin } from './stop-script.js';

const ofPodman = ['podman-compose', 'podman compose'];
const ofDocker = ['docker compose', 'docker-compose'];
/** The first one present runs the projects. */
export const composers = { auto: [...ofPodman, ...ofDocker], podman: ofPodman, docker: ofDocker } as const;

export const stopCompose = kind({
  name: 'stopCompose',
  properties: { runtime: ContainerRuntime, path: t.string, stopTimeoutSeconds: finite },
  words: ({ path, stopTimeoutSeconds }) =>
    `stop the compose project ${path} within ${String(stopTimeoutSeconds)} s`,
  needs: ({ runtime }) => [
    need(
      [...new Set(composers[runtime].map((composer) => composer.replace(/ .*/, '')))],
      'containers.compose_files',
      'projects would not be stopped in order',
    ),
  ],
  runsInMounts: true,
});

const composersOf = (runtime: ActionOrder['runtime']): readonly string[] =>
  runtime === null ? [...ofDocker, ...[...ofPodman].reverse()] : composers[runtime];

export const stopComposeOnServer: ServerAction = {
  stops: composers.auto.flatMap(stopsOf),
  needs: ({ runtime }) => composersOf(runtime).map((composer) => `${composer} version`),
  policies: policiesOf(' --filter label=com.docker.compose.project'),
  lines: (order) => [
    ...prologue(order),
    own(order),
    ...inParts,
    ...ownDocker,
    'tool=; runtime=',
    `for one in ${composersOf(order.runtime).map(quoteWord).join(' ')}; do`,
    '  [ -z "$tool" ] && have "${one%% *}" && $S $one version >/dev/null 2>&1 || continue',
    '  tool=$one; case $one in podman*) runtime=podman ;; *) runtime=docker ;; esac',
    'done',
    `[ -n "$tool" ] || { say "no compose (looked for: ${composersOf(order.runtime).join(', ')}) is installed on $host"; finish 1; }`,
    '[ "$runtime" != docker ] || own_docker || finish 1',
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
    'found() { ran "$runtime" "$1"; }',
    `called() { $S $runtime inspect -f '{{.Id}} {{.Name}}' "$@" | while read -r id known; do ran "$runtime" "$id" "" "\${known#/}"; done; }`,
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
      return `( finish() { exit "$1"; }; project=${quoteWord(path)} ${times}; down ) & shells="$shells $!"`;
    }),
    'status=0',
    'for one in $shells; do wait "$one" || status=1; done',
    'finish "$status"',
  ],
};
