// The plan of a group by specification/sequence.md#the-plan, computed from the site and not by supervisor/, whose plan
// is judged by it.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { ServerSpec } from '../plant/plant.js';
import type { Policies, Site } from '../scenario.js';

/** The phases by their place (specification/sequence.md#phases). */
const phases = {
  machines: 0,
  containers: 1,
  sync: 2,
  unmount: 3,
  servers: 4,
  finalSync: 5,
  outputs: 6,
  host: 7,
};

/** The other budgets (specification/sequence.md#phases). Destroying guests after `max_wait` takes its time. */
const budgets = {
  sync: 30_000,
  wall: 5_000,
  output: 10_000,
  nutCommand: 5_000,
  host: 30_000,
  destroying: 10_000,
};

export interface ExpectedStep {
  /** The name of the step, as by `keyOf` and `keyOfCommand`. */
  readonly key: string;
  readonly phase: number;
  /** Steps of a lane run by ascending rank, equal ranks in parallel. */
  readonly lane: string;
  readonly rank: number;
  /** Starts with the sequence and not with its phase. */
  readonly isAhead: boolean;
  readonly budgetMs: number;
  /** The specification leaves the budget open: only that it is kept is judged. */
  readonly isBudgetOurs: boolean;
  readonly isDestructive: boolean;
  /** Minimum budget after a restart. */
  readonly leastMs: number;
}

export const serverKey = (name: string): string => `server ${name}`;
export const isServer = ({ key }: ExpectedStep): boolean => key.startsWith('server ');
/** The wait for a server to be off. */
export const isOff = ({ key }: ExpectedStep): boolean => key.startsWith('off ');
const offKey = (name: string): string => `off ${name}`;
/** Each sequence has its own of these, also where several have the same. */
export const isOfEach = (key: string): boolean => key === 'wall' || key.startsWith('off ');
export const isBeforeFinalSync = ({ phase }: ExpectedStep): boolean => phase < phases.finalSync;
const outputKey = (ups: string): string => `output ${ups}`;

/** Undefined for a try, which is no step here. */
export function keyOf({ id, action, phase }: PlanStep): string | undefined {
  switch (action.kind) {
    case 'stopVirtualMachines':
      return 'machines';
    case 'stopCompose':
      return `compose ${action.path}`;
    case 'stopContainers':
      return 'containers';
    case 'sync':
      return phase;
    case 'unmount':
      return `unmount ${action.path}`;
    case 'remote':
      return action.work.final === null ? keyOnDelegate(id, phase) : serverKey(action.work.server);
    case 'awaitOff':
      return offKey(action.server);
    case 'commandAgain':
    case 'keepRecord':
    case 'forceShutdown':
    case 'powerdownFlag':
      return undefined;
    case 'upsOutputOff':
      return outputKey(action.ups);
    case 'wall':
      return 'wall';
    case 'poweroff':
    case 'poweroffDelegate':
      return 'host';
    default:
      return unreachable(action);
  }
}

/** In a container: the local work, one login for each step. */
function keyOnDelegate(id: string, phase: PlanStep['phase']): string {
  if (id.endsWith('/wall')) return 'wall';
  if (phase === 'containers') return id.endsWith('/projects') ? 'projects' : 'containers';
  return { virtual_machines: 'machines', filesystem_unmount: 'unmounts' }[String(phase)] ?? phase;
}

export function isWall([program]: CommandLine): boolean {
  return program === 'wall';
}

/** `powersOffHost`: the plan of this group powers off the host. */
export function expectedPlan(
  { plant, localShutdown }: Site,
  { ups, groups }: Policies,
  group: string,
  powersOffHost: boolean,
): readonly ExpectedStep[] {
  const own = [...ups, ...groups].find(({ groupId }) => groupId === group);
  const delegate = own?.isLocal === true ? plant.delegate : null;
  const local = delegate === null ? localSteps : delegateSteps;
  const steps: ExpectedStep[] = own?.isLocal === true ? [...local(plant, powersOffHost)] : [];
  const loginMs = (delegate?.connectSeconds ?? 0) * 1000;
  const drained = powersOffHost && plant.drain;
  const servers = plant.servers.filter(({ owner }) => owner === group || drained);
  const written = servers.length > 0 || steps.some(({ phase }) => phase === phases.unmount);
  const feeds = groups.find(({ groupId }) => groupId === group)?.members ?? [group];
  const cuts = localShutdown.enabled && plant.outputs.some(({ ups: output }) => feeds.includes(output));
  steps.push(...servers.map(serverStep), ...waitSteps(servers, cuts));
  if (own?.isLocal === true && plant.sync !== null && powersOffHost && written)
    steps.push(step('final_sync', phases.finalSync, budgets.sync + loginMs, { isDestructive: false }));
  for (const { ups: output } of localShutdown.enabled ? plant.outputs : []) {
    if (feeds.includes(output))
      steps.push(step(outputKey(output), phases.outputs, budgets.output, { leastMs: budgets.nutCommand }));
  }
  if (!powersOffHost) return withOrder(steps);
  const hostMs = delegate === null ? budgets.host : serverMs(delegate);
  steps.push(step('host', phases.host, hostMs, { leastMs: hostMs }));
  const first = Math.min(...steps.map(({ phase }) => phase));
  if (plant.wall !== null) steps.push(step('wall', first, budgets.wall + loginMs, { isDestructive: false }));
  return withOrder(steps);
}

