// One container engine of one user: lists its running containers, stops all together, names those that still run.
import { listNames } from '../../../shared/domain/base/list-names.js';
import type { CommandOutcome } from '../../host/run-command.js';
import type { ReportFound } from '../actuator.js';
import type { Engine } from './engine.js';
import type { LocalDependencies, StepTime } from './local-calls.js';
import { call, faultOf, pause } from './local-calls.js';
import type { SwarmNode } from './swarm-node.js';
import { drainNode } from './swarm-node.js';

/** An engine lists its containers in less than a second; after ten it hangs. */
const listSeconds = 10;
/** The part of the budget for the engine to kill containers that ignore their signal, and for the second listing. */
const reserveSeconds = 8;
/** Podman stops at least four at the same time on any machine; more in one call would wait for each other. */
const podmanAtOnce = 4;
/** The client of docker stops fifty at the same time, and the others after them. */
const dockerAtOnce = 40;

/** A swarm starts a task again 5 s after its end, unless the service says otherwise. */
const swarmSeconds = 7;

export type EngineEnd =
  | { readonly kind: 'done' }
  /** The program is not installed. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unlisted'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

interface Container {
  readonly id: string;
  readonly name: string;
}

/** Stops every container of `engine` but the daemon's own; the engine kills the rest after `stopTimeoutSeconds`. */
export async function stopContainers(
  engine: Engine,
  deps: LocalDependencies,
  stopTimeoutSeconds: number,
  time: StepTime,
  signal: AbortSignal,
  found: ReportFound,
): Promise<EngineEnd> {
  const reserve = Math.min(reserveSeconds, time.leftSeconds / 4);
  const list = async (seconds: number, filter: readonly string[] = []) => {
    const words = [...engine.command, 'ps', '--no-trunc', ...filter, '--format', '{{.ID}} {{.Names}}'];
    const outcome = await call(deps, signal, seconds, words, 'listing');
    if (outcome.kind === 'exited' && outcome.code === 0)
      return containersOf(outcome.output).filter(({ id }) => id !== deps.host.ownContainerId);
    return outcome;
  };
  const looked = Math.min(listSeconds, time.leftSeconds / 3);
  // Podman neither lists nor stops a paused container; docker does both.
  const [first, paused, units] = await Promise.all([
    list(looked),
    engine.kind === 'podman' ? list(looked, ['--filter', 'status=paused']) : [],
    engine.kind === 'podman' ? unitsOf(engine, deps, signal, looked) : [],
  ]);
  const ids = isListing(paused) ? paused.map(({ id }) => id) : [];
  if (ids.length > 0) await call(deps, signal, looked, [...engine.command, 'unpause', ...ids]);
  const running = ids.length > 0 ? await list(Math.min(listSeconds, time.leftSeconds / 3)) : first;
  if (!isListing(running)) return listFailure(engine, running);
  if (running.length === 0) return done;
  found(running.map(({ id, name }) => ({ engine: engine.kind, id, name, user: engine.user })));
  // Beside the stop: a swarm that has lost its quorum must not delay it.
  const node = drainNode(engine, deps, signal, time.leftSeconds);
  const seconds = Math.round(Math.min(stopTimeoutSeconds, Math.max(0, time.leftSeconds - reserve)));
  const limit = Math.max(0, time.leftSeconds - reserve / 2);
  const stopped = await Promise.all(
    chunks(running, engine.kind === 'podman' ? podmanAtOnce : dockerAtOnce).map((part) => {
      const ids = part.map(({ id }) => id);
      return call(deps, signal, limit, [...engine.command, 'stop', '-t', String(seconds), ...ids]);
    }),
  );
  const fault = stopped.map(faultOf).find((reason) => reason !== undefined);
  if (units.length > 0) await stopUnits(engine, deps, signal, units, time.leftSeconds / 2);
  const left = await list(time.leftSeconds * 0.9);
  if (isListing(left)) {
    if (left.length === 0) return awaitSwarm(engine, deps, await node, list, time, signal);
    const names = listNames(left.map(({ name }) => name));
    return {
      kind: 'failed',
      reason: `${engine.label}: still running: ${names}${fault === undefined ? '' : ` (${fault})`}`,
    };
  }
  if (fault === undefined) return done;
  const names = listNames(running.map(({ name }) => name));
  return {
    kind: 'failed',
    reason: `${engine.label}: ${fault}; it is not known which of these still run: ${names}`,
  };
}

