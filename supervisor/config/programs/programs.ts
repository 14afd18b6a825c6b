// The programs that the configuration needs, and those that are missing on this machine. Only the reader process checks
// files with this: a directory on a dead file system must block the reader, never the supervisor.
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Need } from '../../../shared/domain/actions/kind.js';
import { kindOf } from '../../../shared/domain/actions/table.js';
import { commandPath } from '../../../shared/runtime/search-path.js';
import { plansOf } from '../derive/plans.js';
import { remoteServersOf } from '../derive/ssh-access.js';
import type {
  Configuration,
  RemoteServerConfiguration,
  UpsConfiguration,
} from '../configuration/configuration.js';

/** Pollers run them, and have only the default PATH (supervision/worker-command.ts). */
const nutTools = ['upsc', 'upscmd', 'upsrw'] as const;
const workerPrograms: readonly string[] = [...nutTools, 'ping'];

/** The needs of this machine to read and control a UPS through NUT's own programs. */
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

function needsOfServer({ offCheck }: RemoteServerConfiguration): readonly Need[] {
  if (offCheck !== 'ping') return [];
  const without = 'an order would be waited for until its halt_timeout, whether it is off or not';
  return [{ anyOf: ['ping'], setting: 'shutdown.off_check', without }];
}

export function needsIn(configuration: Configuration): readonly Need[] {
  const steps = plansOf(configuration).flatMap(({ phases }) => phases.flatMap((phase) => phase.steps));
  return [
    ...steps.flatMap(({ action }) => kindOf(action).needs(action)),
    ...configuration.ups.flatMap(needsOfUps),
    ...remoteServersOf(configuration).flatMap(needsOfServer),
    ...configuration.hooks.map(({ label, command: [program = ''] }) => {
      return { anyOf: [program], setting: `${label}.command`, without: 'this hook would not run' };
    }),
  ];
}

/** The programs of `needs`, each once, as named in the configuration. */
export function programsOf(needs: readonly Need[]): readonly string[] {
  return [...new Set(needs.flatMap(({ anyOf }) => anyOf))];
}

/** The programs of `needs` that cannot run here; `path` is the value of PATH. */
export function missingPrograms(needs: readonly Need[], path: string | undefined): readonly string[] {
  return programsOf(needs).filter((program) => !candidatePaths(program, path).some(isRunnable));
}

export function unmetNeeds(needs: readonly Need[], missing: readonly string[]): readonly Need[] {
  return needs.filter(({ anyOf }) => anyOf.every((program) => missing.includes(program)));
}

export function needMessage({ anyOf, setting, without }: Need): string {
  const which =
    anyOf.length === 1 ? `the program ${anyOf.join()} is` : `none of the programs ${anyOf.join(', ')} is`;
  return `${setting}: ${which} not on this machine or may not be run: in an outage ${without}; correct its name or install it`;
}

/** The possible paths of `program`; `path` is PATH of the daemon. */
export function candidatePaths(program: string, path: string | undefined): readonly string[] {
  if (program.includes('/')) return [program];
  const folders = commandPath(workerPrograms.includes(program) ? undefined : path);
  return folders.split(':').map((folder) => join(folder === '' ? '.' : folder, program));
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Missing or not executable: the shutdown could not run it.
    return false;
  }
}
