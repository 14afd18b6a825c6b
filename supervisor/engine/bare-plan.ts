// The plans of a configuration when the plan of a group cannot be built: a bug. A group whose plan would have ended in the
// power-off of this host gets that alone.
import type { Plan, PlanStep } from '../../shared/domain/outage/plan.js';
import { poweroffCommand, poweroffLine } from '../../shared/domain/commands/shutdown-line.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { PlanGroup } from '../config/derive/plans.js';
import { delegateOf, groupPowersOffHost, groupsOf, planOfGroup, plansOf } from '../config/derive/plans.js';
import type { Guard } from '../guard/guard.js';

/** As that of a whole plan (specification/sequence.md#phases). */
const poweroffSeconds = 30;

export function plansWithoutGaps(configuration: Configuration, guard: Guard): readonly Plan[] {
  let plans: readonly Plan[] | undefined;
  if (guard.run('the plans', () => (plans = plansOf(configuration))) && plans !== undefined) return plans;
  const groups = groupsOf(configuration);
  return groups.flatMap((group) => {
    let plan: Plan | null = null;
    const isBuilt = guard.run(
      `the plan of ${group.groupId}`,
      () => (plan = planOfGroup(configuration, group, groups)),
    );
    return (isBuilt ? plan : barePlan(configuration, group, groups)) ?? [];
  });
}

/** In a container the power-off is that of the delegate. */
function barePlan(configuration: Configuration, group: PlanGroup, all: readonly PlanGroup[]): Plan | null {
  if (!groupPowersOffHost(configuration, group, all)) return null;
  const poweroff = configuration.inContainer
    ? poweroffOfDelegate(configuration, group)
    : poweroffOfHost(configuration);
  if (poweroff === null) return null;
  const step: PlanStep = {
    ...poweroff,
    id: 'local_poweroff/host',
    phase: 'local_poweroff',
    lane: 'host',
    rank: 0,
    begins: 'with_phase',
    estimateSeconds: 1,
    destructive: true,
  };
  const { budgetSeconds } = step;
  const times = { budgetSeconds, estimateSeconds: 1 };
  const phases = [{ name: step.phase, steps: [step], beginsAfterSeconds: 0, ...times }];
  const { groupId, label, fedBy } = group;
  const { dryRun } = configuration;
  return { group: groupId, label, fedBy, phases, boundSeconds: budgetSeconds, estimateSeconds: 1, dryRun };
}

type Poweroff = Pick<PlanStep, 'target' | 'action' | 'budgetSeconds'>;

function poweroffOfHost({ localShutdown: { command, fallbackCommand, message } }: Configuration): Poweroff {
  const fallback = fallbackCommand === null ? null : poweroffCommand(fallbackCommand, message);
  return {
    target: 'this host',
    action: { kind: 'poweroff', command: poweroffCommand(command, message), fallback },
    budgetSeconds: poweroffSeconds,
  };
}

/** Its final command alone, without the preparations. */
function poweroffOfDelegate({ localShutdown }: Configuration, { resources }: PlanGroup): Poweroff | null {
  const delegate = delegateOf(resources);
  if (delegate === null) return null;
  const { command, fallbackCommand, message } = localShutdown;
  const { server, user, final, connectTimeoutSeconds, commandTimeoutSeconds } = delegate.work;
  const lineOf = (words: readonly string[]) => poweroffLine(words, message, user);
  return {
    target: server,
    action: {
      kind: 'poweroffDelegate',
      work: { ...delegate.work, actions: [], final: final ?? lineOf(command) },
      fallback: fallbackCommand === null ? null : lineOf(fallbackCommand),
    },
    budgetSeconds: connectTimeoutSeconds + commandTimeoutSeconds + delegate.marginSeconds,
  };
}
