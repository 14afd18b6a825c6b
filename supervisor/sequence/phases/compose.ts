// Stops one compose project with the installed tool: podman's, else docker's. Never removes containers or volumes.
import { resolve } from 'node:path';
import { composers } from '../../../shared/domain/actions/compose.js';
import { listNames } from '../../../shared/domain/base/list-names.js';
import type { StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import type { Performer } from '../actuator.js';
import type { CommandOutcome } from '../../host/run-command.js';
import { failureOf } from '../outcome.js';
import { isAbsent } from './container-engine.js';
import type { Engine } from './engine.js';
import type { LocalDependencies } from './local-calls.js';
import { call, faultOf, StepTime } from './local-calls.js';

/**
 * The part of the budget for the engine to kill containers that ignore their signal, and for the list of those that still run.
 */
const reserveSeconds = 8;
/** An engine lists its containers in less than a second. */
const listSeconds = 10;

export function composePerformer(deps: LocalDependencies): Performer<'stopCompose'> {
  return async ({ runtime, path, stopTimeoutSeconds }, { budgetSeconds }, signal, found) => {
    const time = new StepTime(deps.clock, budgetSeconds);
    const reserve = Math.min(reserveSeconds, budgetSeconds / 4);
    const runTool = (tool: string, limit: number, words: readonly string[]) =>
      call(
        deps,
        signal,
        limit,
        [...deps.host.mountsPrefix, ...tool.split(' '), '-f', path, ...words],
        'listing',
      );
    let listed: Engine['kind'] | null = null;
    for (const tool of composers[runtime]) {
      const engine = tool.startsWith('podman') ? 'podman' : 'docker';
      const seconds = Math.round(Math.min(stopTimeoutSeconds, Math.max(0, time.leftSeconds - reserve)));
      // Beside the stop, which needs longer to read the project: nothing waits for it.
      if (engine !== listed) void listProject(engine, path, deps, time, signal).then(found);
      listed = engine;
      const outcome = await runTool(tool, Math.max(0, time.leftSeconds - reserve / 2), [
        'stop',
        '-t',
        String(seconds),
      ]);
      // A missing tool costs no time.
      if (cannotCompose(outcome)) continue;
      const fault = faultOf(outcome);
      if (fault === undefined) return { kind: 'done' };
      const left = listsServices(tool)
        ? await runTool(tool, time.leftSeconds * 0.9, ['ps', '--services', '--filter', 'status=running'])
        : outcome;
      return failureOf(`${tool}: ${fault}${stillRunning(tool, left)}`);
    }
    return failureOf(`no program for compose projects is installed (tried ${composers[runtime].join(', ')})`);
  };
}

const label = 'com.docker.compose.project';
/** The labels of docker are a text, those of podman a map. */
const labelOf = {
  docker: (name: string) => `{{.Label "${name}"}}`,
  podman: (name: string) => `{{index .Labels "${name}"}}`,
} as const;

/** The containers that run of the project with this file. Empty where the engine does not answer; never rejects. */
async function listProject(
  engine: Engine['kind'],
  path: string,
  deps: LocalDependencies,
  time: StepTime,
  signal: AbortSignal,
): Promise<readonly StoppedGuest[]> {
  const of = labelOf[engine];
  const format = ['{{.ID}}', '{{.Names}}', of(`${label}.working_dir`), of(`${label}.config_files`)].join(
    '\t',
  );
  const words = [engine, 'ps', '--no-trunc', '--filter', `label=${label}`, '--format', format];
  const seconds = Math.min(listSeconds, time.leftSeconds);
  const outcome = await call(deps, signal, seconds, [...deps.host.mountsPrefix, ...words], 'listing');
  if (outcome.kind !== 'exited' || outcome.code !== 0) return [];
  return outcome.output.split('\n').flatMap((line) => {
    const [id = '', name = '', directory = '', files = ''] = line.split('\t');
    // Version 1 has them as they were given.
    const isOfProject = files.split(',').some((file) => resolve(directory || '/', file) === path);
    const isOwn = id === deps.host.ownContainerId;
    return isOfProject && !isOwn ? [{ engine, id, name, user: null }] : [];
  });
}

/** The program is missing, or has no compose command: older podman and docker print one of these texts, docker before a help
 * of which only the end is kept. */
function cannotCompose(outcome: CommandOutcome): boolean {
  if (isAbsent(outcome)) return true;
  return (
    outcome.kind === 'exited' &&
    outcome.code !== 0 &&
    /unrecognized command|unknown command|is not a docker command|unknown shorthand flag|looking up compose provider failed|^Run 'docker COMMAND --help' for/im.test(
      outcome.output,
    )
  );
}

const listsServices = (tool: string): boolean => tool.startsWith('docker');

function stillRunning(tool: string, outcome: CommandOutcome): string {
  if (!listsServices(tool) || outcome.kind !== 'exited' || outcome.code !== 0) return '';
  const services = outcome.output.split('\n').filter((line) => line.trim() !== '');
  return services.length === 0 ? '' : `; still running: ${listNames(services)}`;
}
