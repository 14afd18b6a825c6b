// "Every reachable server gets its final command within its budget; none is reported done without it."
import type { Invariant } from './invariant.js';

/** Start time of the worker of a new daemon. */
const workerStartMs = 400;
/** A worker without a heartbeat for this long is killed. */
const silenceMs = 2_000;
/** From the restart of a worker to the next request, plus the time reserved for its answer. */
const askedAgainMs = 1_500;

export const servers: Invariant = (facts) => {
  /** Until when the remote worker was away. */
  let awayUntilMs = -Infinity;
  return {
    daemonStarted() {
      awayUntilMs = facts.nowMs + workerStartMs;
    },
    worldChanged(worldEvent) {
      if (worldEvent.kind !== 'remoteWorker') return;
      const awayMs = (worldEvent.fault === 'hangs' ? silenceMs : 0) + workerStartMs + worldEvent.awayMs;
      awayUntilMs = Math.max(awayUntilMs, facts.nowMs + awayMs);
    },
    ended(step, outcome) {
      const { action } = step;
      if (action.kind !== 'remote' || action.work.final === null) return;
      const run = facts.steps.open(step);
      const server = facts.server(action.work.server);
      if (run === undefined || server === undefined || facts.steps.commandedMs.has(server.name)) return;
      const { name, behaviour, connectSeconds, commandSeconds } = server;
      if (outcome?.kind === 'done') facts.violated('no server is said to be done that has no command', name);
      const leastMs = (connectSeconds + commandSeconds) * 1000;
      const endMs = Math.max(run.firstBeganMs + run.budgetMs, run.beganMs + leastMs);
      const hasRoom = awayUntilMs <= run.beganMs || endMs - awayUntilMs >= leastMs + askedAgainMs;
      const isReachable = 'actionMs' in behaviour && behaviour.connectMs < connectSeconds * 1000;
      // A stalled supervisor has lost time of the budget.
      if (isReachable && hasRoom && facts.nowMs <= endMs)
        facts.violated(
          'every reachable server has its final command in time',
          `${name}: ${JSON.stringify(outcome)}`,
        );
    },
  };
};
