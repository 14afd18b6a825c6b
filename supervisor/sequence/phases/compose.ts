// Stops one compose project with the tool that is there for it: podman's, else docker's. Containers and volumes stay.
import type { CommandLine } from '../../../shared/domain/plan.js';
import type { ActionOf, Performer } from '../actuator.js';
import type { CommandOutcome } from '../../host/run-command.js';
import { failed } from '../outcome.js';
import { isAbsent } from './container-engine.js';
import type { LocalDependencies } from './local-calls.js';
import { call, faultOf, named, StepTime } from './local-calls.js';

/** Kept of the budget to end what ignores its signal and to name what is left; of a short budget a quarter. */
const reserveSeconds = 8;

interface Tool {
  readonly command: CommandLine;
  /** It can list the services that still run. */
  readonly names: boolean;
}

const ofPodman: readonly Tool[] = [
  { command: ['podman-compose'], names: false },
  { command: ['podman', 'compose'], names: false },
];
const ofDocker: readonly Tool[] = [
  { command: ['docker', 'compose'], names: true },
  { command: ['docker-compose'], names: true },
];

export function composePerformer(tools: LocalDependencies): Performer<'stopCompose'> {
  return async ({ runtime, path, stopTimeoutSeconds }, { budgetSeconds }, signal) => {
    const time = new StepTime(tools.clock, budgetSeconds);
    const reserve = Math.min(reserveSeconds, budgetSeconds / 4);
    const ask = (tool: Tool, limit: number, words: readonly string[]) =>
      call(
        tools,
        signal,
        limit,
        [...tools.host.mountsPrefix, ...tool.command, '-f', path, ...words],
        'listing',
      );
    for (const tool of toolsFor(runtime)) {
      const seconds = Math.round(Math.min(stopTimeoutSeconds, Math.max(0, time.leftSeconds - reserve)));
      const outcome = await ask(tool, Math.max(0, time.leftSeconds - reserve / 2), [
        'stop',
        '-t',
        String(seconds),
      ]);
      // What is not there says so at once: nothing has been waited for.
      if (cannotCompose(outcome)) continue;
      const fault = faultOf(outcome);
      if (fault === undefined) return { kind: 'done' };
      const left = tool.names
        ? await ask(tool, time.leftSeconds * 0.9, ['ps', '--services', '--filter', 'status=running'])
        : outcome;
      return failed(`${tool.command.join(' ')}: ${fault}${stillRunning(tool, left)}`);
    }
    const tried = toolsFor(runtime).map(({ command }) => command.join(' '));
    return failed(`no program for compose projects is installed (tried ${tried.join(', ')})`);
  };
}

function toolsFor(runtime: ActionOf<'stopCompose'>['runtime']): readonly Tool[] {
  switch (runtime) {
    case 'podman':
      return ofPodman;
    case 'docker':
      return ofDocker;
    case 'auto':
      return [...ofPodman, ...ofDocker];
  }
}

/** The program is not there, or is one without compose: older podman and docker say so in these words. */
function cannotCompose(outcome: CommandOutcome): boolean {
  if (isAbsent(outcome)) return true;
  return (
    outcome.kind === 'exited' &&
    outcome.code !== 0 &&
    /unrecognized command|unknown command|is not a docker command|unknown shorthand flag|compose provider/i.test(
      outcome.output,
    )
  );
}

function stillRunning({ names }: Tool, outcome: CommandOutcome): string {
  if (!names || outcome.kind !== 'exited' || outcome.code !== 0) return '';
  const services = outcome.output.split('\n').filter((line) => line.trim() !== '');
  return services.length === 0 ? '' : `; still running: ${named(services)}`;
}