/** "Order comes first": what comes after a step that begins with its phase begins no earlier, whoever runs that step. */
function withOrder(steps: readonly ExpectedStep[]): readonly ExpectedStep[] {
  const holds = (before: ExpectedStep, { lane, phase, rank }: ExpectedStep): boolean =>
    before.lane === lane && before.phase === phase && before.rank < rank && !before.isAhead;
  return steps.map((one) => ({ ...one, isAhead: one.isAhead && !steps.some((other) => holds(other, one)) }));
}

/** The bound of a plan: the sum over phases of the longest of the parallel lanes. */
export function boundOf(steps: readonly ExpectedStep[]): number {
  let boundMs = 0;
  for (const phase of Object.values(phases)) {
    const beganMs = boundMs;
    const own = steps.filter((one) => one.phase === phase);
    for (const lane of new Set(own.map((one) => one.lane))) {
      const inLane = own.filter((one) => one.lane === lane);
      let laneMs = 0;
      for (const rank of [...new Set(inLane.map((one) => one.rank))].sort((a, b) => a - b)) {
        const endsMs = inLane
          .filter((one) => one.rank === rank)
          .map(({ isAhead, budgetMs }) => Math.max(laneMs, isAhead ? 0 : beganMs) + budgetMs);
        laneMs = Math.max(...endsMs);
      }
      boundMs = Math.max(boundMs, laneMs);
    }
  }
  return boundMs;
}

function localSteps(
  { machines, containers, sync, unmounts }: Site['plant'],
  powersOffHost: boolean,
): readonly ExpectedStep[] {
  const steps: ExpectedStep[] = [];
  if (machines !== null)
    steps.push(
      step('machines', phases.machines, machines.maxWaitSeconds * 1000 + budgets.destroying, {
        isBudgetOurs: true,
      }),
    );
  for (const { path, stopSeconds } of containers?.projects ?? [])
    steps.push(step(`compose ${path}`, phases.containers, stopSeconds * 1000, { lane: 'containers' }));
  if (containers?.remaining === true)
    steps.push(
      step('containers', phases.containers, containers.stopSeconds * 1000, { lane: 'containers', rank: 1 }),
    );
  const unmounting = (unmounts?.paths ?? []).map((path) =>
    step(`unmount ${path}`, phases.unmount, (unmounts?.timeoutSeconds ?? 0) * 1000),
  );
  // A sync is only planned if something ends on this host.
  if (sync !== null && (powersOffHost || steps.length > 0 || unmounting.length > 0))
    steps.push(step('filesystem_sync', phases.sync, budgets.sync, { isDestructive: false }));
  return [...steps, ...unmounting];
}

/** The same in a container: each step is a login, the projects and the mounts are one each. */
function delegateSteps(plant: Site['plant'], powersOffHost: boolean): readonly ExpectedStep[] {
  const { delegate, unmounts } = plant;
  const loginMs = (delegate?.connectSeconds ?? 0) * 1000;
  const steps = localSteps(plant, powersOffHost).map((one) => ({ ...one, budgetMs: one.budgetMs + loginMs }));
  const others = steps.filter(({ key }) => !/^(?:compose|unmount) /.test(key));
  const projects = steps.filter(({ key }) => key.startsWith('compose '));
  const [project] = projects;
  if (project !== undefined)
    others.push({
      ...project,
      key: 'projects',
      budgetMs: Math.max(...projects.map(({ budgetMs }) => budgetMs)),
    });
  const mounts = unmounts?.paths.length ?? 0;
  if (unmounts !== null && mounts > 0)
    others.push(step('unmounts', phases.unmount, unmounts.timeoutSeconds * mounts * 1000 + loginMs));
  return others;
}

function serverMs({ connectSeconds, commandSeconds, marginSeconds, actionSeconds }: ServerSpec): number {
  const actions = actionSeconds.reduce((sum, seconds) => sum + seconds, 0);
  return (connectSeconds + actions + commandSeconds + marginSeconds) * 1000;
}

function serverStep(server: ServerSpec): ExpectedStep {
  const { name, owner, order, when, connectSeconds, commandSeconds } = server;
  return step(serverKey(name), phases.servers, serverMs(server), {
    lane: owner,
    rank: order,
    isAhead: when === 'with_local',
    leastMs: (connectSeconds + commandSeconds) * 1000,
  });
}

/** Between the orders of one lane; after the last one where an output is cut. */
function waitSteps(servers: readonly ServerSpec[], isAfterLast: boolean): readonly ExpectedStep[] {
  const steps = servers.map((server) => ({ server, command: serverStep(server) }));
  return steps.flatMap(({ server: { name, haltSeconds }, command: { lane, rank, isAhead } }) => {
    const hasNext = steps.some(({ command }) => command.lane === lane && command.rank > rank);
    if (haltSeconds === null || !(hasNext || isAfterLast)) return [];
    // The worker is asked once in any case.
    const leastMs = 1_000;
    const about = { lane, rank: rank + 1, isAhead, leastMs, isBudgetOurs: true, isDestructive: false };
    return [step(offKey(name), phases.servers, haltSeconds * 1000, about)];
  });
}

function step(key: string, phase: number, budgetMs: number, about: Partial<ExpectedStep> = {}): ExpectedStep {
  return {
    key,
    phase,
    lane: key,
    rank: 0,
    isAhead: false,
    budgetMs,
    isBudgetOurs: false,
    isDestructive: true,
    leastMs: 0,
    ...about,
  };
}
