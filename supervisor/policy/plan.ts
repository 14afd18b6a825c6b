// Builds the shutdown plan as a value from what the configuration says of one group. Pure: the API shows it,
// the sequencer runs it, a dry run and a drill run the same value with another actuator.
import type { CommandLine, PhaseName, Plan, PlanStep } from '../../shared/domain/plan.js';
import { timed } from './plan/timing.js';

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
/** wall(1) and shutdown(8) answer at once. */
const momentSeconds = 1;

/** The plan of one group. A group that brings nothing down has a plan without phases. */
export function planOf(settings: PlanSettings): Plan {
  const steps = settings.powersHost ? [poweroffStep(settings)] : [];
  const first = steps[0]?.phase;
  const wall = first !== undefined && settings.poweroff.wall ? [wallStep(settings, first)] : [];
  return timed(settings, [...wall, ...steps]);
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
    lane: 'host',
    rank: 0,
    begins: 'with_phase',
    action: {
      kind: 'poweroff',
      command: poweroffCommand(poweroff.command, poweroff.message),
      fallback: poweroff.fallback === null ? null : poweroffCommand(poweroff.fallback, poweroff.message),
    },
    budgetSeconds: poweroffSeconds,
    estimateSeconds: momentSeconds,
    destructive: true,
  };
}

function wallStep(settings: PlanSettings, phase: PhaseName): PlanStep {
  const message = settings.poweroff.message === '' ? 'This host is shutting down' : settings.poweroff.message;
  return {
    id: `${phase}/wall`,
    phase,
    target: 'logged-in users',
    lane: 'wall',
    rank: 0,
    begins: 'with_phase',
    action: { kind: 'wall', message },
    budgetSeconds: wallSeconds,
    estimateSeconds: momentSeconds,
    destructive: false,
  };
}
