// Which programs a shutdown would need and this machine does not have. Looked up while the configuration is read:
// a directory of the path on a dead file system must hold the reader, never the supervisor.
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLine } from '../../shared/domain/plan.js';
import { commandPath } from '../command-path.js';

/** The programs of `commands` that cannot be run, each once, as the configuration names them; `path` as PATH has it. */
export function missingPrograms(
  commands: readonly CommandLine[],
  path: string | undefined,
): readonly string[] {
  const folders = commandPath(path);
  const programs = new Set(commands.map(([program]) => program).filter((program) => program !== undefined));
  return [...programs].filter((program) => !placesOf(program, folders).some(isRunnable));
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
