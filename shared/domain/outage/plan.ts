// The shutdown plan as a value: built from the configuration, shown by `ridethrough plan` and the API, run as shown.
// It holds no secret: keys and passwords are only in the settings of the workers that need them.
import * as t from 'io-ts';
import { ContainerRuntime } from '../actions/container-runtime.js';
import { RemoteWork } from '../actions/remote-work.js';
import { finite, integerFrom, oneOf, orNull } from '../base/units.js';
import { CommandLine } from '../commands/command-line.js';

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

/** What a step does. A closed set: code that can power a machine off accepts a step of the plan, never free text. */
export const StepAction = t.union(
  [
    t.type({ kind: t.literal('wall'), message: t.string }),
    /** Ask all guests, wait together, destroy what still runs after `maxWaitSeconds`. */
    t.type({ kind: t.literal('stopVirtualMachines'), uri: orNull(t.string), maxWaitSeconds: finite }),
    t.type({
      kind: t.literal('stopCompose'),
      runtime: ContainerRuntime,
      path: t.string,
      stopTimeoutSeconds: finite,
    }),
    /** All containers that still run, of all runtimes and, if configured, of the rootless podman of users. */
    t.type({
      kind: t.literal('stopContainers'),
      runtime: ContainerRuntime,
      includeUserContainers: t.boolean,
      stopTimeoutSeconds: finite,
    }),
    t.type({ kind: t.literal('sync') }),
    t.type({ kind: t.literal('unmount'), path: t.string, options: t.string }),
    t.type({ kind: t.literal('remote'), work: RemoteWork }),
    /** Waits until the server that the step `commandedBy` commands is off, `timeoutSeconds` after its command at most. */
    t.type({
      kind: t.literal('awaitOff'),
      server: t.string,
      commandedBy: t.string,
      timeoutSeconds: finite,
      /** The bound of the steps that follow, without waits: with less runtime left nothing waits. */
      followsSeconds: finite,
    }),
    /** The final commands alone of those of these servers that never got it. Nothing waits for it. */
    t.type({ kind: t.literal('commandAgain'), works: t.readonlyArray(RemoteWork) }),
    /** Sets FSD at the NUT server of the UPS, and waits until the other hosts have logged out, `hostsyncSeconds` at most. */
    t.type({ kind: t.literal('forceShutdown'), ups: t.string, hostsyncSeconds: finite }),
    /** Writes the file by which NUT's late hook cuts the power of the UPS. */
    t.type({ kind: t.literal('powerdownFlag'), path: t.string }),
    /** Makes the UPS cut its output `offDelaySeconds` later and restore it when mains is back. */
    t.type({
      kind: t.literal('upsOutputOff'),
      /** groupId of the UPS, which may be a member of the plan's redundancy group. */
      ups: t.string,
      command: t.string,
      offDelaySeconds: finite,
    }),
    t.type({ kind: t.literal('poweroff'), command: CommandLine, fallback: t.union([CommandLine, t.null]) }),
    /** In a container: powers the host off over its delegate. `fallback` replaces the final command. */
    t.type({ kind: t.literal('poweroffDelegate'), work: RemoteWork, fallback: orNull(t.string) }),
  ],
  'StepAction',
);
export type StepAction = t.TypeOf<typeof StepAction>;

/** Powers this host off. */
export function isPowerOff({ kind }: StepAction): boolean {
  return kind === 'poweroff' || kind === 'poweroffDelegate';
}

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
