// The steps on this host: guests, containers, file systems. Their order and budgets.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { LocalSettings } from './settings.js';
import { shareOf, step } from './step.js';

/**
 * For asking all guests and destroying those that remain, in addition to `max_wait` (specification/sequence.md#phases).
 */
const aroundTheWaitSeconds = 10;
/** See specification/sequence.md#phases. */
const syncSeconds = 30;
/** Nothing else waits for a disk (specification/recovery.md#record). */
const recordSeconds = 2;
/** Killing takes a moment even with a stop timeout of 0. */
const minStopSeconds = 5;
/** A busy file server writes back a few seconds of work. */
const usualSyncSeconds = 5;

export function virtualMachineSteps({ virtualMachines }: LocalSettings): readonly PlanStep[] {
  if (virtualMachines === null) return [];
  const { uri, maxWaitSeconds } = virtualMachines;
  return [
    step('virtual_machines', 'guests', {
      target: 'virtual machines',
      action: { kind: 'stopVirtualMachines', uri, maxWaitSeconds },
      budgetSeconds: maxWaitSeconds + aroundTheWaitSeconds,
      estimateSeconds: shareOf(maxWaitSeconds),
    }),
  ];
}

type Containers = NonNullable<LocalSettings['containers']>;

/** Each compose project once. */
export function projectsOf({ compose }: Containers): Containers['compose'] {
  return [...new Map(compose.map((project) => [project.path, project])).values()];
}

/** The budget for stopping with this timeout. */
export function stopSecondsOf(stopTimeoutSeconds: number): number {
  return Math.max(minStopSeconds, stopTimeoutSeconds);
}

/** The compose projects together, then the remaining containers, each with its own budget. */
export function containerSteps({ containers }: LocalSettings): readonly PlanStep[] {
  if (containers === null) return [];
  const { runtime, includeUserContainers, stopTimeoutSeconds, allRemaining } = containers;
  const projects = projectsOf(containers);
  const projectSteps = projects.map((project) =>
    step('containers', project.path, {
      target: project.path,
      lane: 'containers',
      action: {
        kind: 'stopCompose',
        runtime,
        path: project.path,
        stopTimeoutSeconds: project.stopTimeoutSeconds,
      },
      budgetSeconds: stopSecondsOf(project.stopTimeoutSeconds),
      estimateSeconds: shareOf(project.stopTimeoutSeconds),
    }),
  );
  if (!allRemaining) return projectSteps;
  const rest = step('containers', 'remaining', {
    target: projects.length === 0 ? 'containers' : 'remaining containers',
    lane: 'containers',
    rank: 1,
    action: { kind: 'stopContainers', runtime, includeUserContainers, stopTimeoutSeconds },
    budgetSeconds: stopSecondsOf(stopTimeoutSeconds),
    estimateSeconds: shareOf(stopTimeoutSeconds),
  });
  return [...projectSteps, rest];
}

export function syncStep(phase: 'filesystem_sync' | 'final_sync'): PlanStep {
  return step(phase, 'sync', {
    target: 'file systems',
    action: { kind: 'sync' },
    budgetSeconds: syncSeconds,
    estimateSeconds: usualSyncSeconds,
    destructive: false,
  });
}

/** Beside the last sync: servers and containers have had their commands. */
export function recordStep(): PlanStep {
  return step('final_sync', 'record', {
    target: 'the record of who was up',
    lane: 'record',
    action: { kind: 'keepRecord' },
    budgetSeconds: recordSeconds,
    estimateSeconds: 0,
    destructive: false,
  });
}

type Mounts = LocalSettings['unmount']['mounts'];

/** Each mount once, with its rank: nested mounts first. */
export function mountsByRank(mounts: Mounts): readonly (Mounts[number] & Pick<PlanStep, 'rank'>)[] {
  const byPath = new Map(mounts.map(({ path, options }) => [path.replace(/\/+$/, ''), options]));
  const paths = [...byPath.keys()];
  return [...byPath].map(([path, options]) => ({ path, options, rank: levelsBelow(path, paths) }));
}

/** Nested mounts go first; independent mounts go in parallel. */
export function unmountSteps({ unmount: { mounts, timeoutSeconds } }: LocalSettings): readonly PlanStep[] {
  const ranked = mountsByRank(mounts);
  const paths = ranked.map(({ path }) => path);
  return ranked.map(({ path, options, rank }) =>
    step('filesystem_unmount', path, {
      target: path,
      lane: paths.filter((other) => liesIn(path, other)).sort((a, b) => a.length - b.length)[0] ?? path,
      rank,
      action: { kind: 'unmount', path, options },
      budgetSeconds: timeoutSeconds,
      estimateSeconds: shareOf(timeoutSeconds),
    }),
  );
}

const liesIn = (path: string, other: string): boolean => path.startsWith(`${other}/`);

/** How many levels of mounts must be unmounted before `path`. */
function levelsBelow(path: string, paths: readonly string[]): number {
  const below = paths.filter((other) => liesIn(other, path));
  return below.length === 0 ? 0 : 1 + Math.max(...below.map((other) => levelsBelow(other, paths)));
}
