// The plans of a configuration when the plan of a group cannot be built: a bug. A group whose plan would have ended in the
// power-off of this host gets that alone.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { Group } from '../config/derive/plans.js';
import { groupPowersOffHost, groupsOf, planOfGroup, plansOf } from '../config/derive/plans.js';
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

/** In a container only the delegate could power the host off, by steps that cannot be had. */
function barePlan(configuration: Configuration, group: Group, all: readonly Group[]): Plan | null {
  const { localShutdown, dryRun, inContainer } = configuration;
  if (inContainer || !groupPowersOffHost(configuration, group, all)) return null;
  const { command, fallbackCommand, message } = localShutdown;
  const withMessage = (line: readonly string[]) =>
    /(^|\/)shutdown$/.test(line[0] ?? '') && message !== '' ? [...line, message] : line;
  const step: PlanStep = {
    id: 'local_poweroff/host',
    phase: 'local_poweroff',
    target: 'this host',
    lane: 'host',
    rank: 0,
    begins: 'with_phase',
    action: {
      kind: 'poweroff',
      command: withMessage(command),
      fallback: fallbackCommand === null ? null : withMessage(fallbackCommand),
    },
    budgetSeconds: poweroffSeconds,
    estimateSeconds: 1,
    destructive: true,
  };
  const times = { budgetSeconds: poweroffSeconds, estimateSeconds: 1 };
  const phases = [{ name: step.phase, steps: [step], beginsAfterSeconds: 0, ...times }];
  const { groupId, label, fedBy } = group;
  return { group: groupId, label, fedBy, phases, boundSeconds: poweroffSeconds, estimateSeconds: 1, dryRun };
}
