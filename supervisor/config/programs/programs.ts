// Which programs the configuration needs, and which of them this machine does not have. Files are looked at while the
// configuration is read: a folder on a dead file system must hold the reader, never the supervisor.
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StepAction } from '../../../shared/domain/plan.js';
import { unreachable } from '../../../shared/domain/unreachable.js';
import { commandPath } from '../../host/search-path.js';
import { plansOf } from '../derive/plans.js';
import type { Configuration, UpsConfiguration } from '../configuration.js';

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

/** Pollers look for them, and see no PATH but the usual folders (supervision/command-line.ts). */
const nutTools = ['upsc', 'upscmd', 'upsrw'] as const;

/** What must be on this machine for a UPS to be asked, told and set through NUT's own programs. */
export function needsOfUps({ policy, control, output }: UpsConfiguration): readonly Need[] {
  if (policy.transport !== 'tools') return [];
  const [read, command, write] = nutTools;
  const need = (program: string, without: string): Need => {
    return { anyOf: [program], setting: 'nut.transport', without };
  };
  const cut = 'the output of a UPS would stay on';
  const commands = (control?.allowedCommands.length ?? 0) > 0;
  const variables = (control?.allowedVariables.length ?? 0) > 0;
  return [
    need(read, 'no UPS could be read'),
    ...(output !== null ? [need(command, cut), need(write, cut)] : []),
    ...(output === null && commands ? [need(command, 'no UPS could be given a command')] : []),
    ...(output === null && variables ? [need(write, 'no variable of a UPS could be set')] : []),
  ];
}

/** Of the plans and of the UPSes. */
export function needsIn(configuration: Configuration): readonly Need[] {
  const steps = plansOf(configuration).flatMap(({ phases }) => phases.flatMap((phase) => phase.steps));
  return [...steps.flatMap(({ action }) => needsOf(action)), ...configuration.ups.flatMap(needsOfUps)];
}

/** Their programs, each once, as the configuration names them. */
export function programsOf(needs: readonly Need[]): readonly string[] {
  return [...new Set(needs.flatMap(({ anyOf }) => anyOf))];
}

/** The programs of `needs` that cannot be run here; `path` as PATH has it. */
export function missingPrograms(needs: readonly Need[], path: string | undefined): readonly string[] {
  return programsOf(needs).filter((program) => !candidatePaths(program, path).some(isRunnable));
}

/** Those that no program meets. */
export function unmetNeeds(needs: readonly Need[], missing: readonly string[]): readonly Need[] {
  return needs.filter(({ anyOf }) => anyOf.every((program) => missing.includes(program)));
}

/** What is said of a need that no program meets. */
export function needMessage({ anyOf, setting, without }: Need): string {
  const which =
    anyOf.length === 1 ? `the program ${anyOf.join()} is` : `none of the programs ${anyOf.join(', ')} is`;
  return `${setting}: ${which} not on this machine or may not be run: in an outage ${without}; correct its name or install it`;
}

/** Where `program` may lie; `path` is PATH of the daemon. */
export function candidatePaths(program: string, path: string | undefined): readonly string[] {
  if (program.includes('/')) return [program];
  const folders = commandPath(nutTools.some((tool) => tool === program) ? undefined : path);
  return folders.split(':').map((folder) => join(folder === '' ? '.' : folder, program));
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