const done: EngineEnd = { kind: 'done' };

const unitLabel = 'PODMAN_SYSTEMD_UNIT';

/** The units of its containers, which systemd may start again (quadlets). podman-compose names units whether they exist or not. */
async function unitsOf(
  { command }: Engine,
  deps: LocalDependencies,
  signal: AbortSignal,
  seconds: number,
): Promise<readonly string[]> {
  const format = `{{.ID}} {{index .Labels "${unitLabel}"}}`;
  const words = [...command, 'ps', '--no-trunc', '--filter', `label=${unitLabel}`, '--format', format];
  const outcome = await call(deps, signal, seconds, words, 'listing');
  if (outcome.kind !== 'exited' || outcome.code !== 0) return [];
  const units = containersOf(outcome.output)
    .filter(({ id }) => id !== deps.host.ownContainerId)
    .map(({ name }) => name)
    .filter((unit) => /^(?!-|podman-compose@)[A-Za-z0-9@._:-]{1,256}\.service$/.test(unit));
  return [...new Set(units)];
}

/** Ends what systemd has started again, or is about to. Their containers have stopped before, within the time of the file. */
async function stopUnits(
  { command, user }: Engine,
  deps: LocalDependencies,
  signal: AbortSignal,
  units: readonly string[],
  seconds: number,
): Promise<void> {
  const systemctl = ['systemctl', ...(user === null ? [] : ['--user'])];
  await call(deps, signal, seconds, [...command.slice(0, -1), ...systemctl, 'stop', ...units]);
}

type List = (seconds: number) => Promise<readonly Container[] | CommandOutcome>;

/** Everything has stopped: whether a swarm has started it again, within the time of the step. What it started before its node was drained is stopped again. */
async function awaitSwarm(
  { label, command }: Engine,
  deps: LocalDependencies,
  node: SwarmNode,
  list: List,
  time: StepTime,
  signal: AbortSignal,
): Promise<EngineEnd> {
  if (node.kind === 'elsewhere') return done;
  const untilLeft = Math.max(1, time.leftSeconds - swarmSeconds);
  let back: readonly Container[] = [];
  while (time.leftSeconds > untilLeft && !signal.aborted) {
    await pause(deps, signal, 1_000);
    const again = await list(time.leftSeconds * 0.9);
    if (!isListing(again)) continue;
    back = again;
    if (back.length === 0) continue;
    if (node.kind === 'open') break;
    const words = [
      ...command,
      'stop',
      '-t',
      String(Math.floor(time.leftSeconds / 2)),
      ...back.map(({ id }) => id),
    ];
    await call(deps, signal, time.leftSeconds * 0.8, words);
    const rest = await list(time.leftSeconds * 0.9);
    if (isListing(rest)) back = rest;
  }
  if (back.length === 0) return done;
  const why =
    node.kind === 'open'
      ? `and this node could not be drained: ${node.reason}`
      : 'though this node is drained';
  return {
    kind: 'failed',
    reason: `${label}: still running: ${listNames(back.map(({ name }) => name))} (started again by a swarm after its stop, ${why})`,
  };
}

/** A missing program: the launcher reports it, or nsenter, setpriv and env with exit status 127. */
export function isAbsent(outcome: CommandOutcome): boolean {
  return outcome.kind === 'unstartable' || (outcome.kind === 'exited' && outcome.code === 127);
}

function listFailure({ label, kind }: Engine, outcome: CommandOutcome): EngineEnd {
  if (isAbsent(outcome)) return { kind: 'absent' };
  // The client is installed and its daemon does not run: there are no containers.
  const output = 'output' in outcome ? outcome.output : '';
  if (kind === 'docker' && /is the docker daemon running|and if the daemon is running/i.test(output))
    return { kind: 'absent' };
  return { kind: 'unlisted', reason: `${label}: could not list containers: ${faultOf(outcome) ?? ''}` };
}

function isListing(listed: readonly Container[] | CommandOutcome): listed is readonly Container[] {
  return Array.isArray(listed);
}

/** Lines of an id and a name; other lines are warnings of the engine. */
function containersOf(listing: string): readonly Container[] {
  return listing.split('\n').flatMap((line) => {
    const [, id, name] = /^([0-9a-f]{12,64})\s+(\S.*)$/.exec(line.trim()) ?? [];
    return id === undefined || name === undefined ? [] : [{ id, name }];
  });
}

function chunks<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}
