// What the scripts of the actions on containers share.
import { restartPolicyFormat } from '../commands/kept-off.js';
import { quoteWord } from '../commands/shell-words.js';
import type { ActionOrder } from './server-action.js';
import { prologue } from './stop-script.js';

/** The command line tools stop about fifty in parallel and the others later, so they get them in batches. */
const batchSize = 40;

/** Excludes the container of the daemon, which still has to send the final command of the host. */
export const own = ({ ownContainer }: ActionOrder): string => `own=${quoteWord(ownContainer ?? '')}`;

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
    `for tool in ${enginesOf(order.runtime).join(' ')}; do`,
    '  have "$tool" || continue',
    `  ${inspectAll(`$S "$tool" ps -q${filter}`, '$S "$tool" inspect')}`,
    ...more,
    'done',
    'finish 0',
  ];
