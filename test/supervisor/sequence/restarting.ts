// A host whose power is back when its sequence comes to its last steps: the rig of several sequences, with a record of its restarts.
import type { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import type { CommandOutcome, RunCommand } from '../../../supervisor/host/run-command.js';
import type { HostRestarts, RestartUps } from '../../../supervisor/sequence/restart-rule.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';
import { SimulatedJournals } from '../../simulation/journals.js';
import { outputOff, rig, success } from './several.js';

/** Of `planOfHost('office')`, without a restart. */
export const offAsToday = ['output of rack', 'poweroff office'];

const poweroff = (group: string): PlanStep => {
  const command = { command: ['poweroff', group], fallback: null, restart: ['restart', group] } as const;
  const action = { kind: 'poweroff', ...command } as const;
  return planStep('local_poweroff/host', { action, budgetSeconds: 30 });
};

const guests = planStep('virtual_machines/guests', {
  action: { kind: 'stopVirtualMachines', uri: null, maxWaitSeconds: 1 },
});

/** Guests of this host, the output of `ups`, the power-off with a restart. */
export function planOfHost(group: string, ups = 'rack', before: readonly PlanStep[] = []): Plan {
  const phases = [
    planPhase('virtual_machines', [guests]),
    ...(before.length > 0 ? [planPhase('remote_servers', before)] : []),
    planPhase('ups_output_off', [outputOff(ups)]),
    planPhase('local_poweroff', [poweroff(group)]),
  ];
  return { ...planWith(phases, group), fedBy: [ups] };
}

export interface KnownOfHost {
  isEnabled: boolean;
  isPolicyInDoubt: boolean;
  upses: RestartUps[];
  /** In the record on the disk. */
  count: number | null;
  /** The disk does not answer. */
  hangs: boolean;
}

export const readUps = (groupId: string, change: Partial<RestartUps> = {}): RestartUps => ({
  ...{ groupId, label: groupId, hasRole: false, hostGroups: [], isRead: true },
  ...{ showsFsd: false, showsBattery: false, cyclesOnMains: false },
  ...change,
});

function recordOf(known: KnownOfHost): HostRestarts {
  return {
    isEnabled: () => known.isEnabled,
    isPolicyInDoubt: () => known.isPolicyInDoubt,
    upses: () => known.upses,
    count: () => known.count,
    keep: (_, number) => {
      if (known.hangs) return new Promise(() => undefined);
      known.count = number;
      return Promise.resolve();
    },
  };
}

interface Change {
  readonly outcome?: CommandOutcome | RunCommand;
  readonly restarts?: 'none';
  readonly journals?: SimulatedJournals;
  readonly time?: FakeTime;
  readonly known?: Partial<KnownOfHost>;
}

/** Each with the same journals is another daemon on the same boot. */
export function hostWith(plans: readonly Plan[], change: Change = {}) {
  const { outcome = success, time = new FakeTime() } = change;
  const journals = change.journals ?? new SimulatedJournals(() => 'kept');
  const known: KnownOfHost = {
    ...{ isEnabled: true, isPolicyInDoubt: false, upses: ['rack', 'second'].map((ups) => readUps(ups)) },
    ...{ count: 0, hangs: false, ...change.known },
  };
  const restarts = change.restarts === 'none' ? undefined : recordOf(known);
  return { ...rig(plans, outcome, journals, time, restarts), known };
}
export type Host = ReturnType<typeof hostWith>;
