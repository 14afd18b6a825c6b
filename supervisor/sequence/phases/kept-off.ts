// What a person must know of the containers of this host before a step of a plan stops them: which stay off at the next boot, and
// whether a swarm starts them again. Changes nothing.
import { keptOffIn, keptOffText, restartPolicyFormat } from '../../../shared/domain/commands/kept-off.js';
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { ActionOf } from '../../../shared/domain/actions/table.js';
import { enginesOf, rootless } from './containers.js';
import type { LocalDependencies } from './local-calls.js';
import { call } from './local-calls.js';
import { swarmRemark } from './swarm-node.js';

/** An engine lists its containers in less than a second. */
const listSeconds = 2;

export type ContainerAction = ActionOf<'stopContainers' | 'stopCompose'>;

/** Empty for nothing; of an engine that cannot be asked there is nothing. */
export async function containerRemarks(action: ContainerAction, deps: LocalDependencies): Promise<string> {
  const users = action.kind === 'stopContainers' && action.includeUserContainers ? rootless(deps) : [];
  const engines = [...enginesOf(action, deps), ...users.map(({ engine }) => engine)];
  const filter = action.kind === 'stopCompose' ? ['--filter', 'label=com.docker.compose.project'] : [];
  const signal = new AbortController().signal;
  const run = async (command: CommandLine): Promise<string> => {
    const ended = await call(deps, signal, listSeconds, command, 'listing');
    return ended.kind === 'exited' && ended.code === 0 ? ended.output : '';
  };
  const names = engines.map(async ({ command }) => {
    const listed = await run([...command, 'ps', '-q', '--no-trunc', ...filter]);
    const ids = listed.split('\n').filter((id) => /^[0-9a-f]{12,64}$/.test(id));
    if (ids.length === 0) return [];
    return keptOffIn(await run([...command, 'inspect', '--format', restartPolicyFormat, ...ids]));
  });
  const swarms =
    action.kind === 'stopContainers' ? engines.map((one) => swarmRemark(one, deps, signal, listSeconds)) : [];
  const [kept, remarks] = await Promise.all([Promise.all(names), Promise.all(swarms)]);
  // `docker` may be podman's own stand-in.
  return [keptOffText([...new Set(kept.flat())]), ...remarks]
    .filter((text) => (text ?? '') !== '')
    .join('; ');
}
