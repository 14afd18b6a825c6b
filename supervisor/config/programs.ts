// Which programs a shutdown would need and this machine does not have. Looked up while the configuration is read:
// a directory of the path on a dead file system must hold the reader, never the supervisor.
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanStep, StepAction } from '../../shared/domain/plan.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import { commandPath } from '../command-path.js';

/** One thing a step runs: any of these programs will do. */
export interface Need {
  readonly anyOf: readonly string[];
  /** The setting it comes from. */
  readonly setting: string;
  /** What happens in an outage without it. */
  readonly without: string;
}

const staysOn = 'this machine would stay on until the battery is empty';
const engines = { auto: ['podman', 'docker'], podman: ['podman'], docker: ['docker'] } as const;
const composers = {
  podman: ['podman-compose', 'podman'],
  docker: ['docker', 'docker-compose'],
  auto: ['podman-compose', 'podman', 'docker', 'docker-compose'],
} as const;

/** What must be on this machine for `action` to be possible. */
export function needsOf(action: StepAction): readonly Need[] {
  const need = (anyOf: readonly string[], setting: string, without: string): Need => ({
    anyOf,
    setting,
    without,
  });
  switch (action.kind) {
    case 'poweroff': {
      const commands = [action.command, ...(action.fallback === null ? [] : [action.fallback])];
      return commands.map(([program = '']) => need([program], 'local_shutdown', staysOn));
    }
    case 'wall':
      return [need(['wall'], 'local_shutdown.wall', 'nobody who is logged in would be told')];
    case 'stopVirtualMachines':
      return [need(['virsh'], 'virtual_machines', 'guests would lose their power while they run')];
    case 'stopContainers':
      return [
        need(engines[action.runtime], 'containers', 'containers would be stopped by the power-off alone'),
      ];
    case 'stopCompose':
      return [
        need(composers[action.runtime], 'containers.compose_files', 'projects would not be stopped in order'),
      ];
    case 'sync':
      return [need(['sync'], 'filesystems.sync_enabled', 'unwritten data would be left to the power-off')];
    case 'unmount':
      return [need(['umount'], 'filesystems.unmount', 'nothing would be unmounted')];
    case 'upsOutputOff':
    case 'remote':
    case 'poweroffDelegate':
      return [];
    default:
      return unreachable(action);
  }
}

/** The programs of `steps` that cannot be run here, each once, as the configuration names them; `path` as PATH has it. */
export function missingPrograms(steps: readonly PlanStep[], path: string | undefined): readonly string[] {
  const folders = commandPath(path);
  const programs = new Set(steps.flatMap(({ action }) => needsOf(action).flatMap(({ anyOf }) => anyOf)));
  return [...programs].filter((program) => !placesOf(program, folders).some(isRunnable));
}

/** The needs of `action` that none of its programs can meet. */
export function unmetNeeds(action: StepAction, missing: readonly string[]): readonly Need[] {
  return needsOf(action).filter(({ anyOf }) => anyOf.every((program) => missing.includes(program)));
}

function placesOf(program: string, path: string): readonly string[] {
  if (program.includes('/')) return [program];
  return path.split(':').map((folder) => join(folder === '' ? '.' : folder, program));
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there, or not ours to run: either way the shutdown could not run it.
    return false;
  }
}
