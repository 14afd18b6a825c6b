// Builds the shutdown plan as a value from what the configuration says of one group. Pure: the API shows it,
// the sequencer runs it, a dry run and a drill run the same value with another actuator.
import type { CommandLine, Plan, PlanPhase, PlanStep } from '../../shared/domain/plan.js';

/** What one group's plan is made of. */
export interface PlanSettings {
  /** groupId of the UPS or redundancy group. */
  readonly group: string;
  readonly label: string;
  /** True when the end of this group's sequence powers off the host the daemon runs on. */
  readonly powersHost: boolean;
  readonly poweroff: {
    readonly command: CommandLine;
    readonly message: string;
    readonly fallback: CommandLine | null;
    /** Tell the users who are logged in, beside the first phase. */
    readonly wall: boolean;
  };
  readonly dryRun: boolean;
}

/** Contract 4: wall 5 s, power-off 30 s for each try. */
const wallSeconds = 5;
const poweroffSeconds = 30;

/** The plan of one group. A group that brings nothing down has a plan without phases. */
export function planOf(settings: PlanSettings): Plan {
  const phases: PlanPhase[] = [];
  if (settings.powersHost) phases.push(phase('local_poweroff', [[poweroffStep(settings)]]));
  const first = phases[0];
  if (first !== undefined && settings.poweroff.wall) phases[0] = besides(first, wallStep(settings, first));
  return {
    group: settings.group,
    label: settings.label,
    phases,
    boundSeconds: phases.reduce((sum, { budgetSeconds }) => sum + budgetSeconds, 0),
    dryRun: settings.dryRun,
  };
}

/** The command as it is run: the message is one more argument, but only for a program named `shutdown`. */
export function poweroffCommand(command: CommandLine, message: string): CommandLine {
  const program = command[0]?.split('/').at(-1);
  return program === 'shutdown' && message !== '' ? [...command, message] : command;
}

function poweroffStep({ poweroff }: PlanSettings): PlanStep {
  return {
    id: 'local_poweroff/host',
    phase: 'local_poweroff',
    target: 'this host',
    action: {
      kind: 'poweroff',
      command: poweroffCommand(poweroff.command, poweroff.message),
      fallback: poweroff.fallback === null ? null : poweroffCommand(poweroff.fallback, poweroff.message),
    },
    budgetSeconds: poweroffSeconds,
    destructive: true,
  };
}

function wallStep(settings: PlanSettings, { name }: PlanPhase): PlanStep {
  const message = settings.poweroff.message === '' ? 'This host is shutting down' : settings.poweroff.message;
  return {
    id: `${name}/wall`,
    phase: name,
    target: 'logged-in users',
    action: { kind: 'wall', message },
    budgetSeconds: wallSeconds,
    destructive: false,
  };
}

function besides(into: PlanPhase, step: PlanStep): PlanPhase {
  const [first = [], ...rest] = into.steps;
  return phase(into.name, [[step, ...first], ...rest]);
}

/** A phase lasts as long as its lists one after another, each as long as its longest step. */
function phase(name: PlanPhase['name'], steps: PlanPhase['steps']): PlanPhase {
  const longest = (list: readonly PlanStep[]) =>
    Math.max(0, ...list.map(({ budgetSeconds }) => budgetSeconds));
  return { name, steps, budgetSeconds: steps.reduce((sum, list) => sum + longest(list), 0) };
}
