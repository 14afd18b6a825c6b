// The running containers of this host that a step of a plan keeps off at the next boot. Changes nothing.
import { keptOffIn, restartPolicyFormat } from '../../../shared/domain/kept-off.js';
import type { CommandLine } from '../../../shared/domain/plan.js';
import type { ActionOf } from '../actuator.js';
import { enginesOf, rootless } from './containers.js';
import type { LocalDependencies } from './local-calls.js';
import { call } from './local-calls.js';

/** An engine lists its containers in less than a second. */
const listSeconds = 2;

/** By name; none of an engine that cannot be asked. */
export async function keptOff(
  action: ActionOf<'stopContainers'> | ActionOf<'stopCompose'>,
  deps: LocalDependencies,
): Promise<readonly string[]> {
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
  // `docker` may be podman's own stand-in.
  return [...new Set((await Promise.all(names)).flat())];
}
