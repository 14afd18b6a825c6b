// The shutdown plan as a value: built from the configuration, shown by `ridethrough plan` and the API, run as shown.
import * as t from 'io-ts';
import { finite, oneOf } from './units.js';

/** The phases in their order (contract 4). */
export const PhaseName = oneOf(
  'virtual_machines',
  'containers',
  'filesystem_sync',
  'filesystem_unmount',
  'remote_servers',
  'final_sync',
  'ups_output_off',
  'local_poweroff',
);
export type PhaseName = t.TypeOf<typeof PhaseName>;

/** A program with its arguments; never text for a shell. */
export const CommandLine = t.readonlyArray(t.string, 'CommandLine');
export type CommandLine = t.TypeOf<typeof CommandLine>;

/** What a step does. A closed set: what can power a machine off accepts a step of the plan, never free text. */
export const StepAction = t.union(
  [
    t.type({ kind: t.literal('wall'), message: t.string }),
    t.type({ kind: t.literal('poweroff'), command: CommandLine, fallback: t.union([CommandLine, t.null]) }),
  ],
  'StepAction',
);
export type StepAction = t.TypeOf<typeof StepAction>;

export const PlanStep = t.readonly(
  t.type({
    /** Unique in the plan and stable between loads of the same configuration: `local_poweroff/host`. */
    id: t.string,
    phase: PhaseName,
    target: t.string,
    action: StepAction,
    budgetSeconds: finite,
    /** False for what may be abandoned without a trace: sync, wall, checks. */
    destructive: t.boolean,
  }),
  'PlanStep',
);
export type PlanStep = t.TypeOf<typeof PlanStep>;

export const PlanPhase = t.readonly(
  t.type({
    name: PhaseName,
    /** Steps of one inner list run side by side; the lists one after another. */
    steps: t.readonlyArray(t.readonlyArray(PlanStep)),
    budgetSeconds: finite,
  }),
  'PlanPhase',
);
export type PlanPhase = t.TypeOf<typeof PlanPhase>;

export const Plan = t.readonly(
  t.type({
    /** `groupId` of the UPS or redundancy group this plan is for. */
    group: t.string,
    label: t.string,
    phases: t.readonlyArray(PlanPhase),
    /** The longest the whole plan can take: the sum over phases of the longest among what runs side by side. */
    boundSeconds: finite,
    dryRun: t.boolean,
  }),
  'Plan',
);
export type Plan = t.TypeOf<typeof Plan>;
