// In a container what is local is done on the container's host, over SSH: the same phases, as work for that one server.
import type { CommandLine, PhaseName, PlanStep, PreShutdownAction } from '../../../shared/domain/plan.js';
import { poweroffCommand } from './power-steps.js';
import { timesOf } from './remote-steps.js';
import type { LocalSettings, PlanSettings, ServerSettings } from './settings.js';
import { step } from './step.js';

/** As on a host of one's own (contract 4). */
const syncSeconds = 30;
const aroundTheWaitSeconds = 10;

/** `phases` holds for each phase what is done on the delegate in it; a phase with nothing to do is absent. */
export function delegateSteps(delegate: ServerSettings, local: LocalSettings): readonly PlanStep[] {
  const { virtualMachines, containers, unmount, sync } = local;
  const { mounts, timeoutSeconds } = unmount;
  const work: readonly (readonly [PhaseName, readonly PreShutdownAction[]])[] = [
    [
      'virtual_machines',
      virtualMachines === null
        ? []
        : [
            {
              ...predefined('stop_vms', virtualMachines.maxWaitSeconds + aroundTheWaitSeconds),
              uri: virtualMachines.uri,
            },
          ],
    ],
    ['containers', containers === null ? [] : containerActions(containers)],
    ['filesystem_sync', sync ? [predefined('sync', syncSeconds)] : []],
    [
      'filesystem_unmount',
      mounts.length === 0
        ? []
        : [{ ...predefined('unmount_filesystems', timeoutSeconds * mounts.length), mounts }],
    ],
  ];
  return work
    .filter(([, actions]) => actions.length > 0)
    .map(([phase, actions]) => stepOn(delegate, phase, actions));
}

export function delegateFinalSync(delegate: ServerSettings): PlanStep {
  return stepOn(delegate, 'final_sync', [predefined('sync', syncSeconds)]);
}

/** The host's end: the delegate's own preparations, then `local_shutdown.command` as a line for its shell. */
export function delegatePoweroff(delegate: ServerSettings, { poweroff }: PlanSettings): PlanStep {
  const { command, message, fallback } = poweroff;
  const work = { ...delegate.work, final: shellLine(poweroffCommand(command, message)) };
  return step('local_poweroff', 'host', {
    target: delegate.work.server,
    action: {
      kind: 'poweroffDelegate',
      work,
      fallback: fallback === null ? null : shellLine(poweroffCommand(fallback, message)),
    },
    ...timesOf({ ...delegate, work }),
  });
}

function containerActions(
  containers: NonNullable<LocalSettings['containers']>,
): readonly PreShutdownAction[] {
  const { compose, allRemaining, runtime, includeUserContainers, stopTimeoutSeconds } = containers;
  return [
    ...compose.map((project) => ({
      ...predefined('stop_compose', project.stopTimeoutSeconds),
      path: project.path,
      runtime,
    })),
    ...(allRemaining ? [{ ...predefined('stop_containers', stopTimeoutSeconds), runtime }] : []),
    ...(allRemaining && includeUserContainers
      ? [predefined('stop_containers_rootless', stopTimeoutSeconds)]
      : []),
  ];
}

function stepOn(delegate: ServerSettings, phase: PhaseName, actions: readonly PreShutdownAction[]): PlanStep {
  const work = { ...delegate.work, actions, final: null, commandTimeoutSeconds: 0 };
  return step(phase, 'host', {
    target: delegate.work.server,
    action: { kind: 'remote', work },
    ...timesOf({ work, marginSeconds: 0 }),
    destructive: actions.some(({ action }) => action !== 'sync'),
  });
}

function predefined(action: PreShutdownAction['action'], timeoutSeconds: number): PreShutdownAction {
  return { action, command: null, path: null, mounts: [], runtime: null, uri: null, timeoutSeconds };
}

/** Words so that a POSIX shell takes them as they are. */
function shellLine(command: CommandLine): string {
  return command
    .map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
