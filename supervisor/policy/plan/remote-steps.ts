// The servers that are shut down over SSH: a lane for each group, in it the servers of each shutdown_order, then the waits
// until they are off.
import type { PhaseName, PlanStep } from '../../../shared/domain/outage/plan.js';
import type { PlanSettings, ServerSettings } from './settings.js';
import { shareOf, step } from './step.js';

/** For login and final command, when nothing hangs. */
const loginSeconds = 2;

export function remoteSteps({
  servers: groups,
  waitsForTargets,
}: Pick<PlanSettings, 'servers' | 'waitsForTargets'>): readonly PlanStep[] {
  return groups.flatMap(({ group, servers }) => {
    const last = Math.max(...servers.map(({ order }) => order));
    return servers.flatMap((server) => {
      const command = remoteStep(group, server);
      const { haltTimeoutSeconds } = server;
      const isAwaited = haltTimeoutSeconds !== null && (waitsForTargets || server.order < last);
      return isAwaited ? [command, waitAfter(command, server.work.server, haltTimeoutSeconds)] : [command];
    });
  });
}

function remoteStep(lane: string, server: ServerSettings): PlanStep {
  const { work, when, order } = server;
  return step('remote_servers', nameOf(work.server), {
    target: work.server,
    lane,
    // The wait comes between the order of the server and the next.
    rank: 2 * order,
    begins: when === 'with_local' ? 'with_sequence' : 'with_phase',
    action: { kind: 'remote', work },
    ...timesOf(server),
  });
}

/** A server may have any name: without a slash it equals no other step. */
const nameOf = (server: string): string => server.replace(/[%/]/g, encodeURIComponent);

function waitAfter({ id, lane, begins, rank }: PlanStep, server: string, timeoutSeconds: number): PlanStep {
  return step('remote_servers', `${nameOf(server)}/off`, {
    target: `${server} off`,
    lane,
    begins,
    rank: rank + 1,
    // planOf computes what follows.
    action: { kind: 'awaitOff', server, commandedBy: id, timeoutSeconds, followsSeconds: 0 },
    budgetSeconds: timeoutSeconds,
    estimateSeconds: shareOf(timeoutSeconds),
    destructive: false,
  });
}

/** One more try for the servers that never got their final command, as long as the steps of a later phase run. */
export function againStep(phase: PhaseName, steps: readonly PlanStep[], seconds: number): PlanStep {
  const works = steps.flatMap(({ action }) =>
    action.kind === 'remote' && action.work.final !== null ? [{ ...action.work, actions: [] }] : [],
  );
  return step(phase, 'servers/again', {
    target: 'servers without their command',
    action: { kind: 'commandAgain', works },
    budgetSeconds: seconds,
    estimateSeconds: 0,
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
