// The local phases of a daemon in a container: done on the container's host, over SSH, as work for that server.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { PhaseName, PlanStep } from '../../../shared/domain/outage/plan.js';
import type { PreShutdownAction } from '../../../shared/domain/actions/remote-work.js';
import { shellWord } from '../../../shared/domain/commands/shell-words.js';
import { poweroffLine } from '../../../shared/domain/commands/shutdown-line.js';
import { mountsByRank, projectsOf, stopSecondsOf } from './local-steps.js';
import { wallMessage, wallSeconds } from './power-steps.js';
import { timesOf } from './remote-steps.js';
import type { LocalSettings, PlanSettings, ServerSettings } from './settings.js';
import { step } from './step.js';

/** As for local steps (specification/sequence.md#phases). */
const syncSeconds = 30;
const aroundTheWaitSeconds = 10;

/** The phases as on the host itself, with one login per step. */
export function delegateSteps(delegate: ServerSettings, local: LocalSettings): readonly PlanStep[] {
  const { virtualMachines, containers, unmount, sync } = local;
  return [
    ...(virtualMachines === null ? [] : [guestStep(delegate, virtualMachines)]),
    ...(containers === null ? [] : containerSteps(delegate, containers)),
    ...(sync ? [syncStep(delegate, 'filesystem_sync')] : []),
    ...(unmount.mounts.length === 0 ? [] : [unmountStep(delegate, unmount)]),
  ];
}

export function delegateFinalSync(delegate: ServerSettings): PlanStep {
  return syncStep(delegate, 'final_sync');
}

/** As on the host itself, in parallel to the first phase. */
export function delegateWall(delegate: ServerSettings, settings: PlanSettings, phase: PhaseName): PlanStep {
  const command = shellLine(['wall', '--', wallMessage(settings)]);
  return stepOn(
    delegate,
    phase,
    { ...predefined('command', wallSeconds), command },
    {
      id: `${phase}/users/wall`,
      target: `logged-in users on ${delegate.work.server}`,
      lane: 'users/wall',
      destructive: false,
    },
  );
}

/**
 * The power-off of the host: the delegate's preparations, then its `shutdown_command` verbatim, or
 * `local_shutdown.command` as a shell line.
 */
export function delegatePoweroff(delegate: ServerSettings, { poweroff }: PlanSettings): PlanStep {
  const { command, message, fallback } = poweroff;
  const { user, final } = delegate.work;
  const lineOf = (words: CommandLine) => poweroffLine(words, message, user);
  const work = { ...delegate.work, final: final ?? lineOf(command) };
  return step('local_poweroff', 'host', {
    target: delegate.work.server,
    action: {
      kind: 'poweroffDelegate',
      work,
      fallback: fallback === null ? null : lineOf(fallback),
      ...(delegate.restart === undefined ? {} : { restart: delegate.restart }),
    },
    ...timesOf({ ...delegate, work }),
  });
}

function guestStep(
  delegate: ServerSettings,
  { uri, maxWaitSeconds }: NonNullable<LocalSettings['virtualMachines']>,
): PlanStep {
  const action = predefined('stop_vms', maxWaitSeconds + aroundTheWaitSeconds);
  return stepOn(delegate, 'virtual_machines', { ...action, uri });
}

/**
 * The compose projects together, then all remaining containers and those of users. The projects are one step: sshd
 * refuses many concurrent logins (MaxStartups).
 */
function containerSteps(
  delegate: ServerSettings,
  containers: NonNullable<LocalSettings['containers']>,
): readonly PlanStep[] {
  const { runtime, includeUserContainers, stopTimeoutSeconds, allRemaining } = containers;
  const projects = projectsOf(containers).map((project) => ({
    path: project.path,
    timeoutSeconds: stopSecondsOf(project.stopTimeoutSeconds),
  }));
  const stop = (name: string, what: string, rank: number, action: PreShutdownAction) => {
    const target = `${what} on ${delegate.work.server}`;
    return stepOn(delegate, 'containers', action, { id: `containers/${name}`, target, rank });
  };
  const restSeconds = stopSecondsOf(stopTimeoutSeconds);
  const together = { ...predefined('stop_compose', maxTimeoutSeconds(projects)), projects, runtime };
  const rest = { ...predefined('stop_containers', restSeconds), runtime };
  const ofUsers = predefined('stop_containers_rootless', restSeconds);
  return [
    ...(projects.length === 0 ? [] : [stop('projects', 'compose projects', 0, together)]),
    ...(allRemaining ? [stop('remaining', 'containers', 1, rest)] : []),
    ...(allRemaining && includeUserContainers ? [stop('users', 'containers of users', 1, ofUsers)] : []),
  ];
}

/** One after the other, nested mounts first. */
function unmountStep(
  delegate: ServerSettings,
  { mounts: given, timeoutSeconds }: LocalSettings['unmount'],
): PlanStep {
  const mounts = mountsByRank(given)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ path, options }) => ({ path, options }));
  const action = predefined('unmount_filesystems', timeoutSeconds * mounts.length);
  return stepOn(delegate, 'filesystem_unmount', { ...action, mounts });
}

function syncStep(delegate: ServerSettings, phase: 'filesystem_sync' | 'final_sync'): PlanStep {
  return stepOn(delegate, phase, predefined('sync', syncSeconds), { destructive: false });
}

function stepOn(
  delegate: ServerSettings,
  phase: PhaseName,
  action: PreShutdownAction,
  about: Partial<PlanStep> = {},
): PlanStep {
  const work = { ...delegate.work, actions: [action], final: null, commandTimeoutSeconds: 0 };
  return step(phase, 'host', {
    target: delegate.work.server,
    action: { kind: 'remote', work },
    ...timesOf({ work, marginSeconds: 0 }),
    ...about,
  });
}

const maxTimeoutSeconds = (projects: PreShutdownAction['projects']): number =>
  Math.max(...projects.map(({ timeoutSeconds }) => timeoutSeconds));

function predefined(action: PreShutdownAction['action'], timeoutSeconds: number): PreShutdownAction {
  return { action, command: null, projects: [], mounts: [], runtime: null, uri: null, timeoutSeconds };
}

const shellLine = (command: CommandLine): string => command.map(shellWord).join(' ');
