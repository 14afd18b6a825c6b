// The shutdown plan as a value: built from the configuration, shown by `ridethrough plan` and the API, run as shown.
// It holds no secret: keys and passwords are only in the settings of the workers that need them.
import * as t from 'io-ts';
import { kindOf, StepAction } from '../actions/table.js';
import { finite, integerFrom, oneOf } from '../base/units.js';

/** The phases in their order (specification/sequence.md#phases). */
export const phaseOrder = [
  'virtual_machines',
  'containers',
  'filesystem_sync',
  'filesystem_unmount',
  'remote_servers',
  'final_sync',
  'nut_secondaries',
  'ups_output_off',
  'local_poweroff',
] as const;
export const PhaseName = oneOf(...phaseOrder);
export type PhaseName = t.TypeOf<typeof PhaseName>;

export const PlanStep = t.readonly(
  t.type({
    /** Unique in the plan and stable between loads of the same configuration: `remote_servers/hypervisor-1`. */
    id: t.string,
    phase: PhaseName,
    target: t.string,
    /** Lanes of a phase run side by side; the phase ends when all of them have. */
    lane: t.string,
    /** Steps of one lane run by ascending rank, equal ranks together. */
    rank: integerFrom(0, 1_000_000),
    /** `with_sequence`: may begin before its phase (`when = "with_local"`, FSD). Both begin after the rank before. */
    begins: oneOf('with_phase', 'with_sequence'),
    action: StepAction,
    budgetSeconds: finite,
    /** The time it takes when nothing hangs: shown with the time left, decides nothing. */
    estimateSeconds: finite,
    /** False for steps that leave nothing behind when abandoned: sync, wall and waits. */
    destructive: t.boolean,
  }),
  'PlanStep',
);
export type PlanStep = t.TypeOf<typeof PlanStep>;

/** Begins with a verb: `power off this host with: shutdown -h now`. */
export function describeAction({ action, target }: PlanStep): string {
  return kindOf(action).words(action, target);
}

export const PlanPhase = t.readonly(
  t.type({
    name: PhaseName,
    steps: t.readonlyArray(PlanStep),
    /** The latest start of the phase, from the start of the sequence, and its longest duration. */
    beginsAfterSeconds: finite,
    budgetSeconds: finite,
    estimateSeconds: finite,
  }),
  'PlanPhase',
);
export type PlanPhase = t.TypeOf<typeof PlanPhase>;

export const Plan = t.readonly(
  t.type({
    /** `groupId` of the UPS or redundancy group this plan is for. */
    group: t.string,
    label: t.string,
    /** groupIds of the UPSes that feed the targets of the plan. */
    fedBy: t.readonlyArray(t.string),
    phases: t.readonlyArray(PlanPhase),
    /** The longest time of the plan: the sum over phases of the longest among what runs in parallel. */
    boundSeconds: finite,
    estimateSeconds: finite,
    dryRun: t.boolean,
  }),
  'Plan',
);
export type Plan = t.TypeOf<typeof Plan>;
