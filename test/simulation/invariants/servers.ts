// "Every reachable server gets its final command within its budget; none is reported done without it."
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { ServerSpec } from '../plant/plant.js';
import type { WorldEvent } from '../scenario.js';
import { Invariant } from './invariant.js';
import { keyOf } from './step-record.js';

/** Start time of the worker of a new daemon. */
const workerStartMs = 400;
/** A worker without a heartbeat for this long is killed. */
const silenceMs = 2_000;
/** From the restart of a worker to the next request, plus the time reserved for its answer. */
const askedAgainMs = 1_500;

export class Servers extends Invariant {
  /** Until when the remote worker was away. */
  #awayUntilMs = -Infinity;

  daemonStarted(): void {
    this.#awayUntilMs = this.facts.nowMs + workerStartMs;
  }

  worldChanged(worldEvent: WorldEvent): void {
    if (worldEvent.kind !== 'remoteWorker') return;
    const awayMs = (worldEvent.fault === 'hangs' ? silenceMs : 0) + workerStartMs + worldEvent.awayMs;
    this.#awayUntilMs = Math.max(this.#awayUntilMs, this.facts.nowMs + awayMs);
  }

  /** Before the record has it. */
  ended(step: PlanStep, outcome: StepOutcome | null): void {
    const { action } = step;
    const { steps, nowMs, world } = this.facts;
    if (action.kind !== 'remote' || action.work.final === null) return;
    const run = steps.of(keyOf(step));
    const server = world.site.plant.servers.find(({ name }) => name === action.work.server);
    if (run?.by !== step || run.endedMs !== null || server === undefined) return;
    const isCommanded = steps.commandedMs.has(server.name);
    if (outcome?.kind === 'done' && !isCommanded)
      this.facts.violated('no server is said to be done that has no command', server.name);
    const leastMs = (server.connectSeconds + server.commandSeconds) * 1000;
    const endMs = Math.max(run.firstBeganMs + run.budgetMs, run.beganMs + leastMs);
    const hasRoom = this.#awayUntilMs <= run.beganMs || endMs - this.#awayUntilMs >= leastMs + askedAgainMs;
    // A stalled supervisor has lost time of the budget.
    if (isReachable(server) && hasRoom && nowMs <= endMs && !isCommanded) {
      const text = `${server.name}: ${JSON.stringify(outcome)}`;
      this.facts.violated('every reachable server has its final command in time', text);
    }
  }
}

function isReachable({ behaviour, connectSeconds }: ServerSpec): boolean {
  return 'actionMs' in behaviour && behaviour.connectMs < connectSeconds * 1000;
}
