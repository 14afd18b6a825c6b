// What the scripts of the actions on containers share.
import { restartPolicyFormat } from '../commands/kept-off.js';
import { quoteWord } from '../commands/shell-words.js';
import type { ActionOrder } from './server-action.js';
import { prologue } from './stop-script.js';

/** The command line tools stop about fifty in parallel and the others later, so they get them in batches. */
const batchSize = 40;

/** Excludes the container of the daemon, which still has to send the final command of the host. */
export const own = ({ ownContainer }: ActionOrder): string => `own=${quoteWord(ownContainer ?? '')}`;

/**
 * Defines `units_of PODMAN...`: the systemd units of its containers, but of that of the daemon, which systemd may start again after their stop (quadlets).
 * podman-compose names units whether they exist or not.
 */
export const unitsOf =
  `units_of() { "$@" ps --no-trunc --filter label=PODMAN_SYSTEMD_UNIT --format '{{.ID}} {{index .Labels "PODMAN_SYSTEMD_UNIT"}}' 2>/dev/null ` +
  `| while read -r id unit more; do [ "$id" != "$own" ] || continue; case $unit$more in (podman-compose@* | *[!A-Za-z0-9@._:-]* | -*) ;; (*.service) say "$unit" ;; esac; done; }`;

/**
 * Defines `own_docker`: from here on docker is the engine of this machine. A context (`docker context use`) or DOCKER_HOST may name that
 * of another one, whose containers nobody wants to stop. Fails with a message where sudo does not take the setting. A socket, such as
 * that of a rootless docker, stays. Asks no engine.
 */
export const ownDocker: readonly string[] = [
  'docker_at() { $S docker context inspect --format "{{.Endpoints.docker.Host}}" 2>/dev/null; }',
  'is_far() { case $1 in (*://127.* | *://localhost* | *"://[::1]"*) return 1 ;; (tcp:* | ssh:* | http:* | https:*) ;; (*) return 1 ;; esac; }',
  'own_docker() {',
  '  is_far "$(docker_at)" || return 0',
  '  unset DOCKER_HOST; DOCKER_CONTEXT=default; export DOCKER_CONTEXT',
  '  at=$(docker_at); ! is_far "$at" || { say " docker of $host is set to another machine ($at): what it runs here is not stopped"; return 1; }',
  '}',
];

/** Defines `in_parts COMMAND ID...`: runs the command for these ids in parts, all parts in parallel. */
export const inParts = [
  'in_parts() {',
  '  command=$1; shift',
  '  while [ $# -gt 0 ]; do',
  '    part=; n=0',
  `    while [ $# -gt 0 ] && [ "$n" -lt ${String(batchSize)} ]; do part="$part $1"; n=$((n + 1)); shift; done`,
  '    $command $part >/dev/null 2>&1 &',
  '  done',
  '}',
];

export const enginesOf = (runtime: ActionOrder['runtime']): readonly string[] =>
  runtime === 'podman' || runtime === 'docker' ? [runtime] : ['docker', 'podman'];

export const stopsOf = (tool: string): readonly string[] => [`${tool} stop`, `${tool} kill`];

/** `list` and `inspect` end in their options. */
export const inspectAll = (list: string, inspect: string): string =>
  `ids=$(${list} --no-trunc 2>/dev/null) && [ -z "$ids" ] || ${inspect} --format ${quoteWord(restartPolicyFormat)} $ids 2>/dev/null`;

export const policiesOf =
  (filter: string, more: readonly string[] = []) =>
  (order: ActionOrder): readonly string[] => [
    ...prologue(order),
    ...ownDocker,
    `for tool in ${enginesOf(order.runtime).join(' ')}; do`,
    '  have "$tool" || continue',
    '  [ "$tool" != docker ] || own_docker || continue',
    `  ${inspectAll(`$S "$tool" ps -q${filter}`, '$S "$tool" inspect')}`,
    ...more,
    'done',
    'finish 0',
  ];
