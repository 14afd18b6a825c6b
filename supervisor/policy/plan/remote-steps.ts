// The servers that are shut down over SSH: a lane for each group, in it one rank for each shutdown_order.
import type { PlanStep } from '../../../shared/domain/plan.js';
import type { PlanSettings, ServerSettings } from './settings.js';
import { shareOf, step } from './step.js';

/** For login and final command, when nothing hangs. */
const loginSeconds = 2;

export function remoteSteps({ servers: groups }: Pick<PlanSettings, 'servers'>): readonly PlanStep[] {
  return groups.flatMap(({ group, servers }) => servers.map((server) => remoteStep(group, server)));
}

function remoteStep(group: string, server: ServerSettings): PlanStep {
  const { work, order, when } = server;
  const early = when === 'with_local';
  return step('remote_servers', work.server, {
    target: work.server,
    lane: early ? `${group}/with_local` : group,
    rank: order,
    begins: early ? 'with_sequence' : 'with_phase',
    action: { kind: 'remote', work },
    ...timesOf(server),
  });
}

/** Connect, every pre-shutdown action, the final command and the margin (specification/sequence.md#phases). */
export function timesOf({
  work: { actions, connectTimeoutSeconds, commandTimeoutSeconds },
  marginSeconds,
}: Pick<ServerSettings, 'work' | 'marginSeconds'>): Pick<PlanStep, 'budgetSeconds' | 'estimateSeconds'> {
  const before = actions.map(({ timeoutSeconds }) => timeoutSeconds);
  const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
  return {
    budgetSeconds: sum([connectTimeoutSeconds, ...before, commandTimeoutSeconds, marginSeconds]),
    estimateSeconds: loginSeconds + sum(before.map(shareOf)),
  };
}
